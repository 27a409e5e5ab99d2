import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Agent, get as httpGet } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, configureProvider, createOrder, getOrder, listProducts } from '@commerce/core';
import { signStripe, stripePaymentSucceeded } from '@commerce/core/testing';
import { type CommerceServer, createServer } from '@commerce/server';
import { eventTypesOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectEnvelope, newKey } from '@commerce/test-support/harness/requests';
import { openStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const mebibyte = 1024 * 1024;

// The effect of a socket does not depend on the database, so one database is enough.
describe('the server on a socket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const address = join(folder, 'commerce.db');
  const commerce = useCommerce({ address, open: () => openStorage(address) });
  const told: unknown[] = [];
  let server: CommerceServer;
  let url: string;
  let port: number;
  let shop: Context;
  let key: string;
  beforeAll(async () => {
    server = createServer(commerce(), { onError: (error) => told.push(error) });
    ({ url, port } = await server.listen({ port: 0 }));
    shop = await newShop(commerce());
    key = await newKey(shop);
  });
  afterAll(() => server?.stop());
  afterEach(() => {
    expect(told.splice(0)).toEqual([]);
  });

  const products = () => `/stores/${shop.store.id}/products`;
  const json = () => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
  const send = (method: string, path: string, init: RequestInit = {}) =>
    fetch(url + path, { method, headers: json(), ...init });
  let slugs = 0;
  const mug = () => JSON.stringify({ title: 'Mug', slug: `mug-${++slugs}`, price: '5' });
  const alive = async () => expect((await send('GET', products())).status).toBe(200);

  /** Nothing is created, and subscribers get nothing. */
  async function changesNothing<T>(work: () => Promise<T>): Promise<T> {
    const before = [(await listProducts(shop)).total, await eventTypesOf(shop)];
    const result = await work();
    expect([(await listProducts(shop)).total, await eventTypesOf(shop)]).toEqual(before);
    return result;
  }

  /** Opens a connection to write to by hand. */
  async function dial(): Promise<{ socket: Socket; write(text: string | Buffer): void; received(): Promise<string> }> {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    // Here a reset counts as a normal end; only the bytes that arrived before matter.
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => {});
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    return {
      socket,
      write: (bytes) => void socket.write(bytes),
      async received() {
        await closed;
        return text;
      },
    };
  }

  const head = (line: string, headers: Record<string, string | number>) =>
    `${[
      `${line} HTTP/1.1`,
      'Host: localhost',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ].join('\r\n')}\r\n\r\n`;

  const parsed = (text: string) => {
    const [top = '', body = ''] = text.split('\r\n\r\n');
    return { status: Number(top.split(' ')[1]), top, json: JSON.parse(body) as unknown };
  };

  describe('bodies that are too large', () => {
    const tooLarge = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
    const body = Buffer.alloc(2 * mebibyte, ' ');
    const targets = (): [string, Record<string, string>][] => [
      [products(), json()],
      [`/api/webhooks/stripe/${shop.store.id}`, {}],
      ['/api/webhooks/stripe', {}],
    ];

    it('reach a client that goes on sending far more than fits on the way', async () => {
      const long = Buffer.alloc(24 * mebibyte, ' ');
      for (let i = 0; i < 4; i++) {
        for (const init of [{ body: long }, { body: new Blob([long]).stream(), duplex: 'half' }] as RequestInit[]) {
          const answer = await send('POST', products(), init);
          expectEnvelope({ status: answer.status, json: await answer.json() }, tooLarge);
        }
      }
    });

    it('reach the client as 413 when the length is announced', async () => {
      await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_of_the_socket' });
      for (const [path, headers] of targets()) {
        await changesNothing(async () => {
          const answer = await fetch(url + path, { method: 'POST', headers, body });
          expectEnvelope({ status: answer.status, json: await answer.json() }, tooLarge);
        });
      }
    });

    it('reach the client as 413 when the length is not announced', async () => {
      for (const [path, headers] of targets()) {
        await changesNothing(async () => {
          const stream = new Blob([body]).stream();
          const init = { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit;
          const answer = await fetch(url + path, init);
          expectEnvelope({ status: answer.status, json: await answer.json() }, tooLarge);
        });
      }
    });

    it('reach a client that writes everything before it reads', async () => {
      for (const headers of [{ 'Content-Length': body.length }, { 'Transfer-Encoding': 'chunked' }]) {
        const client = await dial();
        client.socket.pause();
        client.write(head(`POST ${products()}`, { ...json(), ...headers }));
        client.write('Transfer-Encoding' in headers ? `${body.length.toString(16)}\r\n` : '');
        await new Promise<void>((resolve) => client.socket.write(body, () => resolve()));
        client.socket.resume();
        expectEnvelope(parsed(await client.received()), tooLarge);
      }
    });

    it('end the connection of a client that would go on for ever', async () => {
      const client = await dial();
      client.write(head(`POST ${products()}`, { ...json(), 'Transfer-Encoding': 'chunked' }));
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const flood = () => {
        if (client.socket.destroyed) return;
        client.socket.write(`${chunk.length.toString(16)}\r\n`);
        client.socket.write(chunk);
        client.socket.write('\r\n', () => setImmediate(flood));
      };
      flood();
      expectEnvelope(parsed(await client.received()), tooLarge);
      await alive();
    });

    it('are refused when they are announced and never come', async () => {
      const client = await dial();
      client.write(head(`POST ${products()}`, { ...json(), 'Content-Length': 5 * mebibyte }));
      expectEnvelope(parsed(await client.received()), tooLarge);
    });

    it('begin one byte above 1 MiB', async () => {
      const padded = (size: number) => mug().padEnd(size, ' ');
      expect((await send('POST', products(), { body: padded(mebibyte) })).status).toBe(201);
      const stream = new Blob([padded(mebibyte)]).stream();
      expect((await send('POST', products(), { body: stream, duplex: 'half' } as RequestInit)).status).toBe(201);
      expect((await send('POST', products(), { body: padded(mebibyte + 1) })).status).toBe(413);
    });
  });

  describe('bodies that are not what they should be', () => {
    const rows: [string, Buffer | string, Record<string, string>, number, string][] = [
      ['bad JSON', '{"title":', {}, 400, 'VALIDATION_ERROR'],
      ['no body', '', {}, 400, 'VALIDATION_ERROR'],
      ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), {}, 400, 'VALIDATION_ERROR'],
      ['another type', '{}', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['a compressed body', Buffer.from([0x1f, 0x8b, 8, 0]), { 'content-encoding': 'gzip' }, 400, 'VALIDATION_ERROR'],
    ];
    it.each(rows)('%s', async (_, body, headers, status, code) => {
      const answer = await changesNothing(() => send('POST', products(), { body, headers: { ...json(), ...headers } }));
      const fields = status === 400 ? ['body'] : [];
      expectEnvelope({ status: answer.status, json: await answer.json() }, { status, code, fields });
    });

    it('a missing type', async () => {
      const client = await dial();
      const body = mug();
      client.write(
        head(`POST ${products()}`, {
          Authorization: `Bearer ${key}`,
          'Content-Length': body.length,
          Connection: 'close',
        }) + body,
      );
      expectEnvelope(parsed(await client.received()), { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    });
  });

  describe('clients that misbehave', () => {
    it('leave in the middle of a body, with an announced length or in chunks, and nothing happens', async () => {
      await changesNothing(async () => {
        for (const [headers, part] of [
          [{ 'Content-Length': 500 }, mug()],
          [{ 'Transfer-Encoding': 'chunked' }, `10\r\n${mug().slice(0, 16)}\r\n`],
        ] as const) {
          for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
            const client = await dial();
            client.write(head(`POST ${products()}`, { ...json(), ...headers }));
            client.write(part);
            // After it has answered another request, the server has received this one.
            await alive();
            client.socket[leave]();
            await client.received();
          }
        }
      });
      await alive();
    });

    it('leave in the middle of a notification', async () => {
      const client = await dial();
      client.write(head(`POST /api/webhooks/stripe/${shop.store.id}`, { 'Content-Length': 500 }));
      client.write('{"id":');
      await alive();
      client.socket.destroy();
      await client.received();
      await alive();
    });

    it('leave before the answer', async () => {
      for (let i = 0; i < 20; i++) {
        const client = await dial();
        client.write(head(`GET ${products()}?limit=200`, json()));
        client.socket.destroy();
      }
      await alive();
    });

    it('send a body piece by piece and are waited for, while others are answered', async () => {
      const client = await dial();
      const body = mug();
      client.write(head(`POST ${products()}`, { ...json(), 'Content-Length': body.length, Connection: 'close' }));
      for (const letter of body) {
        client.write(letter);
        if (letter === ',') await alive();
      }
      expect(parsed(await client.received())).toMatchObject({ status: 201, json: { item: { title: 'Mug' } } });
    });

    it.each(['NONSENSE\r\n\r\n', `GET ${'/x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, '\u0000\u0001\u0002\r\n\r\n'])(
      'speak no HTTP',
      async (text) => {
        const client = await dial();
        client.write(text);
        expect(await client.received()).toMatch(/^HTTP\/1\.1 4\d\d /);
        await alive();
      },
    );

    it('announce two lengths, and no second request slips in behind the first', async () => {
      const before = (await listProducts(shop)).total;
      const client = await dial();
      const hidden = head(`POST ${products()}`, { ...json(), 'Content-Length': 2 });
      client.write(
        head(`POST ${products()}`, { ...json(), 'Content-Length': 4, 'Transfer-Encoding': 'chunked' }) +
          `0\r\n\r\n${hidden}`,
      );
      expect(await client.received()).toMatch(/^HTTP\/1\.1 400 /);
      expect((await listProducts(shop)).total).toBe(before);
    });
  });

  describe('answers', () => {
    it('say JSON and its length, and nothing with 204', async () => {
      const made = await send('POST', products(), { body: mug() });
      expect(made.status).toBe(201);
      expect(made.headers.get('content-type')).toBe('application/json; charset=utf-8');
      const text = await made.text();
      expect(made.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
      const { item } = JSON.parse(text) as { item: { id: string } };
      const patched = await send('PATCH', `${products()}/${item.id}`, { body: '{"title":"Tasse für Käse"}' });
      expect(await patched.json()).toMatchObject({ item: { title: 'Tasse für Käse' } });
      const gone = await send('DELETE', `${products()}/${item.id}`);
      expect([gone.status, await gone.text(), gone.headers.get('content-type')]).toEqual([204, '', null]);
    });

    it('to HEAD are those to GET without the body, and the connection goes on', async () => {
      const { id } = await newProduct(shop);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ask = (method: string, path: string) =>
        new Promise<{ status: number | undefined; headers: Record<string, unknown>; text: string }>(
          (resolve, reject) => {
            httpGet(url + path, { method, headers: json(), agent }, (response) => {
              let text = '';
              response.on('data', (chunk) => {
                text += chunk;
              });
              response.on('end', () => {
                const { date, 'x-request-id': requestId, ...headers } = response.headers;
                expect([date, requestId]).toEqual([expect.any(String), expect.any(String)]);
                resolve({ status: response.statusCode, headers, text });
              });
            }).on('error', reject);
          },
        );
      for (const path of [products(), `${products()}/${id}`, `${products()}/x`, '/healthz', '/readyz', '/nothing']) {
        const get = await ask('GET', path);
        expect(get.text).not.toBe('');
        expect(await ask('HEAD', path)).toEqual({ ...get, text: '' });
      }
      agent.destroy();
    });

    it.each([
      ['GET', '/nothing', 404, 'NOT_FOUND', {}],
      ['POST', '/healthz', 405, 'METHOD_NOT_ALLOWED', { allow: 'GET, HEAD' }],
      ['GET', '/stores/x/products', 403, 'FORBIDDEN', {}],
    ])('to %s %s are errors in the envelope', async (method, path, status, code, headers) => {
      const answer = await send(method, path);
      expectEnvelope({ status: answer.status, json: await answer.json() }, { status, code });
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value);
    });

    it('challenge whoever comes without a key', async () => {
      const answer = await changesNothing(() => fetch(url + products(), { method: 'POST', body: mug() }));
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expectEnvelope({ status: answer.status, json: await answer.json() }, { status: 401, code: 'UNAUTHORIZED' });
    });

    it('carry a request id: the given one where it is well-formed, else a new one', async () => {
      const idOf = async (given?: string, path = products()) => {
        const headers = { ...json(), ...(given === undefined ? {} : { 'x-request-id': given }) };
        return (await send('GET', path, { headers })).headers.get('x-request-id');
      };
      for (const good of ['a', 'req_1.2:3-4', 'x'.repeat(128)]) expect(await idOf(good)).toBe(good);
      expect(await idOf('kept', '/nothing')).toBe('kept');
      expect(await idOf('kept', '/healthz')).toBe('kept');
      const made = new Set<string | null>();
      for (const bad of [
        undefined,
        '',
        'two words',
        '<script>',
        'ümlaut',
        'x'.repeat(129),
        'a,b',
        `ck_live_${'a'.repeat(43)}`,
      ]) {
        const id = await idOf(bad);
        expect(id).toMatch(/^[\w-]{36}$/);
        made.add(id);
      }
      expect(made.size).toBe(8);
    });

    it('to a notification say that it was received', async () => {
      const secret = 'whsec_of_the_socket';
      await configureProvider(shop, 'stripe', { webhookSecret: secret });
      const product = await newProduct(shop, { price: '10' });
      const { id } = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
      const event = stripePaymentSucceeded({ orderId: id, amount: 1000, metadata: { note: 'für Käse 🧀' } });
      const { body, headers } = signStripe(event, secret, Date.now());
      const answer = await fetch(`${url}/api/webhooks/stripe/${shop.store.id}`, {
        method: 'POST',
        headers: headers as Record<string, string>,
        body,
      });
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ received: true })]);
      expect((await getOrder(shop, id)).status).toBe('paid');
    });
  });

  describe('a stop', () => {
    async function openServer() {
      const other = createServer(commerce());
      const listening = await other.listen({ port: 0 });
      return { other, ...listening };
    }

    it('lets the request under way finish, answers what comes on open connections once more, and then ends', async () => {
      const { other, port, url } = await openServer();
      const body = mug();
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.write(head(`POST ${products()}`, { ...json(), 'Content-Length': body.length }) + body.slice(0, 10));
      // Answered after the half request was received, on a connection that stays open.
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      let connection: string | undefined;
      const statusOf = () =>
        new Promise<number | string | undefined>((resolve) => {
          httpGet(url + products(), { headers: json(), agent }, (response) => {
            connection = response.headers.connection;
            response.resume().on('end', () => resolve(response.statusCode));
          }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
        });
      expect(await statusOf()).toBe(200);

      const stopped = other.stop();
      expect([await statusOf(), connection]).toEqual([200, 'close']);
      expect(await statusOf()).toBe('ECONNREFUSED');
      socket.write(body.slice(10));
      await stopped;
      await closed;
      expect(parsed(text)).toMatchObject({ status: 201, json: { item: { title: 'Mug' } } });
      expect(await statusOf()).toBe('ECONNREFUSED');
      agent.destroy();
    });

    it('does not wait for connections that are only kept open, and may be asked for twice', async () => {
      const { other, port } = await openServer();
      const idle = connect(port, '127.0.0.1');
      const closed = new Promise<void>((resolve) => idle.once('close', () => resolve()));
      idle.write(head('GET /healthz', {}));
      await new Promise<void>((resolve) => idle.once('data', () => resolve()));
      await Promise.all([other.stop(), other.stop()]);
      await closed;
    });

    // Within less than the time that a stop grants to running requests.
    it('does not wait for a connection that has never sent anything', { timeout: 10_000 }, async () => {
      const { other, port } = await openServer();
      const silent = connect(port, '127.0.0.1');
      const closed = new Promise<void>((resolve) => silent.once('close', () => resolve()));
      await new Promise<void>((resolve) => silent.once('connect', () => resolve()));
      // After it has answered another request, the server knows the connection.
      const agent = new Agent();
      await new Promise<void>((resolve) => {
        httpGet(`http://127.0.0.1:${port}/healthz`, { agent }, (response) =>
          response.resume().on('end', () => resolve()),
        );
      });
      await other.stop();
      await closed;
    });

    it('resets none of twenty clients that are busy on connections they keep', async () => {
      const { other, url } = await openServer();
      const answers: number[] = [];
      const errors: string[] = [];
      const clients = Array.from({ length: 20 }, async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const next = () =>
          new Promise<string | undefined>((resolve) => {
            httpGet(url + products(), { headers: json(), agent }, (response) => {
              answers.push(response.statusCode ?? 0);
              response.resume().on('end', () => resolve(undefined));
            }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
          });
        let error: string | undefined;
        while (error === undefined) error = await next();
        errors.push(error);
        agent.destroy();
      });
      await until('all of them are busy', () => answers.length > 200);
      await other.stop();
      await Promise.all(clients);
      // Each was told to leave, and its next connection was refused.
      expect(errors).toEqual(Array(20).fill('ECONNREFUSED'));
      expect(new Set(answers)).toEqual(new Set([200]));
    });

    it('leaves the commerce it served usable', async () => {
      const { other } = await openServer();
      await other.stop();
      await alive();
    });
  });

  it('says so when the port is taken', async () => {
    const second = createServer(commerce());
    await expect(second.listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await second.stop();
  });
});
