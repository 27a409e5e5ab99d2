import type { Context } from '@commerce/core';
import { listProducts } from '@commerce/core';
import { type CommerceServer, createServer, type RequestEntry } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { newKey } from '@commerce/test-support/harness/requests';
import { dial, parseAnswers, type RawAnswer } from '@commerce/test-support/harness/sockets';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

// On both databases, because they accept different texts.
forEachStorage('hostile requests', (database) => {
  const commerce = useCommerce(database);
  const faults: unknown[] = [];
  const rejections: unknown[] = [];
  const entries: RequestEntry[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);
  let server: CommerceServer;
  let url: string;
  let port: number;
  let shop: Context;
  let key: string;
  let products: string;
  beforeAll(async () => {
    process.on('unhandledRejection', onRejection);
    server = createServer(commerce(), {
      onError: (error) => faults.push(error),
      onRequest: (entry) => entries.push(entry),
    });
    ({ url, port } = await server.listen({ port: 0 }));
    shop = await newShop(commerce());
    key = await newKey(shop);
    products = `/stores/${shop.store.id}/products`;
    await newProduct(shop);
  });
  afterAll(async () => {
    process.off('unhandledRejection', onRejection);
    await server?.stop();
  });
  /** The service still runs, created nothing, and had no internal error. */
  afterEach(async () => {
    const answer = await fetch(url + products, { headers: { authorization: `Bearer ${key}` } });
    expect([answer.status, ((await answer.json()) as { total: number }).total]).toEqual([200, 1]);
    expect(faults.splice(0)).toEqual([]);
    expect(rejections.splice(0)).toEqual([]);
    expect(entries.splice(0).filter(({ status }) => status >= 500)).toEqual([]);
    expect((await listProducts(shop)).total).toBe(1);
  });

  const auth = () => `Authorization: Bearer ${key}\r\n`;
  const json = 'Content-Type: application/json\r\n';
  const host = 'Host: localhost\r\n';
  const last = 'Connection: close\r\n';
  /** Writes bytes and returns the answers until the connection ends. */
  async function exchange(bytes: string | Buffer, expecting: string[] = []): Promise<RawAnswer[]> {
    const client = await dial(port);
    client.write(bytes);
    return parseAnswers(await client.received(), expecting);
  }
  const expectError = (answer: RawAnswer | undefined, status: number, code: string) => {
    expect(answer).toMatchObject({ status, headers: { 'content-type': 'application/json; charset=utf-8' } });
    expect(answer?.headers['x-request-id']).toMatch(/^[\w.:-]{1,128}$/);
    const { error } = JSON.parse(answer?.body ?? '') as { error: Record<string, unknown> };
    expect(error).toMatchObject({ code, message: expect.stringMatching(/./) });
  };
  const refused = async (bytes: string | Buffer, status = 400, code = 'VALIDATION_ERROR') => {
    const answers = await exchange(bytes);
    expect(answers).toHaveLength(1);
    expectError(answers[0], status, code);
    expect(answers[0]?.headers.connection).toBe('close');
  };

  describe('whose length is not clear', () => {
    const hidden = () => `POST ${products} HTTP/1.1\r\n${host}${auth()}${json}Content-Length: 2\r\n\r\n{}`;
    it.each([
      ['two lengths that differ', 'Content-Length: 4\r\nContent-Length: 5\r\n', '0\r\n\r\n'],
      ['two lengths that are the same', 'Content-Length: 4\r\nContent-Length: 4\r\n', '{  }'],
      ['a list of lengths', 'Content-Length: 4, 4\r\n', '{  }'],
      ['a negative length', 'Content-Length: -1\r\n', ''],
      ['a length with a sign', 'Content-Length: +4\r\n', '{  }'],
      ['a hexadecimal length', 'Content-Length: 0x4\r\n', '{  }'],
      ['a length beyond every number', 'Content-Length: 99999999999999999999\r\n', ''],
      ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
      ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', '0\r\n\r\n'],
      ['chunks that are not last', 'Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n'],
      ['a coding that looks like chunks', 'Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'],
      ['a space before the colon', 'Content-Length : 4\r\n', '{  }'],
      ['a tab before the colon', 'Transfer-Encoding\t: chunked\r\n', '0\r\n\r\n'],
    ])('are refused, and what follows is not taken for a request: %s', async (_, header, body) => {
      await refused(`POST ${products} HTTP/1.1\r\n${host}${auth()}${json}${header}\r\n${body}${hidden()}`);
    });
  });

  describe('in chunks', () => {
    const head = (more = last) =>
      `POST ${products} HTTP/1.1\r\n${host}${auth()}${json}${more}Transfer-Encoding: chunked\r\n\r\n`;
    it.each([
      ['no number', 'xyz\r\n{}\r\n0\r\n\r\n'],
      ['a negative one', '-2\r\n{}\r\n0\r\n\r\n'],
      ['with a prefix', '0x2\r\n{}\r\n0\r\n\r\n'],
      ['beyond every number', `${'f'.repeat(20)}\r\n{}\r\n`],
      ['smaller than the chunk', '1\r\n{}\r\n0\r\n\r\n'],
      ['ended by a bare line feed', '2\n{}\r\n0\r\n\r\n'],
    ])('whose size is wrong are refused: %s', async (_, body) => {
      await refused(head('') + body);
    });

    it('with extensions and trailers are read without them', async () => {
      const [answer, ...more] = await exchange(
        `${head()}2;name=value;flag\r\n{}\r\n0\r\nAuthorization: Bearer other\r\nX-Trailer: y\r\n\r\n`,
      );
      // Without a title: the body was parsed, and the key of the head was used.
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer?.body).toContain('"field":"title"');
      expect(more).toEqual([]);
    });

    it('with endless extensions are refused', async () => {
      await refused(`${head('')}2;${'x'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`, 413, 'PAYLOAD_TOO_LARGE');
    });
  });

  describe('whose host is not one', () => {
    it.each([
      ['two hosts', 'Host: localhost\r\nHost: shop.example\r\n'],
      ['the same host twice', 'Host: localhost\r\nhost: localhost\r\n'],
      ['none', 'Host:\r\n'],
      ['a list', 'Host: a, b\r\n'],
      ['a path', 'Host: localhost/admin\r\n'],
      ['a user', 'Host: user@localhost\r\n'],
      ['a blank', 'Host: local host\r\n'],
      ['a port that is none', 'Host: localhost:99999\r\n'],
      ['two ports', 'Host: localhost:1:2\r\n'],
      ['a broken address', 'Host: [::1\r\n'],
      ['an address that is none', 'Host: [12345::zz]\r\n'],
    ])('are refused: %s', async (_, headers) => {
      await refused(`GET ${products} HTTP/1.1\r\n${headers}${auth()}\r\n`);
    });

    it.each(['localhost', 'my_shop:3000', 'shop.example:', '127.0.0.1:8080', '[::1]:3000', 'SHOP.example.'])(
      'are taken where it is one: %s',
      async (name) => {
        const [answer] = await exchange(`GET ${products} HTTP/1.1\r\nHost: ${name}\r\n${auth()}${last}\r\n`);
        expect(answer?.status).toBe(200);
      },
    );
  });

  it('are answered with what no cache keeps and no browser takes for a page', async () => {
    const bytes = [`GET ${products} HTTP/1.1\r\n${host}${auth()}\r\n`, `GET /nothing HTTP/1.1\r\n${host}${last}\r\n`];
    const answers = [...(await exchange(bytes.join(''))), ...(await exchange('nonsense\r\n\r\n'))];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    }
  });

  describe('whose headers are odd', () => {
    const get = (headers: string, path = products) => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;
    it.each([
      ['a line that goes on in the next one', 'X-Folded: a\r\n b\r\n'],
      ['a bare line feed in a value', 'X-A: a\nX-B: b\r\n'],
      ['a bare carriage return', 'X-A: a\rX-B: b\r\n'],
      ['a null byte', 'X-A: a\0b\r\n'],
      ['a name with a space', 'X A: b\r\n'],
      ['no name', ': b\r\n'],
      ['no colon', 'nothing\r\n'],
    ])('are refused or read without harm: %s', async (_, header) => {
      const [answer, ...more] = await exchange(get(`${host}${auth()}${header}${last}`));
      expect(more).toEqual([]);
      if (answer?.status === 200) expect(JSON.parse(answer.body)).toMatchObject({ total: 1 });
      else expectError(answer, 400, 'VALIDATION_ERROR');
    });

    it.each([100, 1000, 2500])('are at most 100, not %i more', async (n) => {
      const many = Array.from({ length: n }, (_, i) => `a${i}:b\r\n`).join('');
      // Before the key, so that this part would be left out.
      const status = [431, 'PAYLOAD_TOO_LARGE'] as const;
      await refused(get(`${host}${many}${auth()}${last}`), ...status);
    });

    it('may be 100', async () => {
      const many = Array.from({ length: 97 }, (_, i) => `a${i}:b\r\n`).join('');
      expect((await exchange(get(`${host}${many}${auth()}${last}`)))[0]?.status).toBe(200);
    });

    it('are at most 16 KiB', async () => {
      await refused(get(`${host}${auth()}X-Long: ${'x'.repeat(20_000)}\r\n`), 431, 'PAYLOAD_TOO_LARGE');
      await refused(get(`${host}${auth()}`, `${products}?search=${'x'.repeat(65_536)}`), 431, 'PAYLOAD_TOO_LARGE');
    });

    it('have a host, except those of HTTP/1.0', async () => {
      await refused(get(auth()));
      const [old] = await exchange(`GET ${products} HTTP/1.0\r\n${auth()}\r\n`);
      expect([old?.status, old?.headers.connection]).toEqual([200, 'close']);
    });

    it('expect nothing but 100-continue', async () => {
      const post = (expectation: string) =>
        `POST ${products} HTTP/1.1\r\n${host}${auth()}${json}${last}Content-Length: 2\r\nExpect: ${expectation}\r\n\r\n`;
      const client = await dial(port);
      client.write(post('100-continue'));
      await until('the server says to go on', () => client.seen().includes('HTTP/1.1 100 Continue\r\n\r\n'));
      client.write('{}');
      expectError(parseAnswers(await client.received())[0], 400, 'VALIDATION_ERROR');
      await refused(`${post('something-else')}{}`, 417);
    });

    it('ask for another protocol and are answered in this one', async () => {
      const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n';
      const client = await dial(port);
      client.write(get(`${host}${auth()}${upgrade}`));
      await until('it is answered', () => client.seen().includes('"total":1'));
      client.socket.end();
      expect(parseAnswers(await client.received())[0]?.status).toBe(200);
      await refused('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    });
  });

  describe('whose first line is odd', () => {
    it.each([
      ['get in lower case', () => `get ${products} HTTP/1.1`],
      ['a made-up method', () => `MAKE ${products} HTTP/1.1`],
      ['a carriage return in the query', () => `GET ${products}?search=a\rb HTTP/1.1`],
      ['a line feed in the query', () => `GET ${products}?search=a\nb HTTP/1.1`],
      ['a split answer in the query', () => `GET ${products}?search=a\r\nSet-Cookie: b HTTP/1.1`],
      ['a null byte in the path', () => `GET ${products}/\0 HTTP/1.1`],
      ['no version', () => `GET ${products}`],
      ['a version that there is not', () => `GET ${products} HTTP/9.9`],
      ['another protocol', () => 'EHLO mail.example'],
      ['a TLS handshake', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ])('are refused: %s', async (_, line) => {
      await refused(Buffer.from(`${line()}\r\n${host}${auth()}\r\n`, 'latin1'));
    });

    it.each([
      ['/%00', 404],
      ['/a%00b', 404],
      ['?search=%00', 200],
      ['?search=a%00b', 200],
      ['?attr.color=%00', 200],
      ['/by-attributes?color=%00', 200],
      ['/by-attributes?%00=a', 200],
      ['?search=%0d%0aSet-Cookie:%20a', 200],
      ['?status=%00', 400],
      ['?categoryId=%00', 200],
      ['?limit=%00', 400],
      ['/%ff', 404],
      ['?search=%ff', 200],
      ['?search=%', 200],
      ['/%', 404],
      ['/..%2f..%2fetc%2fpasswd', 404],
      ['/../../../etc/passwd', 404],
      ['?__proto__=x&constructor=y', 200],
      ['?search=%ed%a0%80', 200],
    ])('hold escapes that harm nothing: %s', async (path, status) => {
      const [answer] = await exchange(`GET ${products}${path} HTTP/1.1\r\n${host}${auth()}${last}\r\n`);
      // An impossible value can be refused, or match nothing.
      expect([status, 400]).toContain(answer?.status);
      expect(answer?.headers['set-cookie']).toBeUndefined();
      expect(answer?.body).not.toMatch(/root:/);
    });

    it('name the whole address, as proxies send it', async () => {
      const [whole] = await exchange(`GET http://elsewhere.example${products} HTTP/1.1\r\n${host}${auth()}${last}\r\n`);
      expect([whole?.status, JSON.parse(whole?.body ?? '')]).toEqual([200, expect.objectContaining({ total: 1 })]);
    });

    it('ask about the whole server', async () => {
      const [options] = await exchange(`OPTIONS * HTTP/1.1\r\n${host}${last}\r\n`);
      expect([options?.status, options?.headers.allow]).toEqual([204, methods]);
      expectError((await exchange(`GET * HTTP/1.1\r\n${host}${last}\r\n`))[0], 404, 'NOT_FOUND');
    });

    it('want an echo or a tunnel and get neither', async () => {
      const trace = (path: string) =>
        exchange(`TRACE ${path} HTTP/1.1\r\n${host}${auth()}X-Secret: hunter2\r\n${last}\r\n`);
      const [onProducts] = await trace(products);
      expectError(onProducts, 405, 'METHOD_NOT_ALLOWED');
      expectError((await trace('/healthz'))[0], 405, 'METHOD_NOT_ALLOWED');
      expect(onProducts?.body).not.toContain('hunter2');
      await refused(`CONNECT 127.0.0.1:22 HTTP/1.1\r\n${host}\r\nSSH-2.0-x\r\n`, 405, 'METHOD_NOT_ALLOWED');
    });
  });

  describe('that follow each other', () => {
    const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${host}${auth()}${more}\r\n`;

    it('are answered in their order, however long each takes', async () => {
      const paths = Array.from(
        { length: 50 },
        (_, i) => [products, '/healthz', '/nothing', '/readyz'][i % 4] as string,
      );
      const requests = paths.map((path, i) => get(path, `X-Request-Id: r${i}\r\n${i === 49 ? last : ''}`));
      const answers = await exchange(requests.join(''));
      expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual(paths.map((_, i) => `r${i}`));
      const statuses = new Map([['/nothing', 404]]);
      expect(answers.map(({ status }) => status)).toEqual(paths.map((path) => statuses.get(path) ?? 200));
    });

    it('are answered although nonsense comes after them, which is refused last', async () => {
      const answers = await exchange(`${get(products)}${get('/readyz')}NONSENSE\r\n\r\n`);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
      expectError(answers[2], 400, 'VALIDATION_ERROR');
    });

    it('are answered although a broken body comes after them', async () => {
      const broken = `POST ${products} HTTP/1.1\r\n${host}${auth()}${json}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`;
      const answers = await exchange(`${get(products)}${broken}${get(products)}`);
      expect(answers.map(({ status }) => status)).toEqual([200, 400]);
      expectError(answers[1], 400, 'VALIDATION_ERROR');
    });

    it('come with bodies that are not read, and are kept apart', async () => {
      const body = get(products);
      const withBody = `GET /nothing HTTP/1.1\r\n${host}Content-Length: ${body.length}\r\n\r\n${body}`;
      const answers = await exchange(`${withBody}${get('/healthz', last)}`);
      expect(answers.map(({ status }) => status)).toEqual([404, 200]);
    });
  });

  describe('that are not finished', () => {
    it('are answered or cut off when the client has no more to say but still listens', async () => {
      const client = await dial(port);
      client.socket.end(`GET ${products} HTTP/1.1\r\n${host}${auth()}\r\n`);
      // A client that ends its side may have left. So an answer that is not ready yet is dropped.
      const statuses = parseAnswers(await client.received()).map(({ status }) => status);
      expect([[], [200]]).toContainEqual(statuses);
    });

    it.each(['', 'GET', 'GET /', `GET /healthz HTTP/1.1\r\n${host}`])('end after %j', async (part) => {
      const client = await dial(port);
      client.socket.end(part);
      const answers = parseAnswers(await client.received());
      for (const answer of answers) expectError(answer, 400, 'VALIDATION_ERROR');
    });

    it('have a broken body after they were taken in, and are told of once', async () => {
      const before = entries.length;
      const client = await dial(port);
      client.write(`POST ${products} HTTP/1.1\r\n${host}${auth()}${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{}`);
      await fetch(`${url}/healthz`);
      client.write('xyz\r\n');
      expectError(parseAnswers(await client.received())[0], 400, 'VALIDATION_ERROR');
      const told = () => entries.slice(before).filter(({ method }) => method !== 'GET');
      await until('it is told', () => told().length > 0);
      expect(told()).toMatchObject([{ method: 'POST', route: '/products', status: 400, aborted: false }]);
    });

    it('end in the middle of a body, with nothing done', async () => {
      for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
        const client = await dial(port);
        client.write(`POST ${products} HTTP/1.1\r\n${host}${auth()}${json}Content-Length: 500\r\n\r\n{"title":`);
        const before = entries.length;
        await fetch(`${url}/healthz`);
        client.socket[leave]();
        await client.received();
        const told = () => entries.slice(before).find(({ method }) => method === 'POST');
        await until('it is told', () => told() !== undefined);
        expect(told()).toMatchObject({ route: '/products', status: 499, aborted: true, storeId: shop.store.id });
      }
    });
  });

  it('are all told of, none with what they held', async () => {
    const before = entries.length;
    await exchange(`GET ${products}?search=hunter2 HTTP/1.1\r\n${host}${auth()}${last}X-Request-Id: mine\r\n\r\n`);
    await exchange(`GET /hunter2 HTTP/1.1\r\n${host}${last}\r\n`);
    await exchange('NONSENSE hunter2\r\n\r\n');
    await until('all are told', () => entries.length >= before + 3);
    const told = entries.slice(before);
    expect(told.map(({ route, status }) => [route, status])).toEqual([
      ['/products', 200],
      ['', 404],
      ['', 400],
    ]);
    expect(told[0]).toMatchObject({ method: 'GET', storeId: shop.store.id, requestId: 'mine', aborted: false });
    expect(told[0]?.keyPrefix).toBe(key.slice(0, 12));
    expect(JSON.stringify(told)).not.toContain('hunter2');
    expect(JSON.stringify(told)).not.toContain(key);
  });
});
