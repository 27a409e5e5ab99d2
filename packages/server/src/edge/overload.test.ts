import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Context, configureProvider } from '@commerce/core';
import { type CommerceServer, createServer, type OwnServerOptions, type RequestEntry } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { newKey } from '@commerce/test-support/harness/requests';
import { type Dialled, dial, parseAnswers } from '@commerce/test-support/harness/sockets';
import { openStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const accepted = ({ http }: CommerceServer) => promisify(http.getConnections.bind(http))();

// The effect of a socket does not depend on the database, so one database is enough.
describe('a server with much to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const address = join(folder, 'commerce.db');
  const commerce = useCommerce({ address, open: () => openStorage(address) });
  let shop: Context;
  let key: string;
  let products: string;
  beforeAll(async () => {
    shop = await newShop(commerce());
    key = await newKey(shop);
    products = `/stores/${shop.store.id}/products`;
    for (let i = 0; i < 20; i++) await newProduct(shop, { description: 'A mug. '.repeat(20) });
    await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_of_the_load' });
  });
  let server: CommerceServer;
  afterEach(() => server?.stop());
  async function start(options: OwnServerOptions = {}) {
    server = createServer(commerce(), options);
    const { port, url } = await server.listen({ port: 0 });
    const head = (line: string, more = '') =>
      `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`;
    return { port, url, head };
  }

  it('refuses at once what is above its limit, before it looks at the key, and says that it is there', async () => {
    const { url, port, head } = await start({ maxConcurrency: 3 });
    const paths = [...Array(8).fill(products), '/healthz', '/api/webhooks/stripe', '/readyz'];
    const clients = await Promise.all(paths.map(() => dial(port)));
    await until('all are accepted', async () => (await accepted(server)) === paths.length);
    // All in one turn of the event loop, so that none is answered before the last arrives.
    for (const [i, client] of clients.entries()) client.write(head(`GET ${paths[i]}`, 'Connection: close\r\n'));
    const answers = await Promise.all(clients.map(async (client) => parseAnswers(await client.received())[0]));
    const statuses = answers.map((answer) => answer?.status);
    expect(statuses).toEqual([200, 200, 200, 503, 503, 503, 503, 503, 200, 500, 503]);
    const refusal = answers[3];
    expect(JSON.parse(refusal?.body ?? '')).toMatchObject({ error: { code: 'UNAVAILABLE' } });
    expect(refusal?.headers['retry-after']).toBe('1');
    const afterwards = await fetch(url + products, { headers: { authorization: `Bearer ${key}` } });
    expect(afterwards.status).toBe(200);
  });

  it('tells once of an answer whose client left before its end', async () => {
    const told: RequestEntry[] = [];
    const { port, head } = await start({ onRequest: (entry) => told.push(entry) });
    const client = await dial(port);
    client.socket.pause();
    // More than the system buffers for a client that reads nothing.
    client.write(head('GET /docs/redoc.js').repeat(30));
    await until('some have left', () => told.length > 0);
    client.socket.resetAndDestroy();
    await until('the others are told of', () => told.some(({ aborted }) => aborted));
    await until('all connections are closed', async () => (await accepted(server)) === 0);
    expect(new Set(told.map(({ requestId }) => requestId)).size).toBe(told.length);
  });

  it('makes room for others at the expense of those that do not take their answers', async () => {
    const { url, port, head } = await start({ maxConcurrency: 3 });
    const clients = await Promise.all(Array.from({ length: 6 }, () => dial(port)));
    for (const { socket, write } of clients) {
      socket.pause();
      // More than the system buffers for a client that reads nothing.
      write(head('GET /docs/redoc.js').repeat(30));
    }
    const ask = async () => (await fetch(url + products, { headers: { authorization: `Bearer ${key}` } })).status;
    await until('what can be written is written', async () => (await ask()) === 200);
    for (let i = 0; i < 50; i++) expect(await ask()).toBe(200);
    for (const { socket } of clients) socket.destroy();
  });

  it('does not count those whose body is on its way, and refuses them when it comes too late', async () => {
    const { url, port, head } = await start({ maxConcurrency: 2 });
    const body = JSON.stringify({ title: 'Mug', slug: 'slow', price: '1' });
    const form = `Content-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n`;
    const slow = await Promise.all(Array.from({ length: 20 }, () => dial(port)));
    const receiver = await Promise.all(Array.from({ length: 20 }, () => dial(port)));
    for (const client of slow) client.write(head(`POST ${products}`, form) + body.slice(0, 5));
    for (const client of receiver) client.write(head('POST /api/webhooks/stripe', form));
    for (let i = 0; i < 5; i++) {
      expect((await fetch(url + products, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
    }
    slow[0]?.write(body.slice(5));
    expect(parseAnswers((await slow[0]?.received()) ?? '')[0]?.status).toBe(201);
    for (const client of [...slow, ...receiver]) client.socket.destroy();
  });

  it('closes connections above its limit, and takes new ones when others have gone', async () => {
    const { port, head } = await start({ maxConnections: 5, metrics: true });
    const open: Dialled[] = [];
    for (let i = 0; i < 5; i++) {
      const client = await dial(port);
      client.write(head('GET /healthz'));
      await until('it is answered', () => client.seen().includes('"ok"'));
      open.push(client);
    }
    expect(await (await dial(port)).received()).toBe('');
    open[0]?.write(head('GET /metrics'));
    await until('it is counted', () => /commerce_http_connections_dropped_total 1\n/.test(open[0]?.seen() ?? ''));
    open[1]?.socket.destroy();
    await open[1]?.received();
    await until('there is room', async () => {
      const client = await dial(port);
      client.write(head('GET /healthz', 'Connection: close\r\n'));
      return (await client.received()).includes('"ok"');
    });
    for (const client of open) client.socket.destroy();
  });

  it('does not wait for heads and bodies for ever', async () => {
    const { url, port, head } = await start();
    server.http.headersTimeout = 300;
    server.http.requestTimeout = 600;
    const form = 'Content-Type: application/json\r\nContent-Length: 50\r\n';
    const parts = ['', 'GET /hea', head(`POST ${products}`, form), `${head('POST /api/webhooks/stripe', form)}{`];
    const clients = await Promise.all(parts.map(() => dial(port)));
    for (const [i, client] of clients.entries()) client.write(parts[i] as string);
    const late = (text: string) => {
      const [answer] = parseAnswers(text);
      expect(answer).toMatchObject({ status: 408, headers: { connection: 'close' } });
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
    };
    for (const client of clients) late(await client.received());
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('compresses what is long for those who take it, and tells caches', async () => {
    const { port, head } = await start({ cors: ['https://shop.example'] });
    const ask = async (method: string, more: string) => {
      const client = await dial(port);
      client.write(head(`${method} ${products}`, `${more}Connection: close\r\n`));
      return parseAnswers(await client.received(), [method])[0];
    };
    const plain = await ask('GET', '');
    expect(plain?.headers).toMatchObject({ vary: 'Origin, Accept-Encoding' });
    expect(plain?.headers['content-encoding']).toBeUndefined();
    const compressed = await ask('GET', 'Accept-Encoding: deflate, gzip;q=0.9\r\n');
    expect(compressed?.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Origin, Accept-Encoding' });
    const bytes = Buffer.from(compressed?.body ?? '', 'latin1');
    expect(String(bytes.length)).toBe(compressed?.headers['content-length']);
    expect(bytes.length).toBeLessThan((plain?.body.length ?? 0) / 4);
    expect(gunzipSync(bytes).toString()).toBe(Buffer.from(plain?.body ?? '', 'latin1').toString());
    // The answer is kept by now, so it is worth a better form.
    const smaller = await ask('GET', 'Accept-Encoding: br, gzip;q=0.9\r\n');
    expect(smaller?.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Origin, Accept-Encoding' });
    const fewer = Buffer.from(smaller?.body ?? '', 'latin1');
    expect(fewer.length).toBeLessThan(bytes.length);
    expect(brotliDecompressSync(fewer).toString()).toBe(Buffer.from(plain?.body ?? '', 'latin1').toString());
    const headOnly = await ask('HEAD', 'Accept-Encoding: gzip\r\n');
    const withoutTimes = ({ date, 'x-request-id': id, ...headers }: Record<string, string>) => [!!date, !!id, headers];
    expect(withoutTimes(headOnly?.headers ?? {})).toEqual(withoutTimes(compressed?.headers ?? {}));
  });

  it('knows the compressed form of an item by the tag it gave it', async () => {
    const { url } = await start();
    const { id } = await newProduct(shop, { description: 'A mug. '.repeat(500) });
    const send = (init: RequestInit = {}) =>
      fetch(`${url}${products}/${id}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
      });
    const first = await send({ headers: { 'accept-encoding': 'gzip' } });
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[^"]+"$/);
    const plain = await send({ headers: { 'accept-encoding': 'identity' } });
    expect(`W/${plain.headers.get('etag')}`).toBe(etag);
    expect((await send({ headers: { 'if-none-match': etag } })).status).toBe(304);
    const change = (title: string) =>
      send({ method: 'PUT', body: JSON.stringify({ title }), headers: { 'if-match': etag } });
    expect([(await change('Cup')).status, (await change('Bowl')).status]).toEqual([200, 409]);
  });
});
