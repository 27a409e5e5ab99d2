import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Context, importFile, listMedia, listProducts, openMediaFolder } from '../index.ts';

forEachStorage('images of an import', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'commerce-media-'));
  let server: Server;
  let url: string;
  /** The requested paths, and the maximum number of concurrent requests. */
  let asked: string[] = [];
  let [now, most] = [0, 0];
  // This machine is allowed, its neighbour is not.
  const commerce = useCommerce(database, {
    media: { files: openMediaFolder({ directory }), url: 'https://cdn.example.com' },
    webhookAllow: ['127.0.0.1/32'],
  });
  beforeAll(async () => {
    const png = await picture('png');
    server = createServer(async ({ url: path = '' }, response) => {
      asked.push(path);
      most = Math.max(most, ++now);
      await sleep(20);
      now--;
      if (path.startsWith('/moved')) response.writeHead(302, { Location: '/target.png' }).end();
      else if (path.startsWith('/inside')) response.writeHead(302, { Location: 'http://127.0.0.2:1/x.png' }).end();
      else if (path.startsWith('/gone')) response.writeHead(404).end();
      else if (path.startsWith('/text')) response.writeHead(200, { 'Content-Type': 'image/png' }).end('no image');
      else response.writeHead(200).end(png);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  beforeEach(() => {
    asked = [];
    most = 0;
  });

  const load = (shop: Context, content: string, images = true) =>
    importFile(
      shop,
      'products',
      {
        async *open() {
          yield Buffer.from(content);
        },
      },
      { images, onError: 'skip' },
    );
  const header = 'slug,title,price,images,image\n';
  const row = (slug: string, ...images: string[]) => `${slug},Mug,1,${images.map((path) => url + path).join(' ')},\n`;

  it('are fetched once each, four at a time, and found again by their address', async () => {
    const shop = await newShop(commerce());
    const paths = Array.from({ length: 12 }, (_, i) => `/${i}.png`);
    const content = `${header + row('a', ...paths) + row('b', paths[3] ?? '', '/moved.png')}c,Mug,1,,${url}/3.png\n`;
    expect(await load(shop, content)).toMatchObject({ created: 3, images: 13, imagesLeft: 0, warnings: 0 });
    expect(asked.sort()).toEqual([...paths, '/moved.png', '/target.png'].sort());
    expect(most).toBe(4);
    const [c, b, a] = (await listProducts(shop)).items;
    expect([a?.mediaIds.length, b?.mediaIds.length]).toEqual([12, 2]);
    expect(b?.mediaIds[0]).toBe(a?.mediaIds[3]);
    expect(c?.primaryMediaId).toBe(a?.mediaIds[3]);
    asked = [];
    for (const images of [true, false]) {
      expect(await load(shop, content, images)).toMatchObject({ unchanged: 3, images: 0, imagesLeft: 0 });
    }
    expect(asked).toEqual([]);
    expect((await listMedia(shop)).total).toBe(13);
  });

  it('that cannot be fetched are warnings and hold nothing back, nor do they reach into this network', async () => {
    const shop = await newShop(commerce());
    const wrong = ['/gone.png', '/text.png', '/inside.png'];
    const inside = 'http://127.0.0.2:1/x.png';
    const content = `${header}${row('a', '/good.png', ...wrong)}b,Mug,1,${url}/gone.png ${inside} ftp://x.example/y,\n`;
    const done = await load(shop, content);
    expect(done).toMatchObject({ created: 2, images: 1, imagesLeft: 6, refused: 0, warnings: 6 });
    const reasons = new Map(done.warningsShown.map(({ value, reason }) => [value, reason]));
    expect(reasons.get(`${url}/gone.png`)).toMatch(/answered 404/);
    expect(reasons.get(`${url}/text.png`)).toMatch(/not a JPEG, PNG, WebP, GIF or AVIF/);
    for (const address of [`${url}/inside.png`, inside]) expect(reasons.get(address)).toMatch(/loopback address/);
    expect(reasons.get('ftp://x.example/y')).toMatch(/not an http or https address/);
    expect(asked.filter((path) => path === '/gone.png')).toEqual(['/gone.png']);
    expect((await listProducts(shop)).items.map(({ mediaIds }) => mediaIds.length)).toEqual([0, 1]);
    // An existing product keeps its images while one of the new ones is missing.
    expect(await load(shop, header + row('a', '/other.png', '/gone.png'))).toMatchObject({ unchanged: 1 });
    expect((await listProducts(shop)).items.map(({ mediaIds }) => mediaIds.length)).toEqual([0, 1]);
  });

  // Only there, children can be listed without another program.
  it.runIf(process.platform === 'linux')(
    'whose decoder is always ended from outside are left out: an import would fail at them again and again',
    async () => {
      const shop = await newShop(commerce());
      const ended = new Set<string>();
      const timer = setInterval(() => {
        for (const task of readdirSync('/proc/self/task')) {
          for (const child of readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean)) {
            try {
              if (!readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('decoder.js')) continue;
              process.kill(Number(child), 'SIGKILL');
              ended.add(child);
            } catch {
              // It has just ended.
            }
          }
        }
      }, 2);
      try {
        const done = await load(shop, header + row('a', '/heavy.png'));
        expect(done).toMatchObject({ status: 'completed', created: 1, imagesLeft: 1, warnings: 1 });
        expect(done.warningsShown[0]?.reason).toMatch(/decoder of images was ended from outside \(SIGKILL\)/);
      } finally {
        clearInterval(timer);
      }
      expect(ended.size).toBeGreaterThan(1);
      expect(await load(shop, header + row('a', '/heavy.png'))).toMatchObject({ updated: 1, images: 1 });
    },
  );
});
