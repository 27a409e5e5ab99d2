import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type Context, deleteProduct, listAuditLogs, updateProduct, updateSettings } from '@commerce/core';
import { type CommerceServer, createApp, createServer, openLog } from '@commerce/server';
import { addMediaRow } from '@commerce/test-support/fixtures/media-rows';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { faultsOf, readFeedXml, readTsv } from '@commerce/test-support/harness/feed-rules';
import { expectEnvelope, newKey } from '@commerce/test-support/harness/requests';
import { openStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

describe('feeds over HTTP', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const address = join(folder, 'commerce.db');
  const publicUrl = 'https://api.example';
  const commerce = useCommerce({ address, open: () => openStorage(address) }, { publicUrl });
  const faults: unknown[] = [];
  const logged = { json: new PassThrough(), text: new PassThrough() };
  const logs = { json: openLog(logged.json), text: openLog(logged.text, { form: 'text' }) };
  const lines: Buffer[] = [];
  for (const stream of Object.values(logged)) stream.on('data', (line) => lines.push(line));
  let server: CommerceServer;
  let port: number;
  let shop: Context;
  let token: string;
  let made = 0;
  beforeAll(async () => {
    server = createServer(commerce(), {
      trustProxy: true,
      onError: (error) => faults.push(error),
      onRequest: (entry) => {
        for (const log of Object.values(logs)) log.request(entry);
      },
    });
    ({ port } = await server.listen({ port: 0 }));
    shop = await newShop(commerce());
    const settings = await updateSettings(shop, {
      productUrl: 'https://shop.example/p/{slug}',
      country: 'DE',
      feed: { enabled: true },
    });
    token = settings.feed.token ?? '';
    const image = await addMediaRow(shop);
    const description = 'x '.repeat(500);
    for (let i = 0; i < 250; i++) {
      const title = `Mug ${i} “${'é'.repeat(100)}”`;
      await newProduct(shop, { title, slug: `mug-${i}`, brand: 'B', description, primaryMediaId: image });
    }
  });
  afterAll(() => server?.stop());
  afterEach(() => {
    expect(faults.splice(0)).toEqual([]);
  });

  /** Each test comes from its own network address, but for those that count. */
  function start(line: string, headers: Record<string, string> = {}, from = `203.0.113.${++made}`) {
    const [method, path] = line.split(' ');
    return new Promise<IncomingMessage>((resolve, reject) => {
      const all = { 'x-forwarded-for': from, ...headers };
      httpRequest({ host: '127.0.0.1', port, path, method, headers: all }, resolve).on('error', reject).end();
    });
  }

  async function send(line: string, headers: Record<string, string> = {}, from?: string) {
    const answer = await start(line, headers, from);
    const body = await buffer(answer);
    return { status: answer.statusCode ?? 0, headers: answer.headers, body, text: body.toString() };
  }

  const feedOf = (format: string, given = token) => `/feeds/${shop.store.id}/${given}/products.${format}`;
  const refusal = ({ status, text }: { status: number; text: string }) => ({ status, json: JSON.parse(text) });

  it('come whole in both forms, and say how they may be kept', async () => {
    const tsv = await send(`GET ${feedOf('tsv')}`);
    expect(tsv.status).toBe(200);
    expect(tsv.headers).toMatchObject({
      'content-type': 'text/tab-separated-values; charset=utf-8',
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^W\/"[\w-]{27}"$/),
      vary: 'Accept-Encoding',
    });
    const rows = readTsv(tsv.text);
    expect(rows).toHaveLength(250);
    expect(rows.flatMap(faultsOf)).toEqual([]);
    const xml = await send(`GET ${feedOf('xml')}`, { 'accept-encoding': 'gzip' });
    expect(xml.headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
    });
    expect(readFeedXml(gunzipSync(xml.body).toString())).toHaveLength(250);
    expect(xml.body.length).toBeLessThan(tsv.body.length / 5);
    const head = await send(`HEAD ${feedOf('tsv')}`);
    expect(head).toMatchObject({ status: 200, text: '', headers: { etag: tsv.headers.etag } });
    const other = await send(`POST ${feedOf('tsv')}`);
    expect(other).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  it('are not sent twice while nothing changes', async () => {
    const first = await send(`GET ${feedOf('tsv')}`);
    const tag = String(first.headers.etag);
    for (const encoding of ['gzip', 'identity']) {
      const again = await send(`GET ${feedOf('tsv')}`, { 'if-none-match': tag, 'accept-encoding': encoding });
      expect(again).toMatchObject({ status: 304, text: '', headers: { etag: tag } });
    }
    await updateProduct(shop, readTsv(first.text)[0]?.id ?? '', { price: '11' });
    const changed = await send(`GET ${feedOf('tsv')}`, { 'if-none-match': tag });
    expect(changed.status).toBe(200);
    expect(readTsv(changed.text)[0]?.price).toBe('11.00 EUR');
  });

  it('are read by two at once, and a third waits', async () => {
    const app = createApp(commerce(), { trustProxy: true });
    const handle = (method: string, headers = {}) =>
      app.handle({ method, url: feedOf('xml'), headers, readBody: async () => Buffer.alloc(0) }, 'id');
    const readers = [await handle('GET'), await handle('GET', { 'accept-encoding': 'gzip' })];
    expect(readers.map(({ status }) => status)).toEqual([200, 200]);
    const third = await handle('GET');
    expectEnvelope({ status: third.status, json: JSON.parse(third.body ?? '') }, { status: 429, code: 'RATE_LIMITED' });
    expect(third.headers?.['Retry-After']).toBe('30');
    // What costs nothing is answered anyway.
    const tag = String(readers[0]?.headers?.ETag);
    expect((await handle('GET', { 'if-none-match': tag })).status).toBe(304);
    expect((await handle('HEAD')).status).toBe(200);
    for (const { stream } of readers) {
      stream?.destroy();
      await until('its place is free', () => stream?.closed === true);
      const next = await handle('GET');
      expect(next.status).toBe(200);
      expect(await text(next.stream as Readable)).toMatch(/<\/rss>\n$/);
    }
  });

  it('are read whatever sitemaps are, which each address reads two of at once', async () => {
    const app = createApp(commerce(), { trustProxy: true });
    const handle = (url: string, address: string) => {
      const headers = { 'x-forwarded-for': address };
      return app.handle({ method: 'GET', url, headers, readBody: async () => Buffer.alloc(0) }, 'id');
    };
    const sitemap = `/feeds/${shop.store.id}/sitemap.xml`;
    const readers = [await handle(sitemap, '2001:db8::1'), await handle(sitemap, '2001:db8::2')];
    expect(readers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await handle(sitemap, '2001:db8::3')).status).toBe(429);
    for (const [url, address] of [
      [feedOf('tsv'), '2001:db8::1'],
      [sitemap, '192.0.2.2'],
    ] as const) {
      readers.push(await handle(url, address));
      expect(readers.at(-1)?.status).toBe(200);
    }
    for (const { stream } of readers) stream?.destroy();
  });

  it('are taken from clients that do not read them', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const app = createApp(commerce(), { onError: (error) => faults.push(error) });
      const request = { method: 'GET', url: feedOf('tsv'), headers: {}, readBody: async () => Buffer.alloc(0) };
      const { stream } = await app.handle(request, 'id');
      const closed = new Promise((resolve) => stream?.once('close', resolve));
      vi.advanceTimersByTime(59_000);
      expect(stream?.destroyed).toBe(false);
      vi.advanceTimersByTime(2000);
      await closed;
      expect(stream?.destroyed).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('keep their token out of the log', async () => {
    lines.length = 0;
    const wrong = 'w'.repeat(43);
    await send(`GET ${feedOf('tsv')}`);
    await send(`GET ${feedOf('xml', wrong)}`);
    await send(`PUT ${feedOf('xml', wrong)}`);
    await until('they are logged', () => Buffer.concat(lines).toString().split('\n').length > 6);
    const log = Buffer.concat(lines).toString();
    expect(log).toContain('/feeds/{storeId}/{token}/products.tsv');
    expect(log).not.toContain(token);
    expect(log).not.toContain(wrong);
    expect(JSON.stringify((await listAuditLogs(shop, { limit: 200 })).items)).not.toContain(token);
  });

  it('say the same to every wrong address, and soon nothing to who guesses', async () => {
    const off = await newShop(commerce());
    const from = '198.51.100.7';
    const paths = [
      feedOf('tsv', 'x'),
      feedOf('tsv', `${token}x`),
      `/feeds/${off.store.id}/${token}/products.tsv`,
      `/feeds/${off.store.id}/null/products.xml`,
      `/feeds/0190f3a2-0000-7000-8000-000000000000/${token}/products.xml`,
      `/feeds/${off.store.id}/sitemap.xml`,
    ];
    const texts = new Set<string>();
    for (const path of paths) {
      const answer = await send(`GET ${path}`, { 'x-request-id': 'same' }, from);
      expectEnvelope(refusal(answer), { status: 404, code: 'NOT_FOUND' });
      texts.add(answer.text);
    }
    expect(texts.size).toBe(1);
    for (let i = paths.length; i < 14; i++) await send(`GET ${feedOf('tsv', 'x')}`, {}, from);
    // Also the right one: who guesses does not learn that a guess was right.
    const refused = await send(`GET ${feedOf('tsv')}`, {}, from);
    expectEnvelope(refusal(refused), { status: 429, code: 'RATE_LIMITED' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send(`HEAD ${feedOf('tsv')}`)).status).toBe(200);
  });

  it('are limited for each network address', async () => {
    const ask = async () => (await send(`HEAD ${feedOf('tsv')}`, {}, '198.51.100.8')).status;
    const statuses: number[] = [];
    // Two a second come back while the test runs.
    while (statuses.length < 1000 && statuses.at(-1) !== 429) statuses.push(await ask());
    expect(statuses.pop()).toBe(429);
    expect(statuses.length).toBeGreaterThanOrEqual(120);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('get another token, which readers of settings do not see', async () => {
    const json = { 'content-type': 'application/json' };
    const as = (key: string) => ({ ...json, authorization: `Bearer ${key}` });
    const [writer, reader] = [
      await newKey(shop, 'settings.write', 'settings.read'),
      await newKey(shop, 'settings.read'),
    ];
    const settings = `/stores/${shop.store.id}/settings`;
    const tokenFor = async (key: string) => JSON.parse((await send(`GET ${settings}`, as(key))).text).item.feed.token;
    expect(await tokenFor(writer)).toBe(token);
    expect(await tokenFor(reader)).toBe(`••••••••••••${token.slice(-4)}`);
    const denied = await send(`POST ${settings}/rotate-feed-token`, as(reader));
    expectEnvelope(refusal(denied), { status: 403, code: 'FORBIDDEN' });
    const once = { ...as(writer), 'idempotency-key': 'rotate it once' };
    const rotated = await send(`POST ${settings}/rotate-feed-token`, once);
    expect(rotated.status).toBe(200);
    const next = JSON.parse(rotated.text).item.feed.token;
    expect(next).toMatch(/^[\w-]{43}$/);
    const repeated = await send(`POST ${settings}/rotate-feed-token`, once);
    expect(repeated.headers['idempotent-replayed']).toBe('true');
    expect(repeated.text).not.toContain(next);
    expect(JSON.parse(repeated.text).item).not.toHaveProperty('feed');
    expect((await send(`GET ${feedOf('tsv')}`)).status).toBe(404);
    token = next;
    expect((await send(`HEAD ${feedOf('tsv')}`)).status).toBe(200);
    const [entry] = (await listAuditLogs(shop, { action: 'settings.feed_token_rotated' })).items;
    expect(entry).toMatchObject({ actorType: 'apiKey', resourceType: 'store' });
  });

  it('has a report for keys that read products', async () => {
    const { id } = await newProduct(shop, { title: 'left out' });
    const key = await newKey(shop, 'product.read');
    const answer = await send(`GET /stores/${shop.store.id}/products/feed-report`, { authorization: `Bearer ${key}` });
    expect(JSON.parse(answer.text)).toMatchObject({
      items: [{ title: 'left out', isLeftOut: true, problems: [{ code: 'NO_IMAGE' }, { code: 'NO_BRAND' }, {}] }],
      after: null,
      totals: { published: 251, listed: 250, leftOut: 1 },
    });
    await deleteProduct(shop, id);
  });

  it('has a sitemap for anyone', async () => {
    const path = `/feeds/${shop.store.id}/sitemap.xml`;
    const answer = await send(`GET ${path}`, { 'accept-encoding': 'gzip' });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/xml; charset=utf-8',
      'cache-control': 'public, max-age=600',
      'content-encoding': 'gzip',
    });
    expect(gunzipSync(answer.body).toString()).toContain('<loc>https://shop.example/p/mug-249</loc>');
    const tag = String(answer.headers.etag);
    expect((await send(`GET ${path}`, { 'if-none-match': tag })).status).toBe(304);
    expect((await send(`HEAD ${path}`)).status).toBe(200);
    expect((await send(`GET /feeds/${shop.store.id}/sitemap-1.xml`)).status).toBe(404);
  });
});
