import { mkdtempSync } from 'node:fs';
import { readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Context, createMedia, deleteMedia, type Media } from '@commerce/core';
import { type CommerceServer, createServer } from '@commerce/server';
import { picture, uploadOf } from '@commerce/test-support/fixtures/media-images';
import { forEachMediaPlace } from '@commerce/test-support/fixtures/media-places';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectEnvelope } from '@commerce/test-support/harness/requests';
import { openStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

forEachMediaPlace('the files over HTTP', (place, kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const address = join(folder, 'commerce.db');
  const told: unknown[] = [];
  // Opened before the bucket of the test suite exists.
  const files = new Proxy({} as ReturnType<typeof place.files>, { get: (_, name) => Reflect.get(place.files(), name) });
  const commerce = useCommerce({ address, open: () => openStorage(address) }, { media: { files, url: '/media' } });
  let server: CommerceServer;
  let url: string;
  let port: number;
  let shop: Context;
  let media: Media;
  let content: Buffer;
  beforeAll(async () => {
    server = createServer(commerce(), { onError: (error) => told.push(error) });
    ({ url, port } = await server.listen({ port: 0 }));
    shop = await newShop(commerce());
    content = await picture('png', { width: 300, height: 200, noise: true });
    media = await newImage(content);
  });
  afterAll(() => server?.stop());
  afterEach(() => {
    expect(told.splice(0)).toEqual([]);
  });

  async function newImage(bytes: Buffer): Promise<Media> {
    const [made] = await createMedia(shop, [uploadOf('png', bytes)]);
    if (!made) throw new Error('no media');
    return made;
  }

  /** Sends the target unchanged: fetch would normalise it. */
  async function get(target: string, headers: Record<string, string> = {}, method = 'GET') {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest({ host: '127.0.0.1', port, path: target, method, headers }, resolve).on('error', reject).end();
    });
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
  }

  const always = () => ({
    'cache-control': 'public, max-age=31536000',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    etag: expect.stringMatching(/^"[\w.-]+"$/),
    'last-modified': expect.stringMatching(/GMT$/),
    'accept-ranges': 'bytes',
  });

  function expectNotFound({ status, headers, body }: Awaited<ReturnType<typeof get>>): void {
    expectEnvelope({ status, json: JSON.parse(body.toString()) }, { status: 404, code: 'NOT_FOUND' });
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  }

  it('come whole, without a key, with what lets caches keep them', async () => {
    const answer = await get(media.url);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      ...always(),
      'content-type': 'image/png',
      'content-length': String(content.length),
    });
    expect(answer.body.equals(content)).toBe(true);
    expect((await get(`${media.url}?v=1&utm_source=x`)).status).toBe(200);
  });

  it('answer HEAD as GET, without the bytes', async () => {
    const [head, whole] = [await get(media.url, {}, 'HEAD'), await get(media.url)];
    const { date: _, 'x-request-id': __, ...headers } = head.headers;
    expect(whole.headers).toMatchObject(headers);
    expect(head).toMatchObject({ status: 200, headers: { ...always(), 'content-length': String(content.length) } });
    expect(head.body.length).toBe(0);
    expect((await get(media.url, { range: 'bytes=0-1' }, 'HEAD')).status).toBe(200);
  });

  it('are not sent to whoever has them', async () => {
    const { etag = '', 'last-modified': date = '' } = (await get(media.url)).headers;
    const later = new Date(Date.parse(date) + 1000).toUTCString();
    const earlier = new Date(Date.parse(date) - 1000).toUTCString();
    const fresh: Record<string, string>[] = [
      { 'if-none-match': etag },
      { 'if-none-match': `W/${etag}` },
      { 'if-none-match': `"other", ${etag} , "more"` },
      { 'if-none-match': '*' },
      { 'if-modified-since': date },
      { 'if-modified-since': later },
    ];
    for (const headers of fresh) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await get(media.url, headers, method);
        expect(answer, JSON.stringify(headers)).toMatchObject({ status: 304, headers: always() });
        expect(answer.body.length).toBe(0);
      }
    }
    const stale: Record<string, string>[] = [
      { 'if-none-match': '"other"' },
      { 'if-none-match': etag.slice(1, -1) },
      { 'if-none-match': '' },
      // The tag decides if both are given.
      { 'if-none-match': '"other"', 'if-modified-since': later },
      { 'if-modified-since': earlier },
      { 'if-modified-since': 'yesterday' },
    ];
    for (const headers of stale) expect((await get(media.url, headers)).status, JSON.stringify(headers)).toBe(200);
  });

  it('come in parts', async () => {
    const size = content.length;
    const parts: [string, number, number][] = [
      ['bytes=0-1', 0, 1],
      ['bytes=100-199', 100, 199],
      ['bytes=100-', 100, size - 1],
      ['bytes=-100', size - 100, size - 1],
      [`bytes=${size - 1}-`, size - 1, size - 1],
      [`bytes=10-${size * 2}`, 10, size - 1],
      [`bytes=-${size * 2}`, 0, size - 1],
      ['Bytes=5-6', 5, 6],
    ];
    for (const [range, start, end] of parts) {
      const answer = await get(media.url, { range });
      expect(answer, range).toMatchObject({
        status: 206,
        headers: {
          ...always(),
          'content-type': 'image/png',
          'content-range': `bytes ${start}-${end}/${size}`,
          'content-length': String(end - start + 1),
        },
      });
      expect(answer.body.equals(content.subarray(start, end + 1)), range).toBe(true);
    }
  });

  it('come whole where a range makes no sense, and not at all where it has nothing', async () => {
    for (const range of ['bytes=5-3', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,5-6', 'bytes 0-1', '']) {
      expect((await get(media.url, { range })).status, range).toBe(200);
    }
    for (const range of [`bytes=${content.length}-`, 'bytes=99999999999999999999-', 'bytes=-0']) {
      const answer = await get(media.url, { range });
      expect(answer, range).toMatchObject({
        status: 416,
        headers: { 'content-range': `bytes */${content.length}`, 'x-content-type-options': 'nosniff' },
      });
      expect(answer.headers['cache-control']).toBeUndefined();
    }
  });

  it('come in parts only to whoever has the beginning of the same', async () => {
    const { etag = '', 'last-modified': date = '' } = (await get(media.url)).headers;
    const range = 'bytes=10-19';
    for (const condition of [etag, date]) {
      expect((await get(media.url, { range, 'if-range': condition })).status).toBe(206);
    }
    for (const condition of ['"other"', `W/${etag}`, new Date(0).toUTCString(), 'x']) {
      expect((await get(media.url, { range, 'if-range': condition })).status).toBe(200);
    }
    // A cached answer is not sent in parts either.
    expect((await get(media.url, { range, 'if-none-match': etag })).status).toBe(304);
  });

  it('are there as variants', async () => {
    const answer = await get(`${media.url}?w=160&format=webp`);
    expect(answer).toMatchObject({ status: 200, headers: { ...always(), 'content-type': 'image/webp' } });
    expect(answer.headers.etag).not.toBe((await get(media.url)).headers.etag);
    expect((await get(`${media.url}?w=160&format=webp`, { 'if-none-match': answer.headers.etag ?? '' })).status).toBe(
      304,
    );
    const part = await get(`${media.url}?w=160&format=webp`, { range: 'bytes=5-9' });
    expect(part.body.equals(answer.body.subarray(5, 10))).toBe(true);
    const refused = await get(`${media.url}?w=161&format=bmp`);
    expectEnvelope(
      { status: refused.status, json: JSON.parse(refused.body.toString()) },
      { status: 400, code: 'VALIDATION_ERROR', fields: ['w', 'format'], message: /64, 160, 320/ },
    );
    expect(refused.headers['cache-control']).toBe('no-store');
  });

  it('know no other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await get(media.url, {}, method);
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    }
  });

  it('are gone once they are deleted, their variants too', async () => {
    const made = await newImage(content);
    expect((await get(`${made.url}?w=64`)).status).toBe(200);
    const { etag = '' } = (await get(made.url)).headers;
    await deleteMedia(shop, made.id);
    for (const target of [made.url, `${made.url}?w=64`, `${made.url}?w=320`]) {
      expectNotFound(await get(target));
      expectNotFound(await get(target, { 'if-none-match': etag, range: 'bytes=0-1' }));
    }
  });

  describe('lead nowhere else', () => {
    const up = [
      '..',
      '%2e%2e',
      '%2E%2e',
      '.%2e',
      '%252e%252e',
      '%c0%ae%c0%ae',
      '%e0%80%ae%e0%80%ae',
      '..%00',
      '....',
      '%uff0e%uff0e',
    ];
    const slashes = ['/', '%2f', '%2F', '%252f', '\\', '%5c', '%c0%af', '//', ';/'];

    it('by any spelling of a path that goes up', async () => {
      // The possible place of the database: next to the folder and above it.
      await writeFile(join(folder, 'secret.png'), 'secret');
      const store = shop.store.id;
      const targets = up.flatMap((dots) =>
        slashes.flatMap((slash) => [
          `/media/${dots}${slash}commerce.db`,
          `/media/${dots}${slash}${dots}${slash}commerce.db`,
          `/media/${store}/${dots}${slash}commerce.db`,
          `/media/${store}${slash}${dots}${slash}${dots}${slash}commerce.db`,
          `/media/${store}/${dots}${slash}${store}${slash}${media.id}.png`,
        ]),
      );
      for (const target of targets) expectNotFound(await get(target));
    });

    it.each([
      '/media',
      '/media/',
      '/media//etc/passwd',
      '/media/%2fetc%2fpasswd',
      '/media/.staging/x',
      '/media/C:%5cwindows%5cwin.ini',
      '/media/\\\\host\\share',
      '/media/a/b.png%00.jpg',
      '/media/{store}/{id}.png%00',
      '/media/{store}/{id}.png/',
      '/media/{store}//{id}.png',
      '/media/{store}/./{id}.png',
      '/media/{store}/{id}.png/../{id}.png',
      '/media/{store}/{id}.jpg',
      '/media/{store}/{id}',
      '/media/{store}/{id}-64.png',
      '/media/{store}/%7Bid%7D.png',
      '/media/{store}/{id}%2epng',
      '/media/{store}%2f{id}.png',
      '//media/{store}/{id}.png',
      '/./media/{store}/{id}.png',
      '/MEDIA/{store}/{id}.png',
    ])('by %s', async (target) => {
      expectNotFound(await get(target.replaceAll('{store}', shop.store.id).replaceAll('{id}', media.id)));
    });
  });

  it('are closed when the client leaves in the middle', async () => {
    const big = await newImage(await picture('png', { width: 1600, height: 1600, noise: true }));
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${big.url} HTTP/1.1\r\nHost: x\r\n\r\n`);
    // Part of it is read, then nothing more: the rest waits for the client.
    await new Promise<void>((resolve) => socket.once('readable', () => resolve()));
    if (kind === 'folder') await until('the file is open', async () => (await openFiles(big.id)) > 0);
    socket.destroy();
    await until('no file is open', async () => (await openFiles(big.id)) === 0);
    expect((await get(media.url)).status).toBe(200);
  });

  it('are handed on by a listener that is mounted beside other paths, when they are none of ours', async () => {
    const { createListener } = await import('@commerce/server');
    const listener = createListener(commerce());
    const passed: string[] = [];
    for (const target of ['/media/logo.png', '/media', '/media/a/b', media.url]) {
      const answer = httpRequestOf(target);
      listener(answer.request, answer.response, () => passed.push(target));
    }
    expect(passed).toEqual(['/media/logo.png', '/media', '/media/a/b']);
    expect(url).toContain(String(port));
  });
});

function httpRequestOf(url: string) {
  const socket = new Socket();
  const request = {
    method: 'GET',
    url,
    headers: {},
    complete: true,
    socket,
    resume() {},
  } as unknown as IncomingMessage;
  const response = { destroyed: true } as unknown as import('node:http').ServerResponse;
  return { request, response };
}

/** The number of this process's descriptors for files whose path contains the text. */
async function openFiles(text: string): Promise<number> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return paths.filter((path) => path.includes(text)).length;
}
