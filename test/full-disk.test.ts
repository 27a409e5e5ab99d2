import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Commerce, type Context, importFile, listMedia, openCommerce, openMediaFolder } from '@commerce/core';
import { createServer } from '@commerce/server';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { newShop } from '@commerce/test-support/fixtures/shop';
import { newKey } from '@commerce/test-support/harness/requests';
import { canMount, withDisk } from '@commerce/test-support/harness/small-disk';
import { openStorage } from '@commerce/test-support/harness/storages';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-full-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Code and message of a refusal; other answers have only their status. */
interface Outcome {
  status: number;
  code?: string;
  message?: string;
}

interface Service {
  commerce: Commerce;
  shop: Context;
  disk: string;
  remount(options: string): Promise<void>;
  upload(image: Buffer): Promise<Outcome>;
  sendImport(csv: string): Promise<Outcome>;
  get(path: string): Promise<Outcome>;
  /** Errors that the service logged. */
  told: unknown[];
}

/** Runs work with a service whose files are on a disk of 1 MB. */
async function onSmallDisk(name: string, work: (service: Service) => Promise<void>): Promise<void> {
  const disk = join(folder, name);
  await withDisk(disk, 'size=1m', async (remount) => {
    const commerce = await openCommerce({
      storage: openStorage(join(folder, `${name}.db`)),
      media: { files: openMediaFolder({ directory: join(disk, 'media') }), url: '/media' },
      imports: { directory: join(disk, 'imports') },
      webhookAllow: ['127.0.0.1/32'],
    });
    const told: unknown[] = [];
    const server = createServer(commerce, { onError: (error) => told.push(error) });
    try {
      const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
      const shop = await newShop(commerce);
      const authorization = `Bearer ${await newKey(shop)}`;
      const ask = async (path: string, body?: string | FormData, type?: string): Promise<Outcome> => {
        const headers = { authorization, ...(type === undefined ? {} : { 'content-type': type }) };
        const answer = await fetch(url + path, { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
        const text = await answer.text();
        if (answer.ok) return { status: answer.status };
        const { code, message } = JSON.parse(text).error;
        return { status: answer.status, code, message };
      };
      await work({
        commerce,
        shop,
        disk,
        remount,
        told,
        get: ask,
        sendImport: (csv) => ask(`/stores/${shop.store.id}/imports`, csv, 'text/csv'),
        upload: (image) => {
          const form = new FormData();
          form.append('files', new Blob([image], { type: 'image/png' }), 'a.png');
          return ask(`/stores/${shop.store.id}/media`, form);
        },
      });
    } finally {
      await server.stop();
      await commerce.close();
    }
  });
}

const full = (what: string) => ({
  status: 503,
  code: 'UNAVAILABLE',
  message: `${what} cannot be stored: the disk of the service is full; free some space and try again`,
});
const readOnly = (what: string) => ({
  status: 503,
  code: 'UNAVAILABLE',
  message: `${what} cannot be stored: the disk of the service is read-only`,
});
/** Public requests create variants; their answers do not reveal how the service stores the variants. */
const unavailable = {
  status: 503,
  code: 'UNAVAILABLE',
  message: 'a service that this request depends on could not be reached; try again in a moment',
};
const noise = (side: number) => picture('png', { width: side, height: side, noise: true });

describe.skipIf(!canMount)('a disk for files (needs the right to mount)', () => {
  it('that is full or can only be read is told of in words, and its folder is logged; nothing stays there', () =>
    onSmallDisk('refused', async ({ shop, disk, remount, upload, sendImport, get, told }) => {
      expect(await upload(await noise(600))).toEqual(full('images'));
      expect(await sendImport(`slug,title,price,description\na,A,1,${'x'.repeat(1_100_000)}\n`)).toEqual(
        full('imports'),
      );
      expect(told).toEqual([
        expect.objectContaining({ cause: expect.objectContaining({ code: 'ENOSPC' }) }),
        expect.objectContaining({ cause: expect.objectContaining({ code: 'ENOSPC' }) }),
      ]);
      expect(readdirSync(join(disk, 'media/.staging'))).toEqual([]);
      expect(readdirSync(join(disk, 'imports'))).toEqual([]);
      expect((await listMedia(shop)).total).toBe(0);

      expect(await upload(await noise(400))).toEqual({ status: 201 });
      const [image] = (await listMedia(shop)).items;
      // There is room for its copy for the decoder, but not for the variant.
      expect(await get(`${image?.url}?format=png`)).toEqual(unavailable);
      expect(told.at(-1)).toMatchObject({
        message: full('variants of images').message,
        cause: { code: 'ENOSPC' },
      });
      expect(readdirSync(join(disk, 'media/.staging'))).toEqual([]);
      await remount('size=4m');
      expect(await get(`${image?.url}?format=png`)).toEqual({ status: 200 });

      await remount('ro');
      expect(await upload(await noise(10))).toEqual(readOnly('images'));
      expect(await sendImport('slug,title,price\na,A,1\n')).toEqual(readOnly('imports'));
      expect(await get(`${image?.url}?w=160`)).toEqual(unavailable);
      expect(told.at(-1)).toMatchObject({ message: readOnly('variants of images').message });
      expect(await get(`${image?.url}`)).toEqual({ status: 200 });
    }));

  it('that is full ends an import which fetches images, and more room lets the same one go on', () =>
    onSmallDisk('images', async ({ shop, remount }) => {
      const large = await noise(400);
      const site = http.createServer((_request, response) => response.end(large)).listen(0, '127.0.0.1');
      await once(site, 'listening');
      const { port } = site.address() as AddressInfo;
      const row = (n: number) => `p-${n},Product ${n},1.00,http://127.0.0.1:${port}/${n}.png\n`;
      const text = `slug,title,price,images\n${Array.from({ length: 6 }, (_, n) => row(n)).join('')}`;
      const load = () =>
        importFile(
          shop,
          'products',
          {
            digest: 'of the file',
            async *open() {
              yield Buffer.from(text);
            },
          },
          { images: true, onError: 'skip' },
          { batchRows: 1 },
        );
      try {
        await expect(load()).rejects.toMatchObject({ message: full('images').message });
        await remount('size=16m');
        expect(await load()).toMatchObject({ status: 'completed', created: 6, images: 6, imagesLeft: 0, warnings: 0 });
        expect((await listMedia(shop)).total).toBe(6);
      } finally {
        site.close();
      }
    }));
});
