import { mkdtempSync } from 'node:fs';
import { readdir, readlink, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { client, initShop } from '@commerce/test-support/fixtures/served-shop';
import { type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { dial, parseAnswers } from '@commerce/test-support/harness/sockets';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const connections = 64;
const requests = 1300;
const mebibyte = 1024 * 1024;

describe('clients that send many requests at once and read nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  let server: RunningServer;
  let shop: { storeId: string; key: string };
  let image: string;
  const paths: Record<string, string> = {};
  const sockets: Socket[] = [];
  const asked = [
    ['the script of the reference', () => '/docs/redoc.js'],
    ['the document', () => '/openapi.json'],
    ['a file', () => paths.image as string],
    ['a list', () => paths.list as string],
    ['what is not there', () => `/${'x'.repeat(500)}`],
    ['whether it runs', () => '/healthz'],
  ] as const;

  beforeAll(async () => {
    const address = join(folder, 'commerce.db');
    shop = await initShop(address);
    server = await startServer(address, ['--metrics', '--media-dir', join(folder, 'media')]);
    const ask = client(server.url, shop);
    for (let i = 0; i < 50; i++) {
      const made = await ask('POST', '/products', {
        title: 'Mug',
        slug: `mug-${i}`,
        price: '1',
        description: 'A mug. '.repeat(1000),
      });
      expect(made.status).toBe(201);
    }
    const form = new FormData();
    const file = await picture('png', { width: 1600, height: 1600, noise: true });
    form.append('files', new Blob([file], { type: 'image/png' }), 'noise.png');
    const answer = await fetch(`${server.url}/stores/${shop.storeId}/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.key}` },
      body: form,
    });
    expect(answer.status).toBe(201);
    image = ((await answer.json()) as { items: { id: string; url: string }[] }).items[0]?.url ?? '';
    paths.image = new URL(image, server.url).pathname;
    paths.list = `/stores/${shop.storeId}/products?limit=200`;
    // The measurement excludes the code that the first answers load, and the heap that the first such crowd needs.
    for (const [, path] of asked) {
      for (let i = 0; i < 20; i++) {
        const answer = await fetch(server.url + path(), { headers: { authorization: `Bearer ${shop.key}` } });
        await answer.arrayBuffer();
      }
    }
    await flood(head('/healthz').repeat(requests));
    await wait(1000);
    await leave();
  });
  afterEach(leave);
  afterAll(async () => {
    await server?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  async function leave(): Promise<void> {
    for (const socket of sockets.splice(0)) socket.destroy();
    await until('they are gone', async () => (await metric('commerce_http_connections')) <= 3);
  }

  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  }

  const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shop.key}\r\n\r\n`;

  /** Opens connections that each send the requests and read no answer. */
  async function flood(bytes: string): Promise<void> {
    const { port } = new URL(server.url);
    for (let i = 0; i < connections; i++) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      socket.pause();
      socket.write(bytes);
      sockets.push(socket);
    }
  }

  it.each(asked)('cost less than 64 MiB together, and nobody else an answer: %s', async (_, path) => {
    const ask = client(server.url, shop);
    const before = await metric('process_resident_memory_bytes');
    let most = 0;
    await flood(head(path()).repeat(requests));
    for (let i = 0; i < 30; i++) {
      await wait(50);
      expect((await ask('GET', '/products?limit=1')).status).toBe(200);
      most = Math.max(most, await metric('process_resident_memory_bytes'));
    }
    expect((most - before) / mebibyte).toBeLessThan(64);
  });

  it.runIf(process.platform === 'linux')('leave no file open when they go', async () => {
    await flood(head(paths.image as string).repeat(requests));
    await wait(500);
    for (const socket of sockets) socket.destroy();
    const open = async () => {
      const fds = `/proc/${server.child.pid}/fd`;
      const links = await Promise.all((await readdir(fds)).map((fd) => readlink(join(fds, fd)).catch(() => '')));
      return links.filter((link) => link.startsWith(join(folder, 'media'))).length;
    };
    await until('no file is open', async () => (await open()) === 0);
  });

  it('get every answer in order when they read', async () => {
    const { port } = new URL(server.url);
    const { write, received } = await dial(Number(port));
    const some = 400;
    const paths = Array.from({ length: some }, (_, i) => (i % 2 === 0 ? '/healthz' : `/nothing/${i}`));
    write(paths.map(head).join('') + head('/readyz').replace('\r\n', '\r\nConnection: close\r\n'));
    const answers = parseAnswers(await received());
    expect(answers).toHaveLength(some + 1);
    const wrong = answers.filter(({ status, body }, i) =>
      i === some ? status !== 200 : i % 2 === 0 ? status !== 200 : status !== 404 || !body.includes(`/nothing/${i}`),
    );
    expect(wrong).toEqual([]);
  });
});
