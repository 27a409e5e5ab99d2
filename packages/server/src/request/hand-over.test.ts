import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@commerce/test-support/harness/until';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppRequest, RequestFacts } from '../http.ts';
import { AbortedError } from './body.ts';
import { factsHeaders, HandOver } from './hand-over.ts';

describe('a request that is handed over', () => {
  let folder: string;
  let writer: Server;
  let handOver: HandOver;
  let respond: RequestListener;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'commerce-hand-over-'));
    writer = createServer((request, response) => respond(request, response));
    writer.listen(join(folder, 'socket'));
    await once(writer, 'listening');
    handOver = new HandOver(join(folder, 'socket'));
  });
  afterEach(async () => {
    handOver.close();
    writer.closeAllConnections();
    await new Promise((resolve) => writer.close(resolve));
    rmSync(folder, { recursive: true });
  });

  function call(request: Partial<AppRequest> = {}, facts: RequestFacts = { route: '' }) {
    const { headers = {}, openBody } = request;
    const whole: AppRequest = {
      ...{ method: 'POST', url: '/stores/a/products?x=%20', address: '192.0.2.7', headers },
      readBody: async () => Buffer.from('whole'),
      ...(openBody ? { openBody } : {}),
    };
    return { request: whole, requestId: 'its-id', path: '/stores/a/products', search: 'x=%20', isStrict: false, facts };
  }
  const readAll = async (request: IncomingMessage) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    return Buffer.concat(parts).toString();
  };
  const chunked = { 'transfer-encoding': 'chunked' };

  it('arrives whole, with the id and the address that the reader knows', async () => {
    let seen: [IncomingMessage, string] | undefined;
    respond = async (request, response) => {
      seen = [request, await readAll(request)];
      const facts = factsHeaders({ route: '/products', storeId: '€\n', keyPrefix: 'ck_live_abcd' });
      response.writeHead(201, { ETag: '"v"', 'X-Request-Id': 'another', Vary: 'Accept-Encoding', ...facts });
      response.end('{"item":{}}');
    };
    const facts: RequestFacts = { route: '' };
    const headers = {
      ...{ host: 'shop.example', authorization: 'Bearer key', 'content-length': '5', 'if-match': '"v", "w"' },
      ...{ connection: 'close', te: 'trailers', expect: '100-continue', 'accept-encoding': 'gzip' },
      ...{ 'x-request-id': 'made up', 'x-commerce-address': '10.0.0.1', 'x-forwarded-for': '10.0.0.2' },
    };
    const answer = await handOver.answer(call({ headers }, facts));
    expect(answer).toEqual({ status: 201, headers: { ETag: '"v"' }, body: '{"item":{}}' });
    expect(facts).toEqual({ route: '/products', storeId: '€\n', keyPrefix: 'ck_live_abcd' });
    const [request, body] = seen ?? [];
    expect([request?.method, request?.url, body]).toEqual(['POST', '/stores/a/products?x=%20', 'whole']);
    expect(request?.headers).toEqual({
      ...{ host: 'shop.example', authorization: 'Bearer key', 'content-length': '5', 'if-match': '"v", "w"' },
      ...{ 'x-request-id': 'its-id', 'x-commerce-address': '192.0.2.7', 'x-forwarded-for': '10.0.0.2' },
      connection: 'keep-alive',
    });
  });

  it('keeps its connection for the next one, and has none that has no body wait for it', async () => {
    const ports = new Set<unknown>();
    writer.on('connection', (socket) => ports.add(socket));
    respond = (_, response) => response.writeHead(204).end();
    for (let time = 0; time < 5; time++) expect(await handOver.answer(call())).toEqual({ status: 204, headers: {} });
    expect(ports.size).toBe(1);
  });

  it('is passed on no faster than it is read', async () => {
    let given = 0;
    const part = Buffer.alloc(64 * 1024, 'x');
    const openBody = async function* () {
      for (; given < 1000; given++) yield part;
    };
    let read = (): void => {};
    const asked = new Promise<void>((resolve) => {
      respond = async (request, response) => {
        resolve();
        await new Promise<void>((start) => {
          read = start;
        });
        response.end(String((await readAll(request)).length));
      };
    });
    const answer = handOver.answer(call({ headers: chunked, openBody }));
    await asked;
    let before = -1;
    await until('it waits', () => {
      const stands = before === given;
      before = given;
      return stands;
    });
    expect(given).toBeLessThan(100);
    read();
    expect((await answer).body).toBe(String(1000 * part.length));
  });

  it('is answered before the end of its body, whose rest is dropped', async () => {
    let isOver = false;
    const openBody = async function* () {
      for (let n = 0; n < 50; n++) {
        yield Buffer.alloc(64 * 1024);
        await new Promise((resolve) => setImmediate(resolve));
      }
      isOver = true;
    };
    respond = (_, response) => response.writeHead(413).end('{}');
    expect((await handOver.answer(call({ headers: chunked, openBody }))).status).toBe(413);
    await until('nothing is left of it', () => isOver);
  });

  it('is given up when the client leaves', async () => {
    const aborted = new Promise((resolve) => {
      respond = (request) => request.once('close', () => resolve(request.complete)).resume();
    });
    const openBody = async function* () {
      yield Buffer.from('half');
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new AbortedError('the client left');
    };
    await expect(handOver.answer(call({ headers: chunked, openBody }))).rejects.toThrow(AbortedError);
    expect(await aborted).toBe(false);
  });

  const lost = {
    kind: 'unavailable',
    message: expect.stringMatching(/^the answer was lost.*may have been made or not/),
  };
  it.each<[string, RequestListener]>([
    ['before its answer', (request) => request.socket.destroy()],
    ['in its answer', (request, response) => response.write('{"item":', () => request.socket.destroy())],
  ])('says that it may have been carried out where the writer ends %s', async (_, listener) => {
    respond = listener;
    await expect(handOver.answer(call({ headers: { 'content-length': '5' } }))).rejects.toMatchObject(lost);
  });

  it('says that nothing was changed where there is no writer', async () => {
    const nobody = new HandOver(join(folder, 'nobody'));
    const refused = { kind: 'unavailable', message: 'the service cannot change anything at present; try again' };
    await expect(nobody.answer(call())).rejects.toMatchObject(refused);
    await expect(nobody.answer(call({ headers: { 'content-length': '5' } }))).rejects.toMatchObject(refused);
    nobody.close();
  });
});
