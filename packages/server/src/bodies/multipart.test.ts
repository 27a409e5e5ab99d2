import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, listMedia } from '@commerce/core';
import { type CommerceServer, createServer } from '@commerce/server';
import { form, formType, partHead } from '@commerce/test-support/fixtures/media-forms';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { folderPlace } from '@commerce/test-support/fixtures/media-places';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { snapshot } from '@commerce/test-support/harness/denied';
import { expectEnvelope, newKey, type Refusal } from '@commerce/test-support/harness/requests';
import { openStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const mebibyte = 1024 * 1024;

// The effect of a socket does not depend on the database, so one database is enough.
describe('uploads over a socket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const address = join(folder, 'commerce.db');
  const place = folderPlace();
  const commerce = useCommerce(
    { address, open: () => openStorage(address) },
    { media: { files: place.files(), url: '/media' } },
  );
  const told: unknown[] = [];
  let server: CommerceServer;
  let url: string;
  let port: number;
  let shop: Context;
  let key: string;
  let image: Buffer;
  beforeAll(async () => {
    server = createServer(commerce(), { onError: (error) => told.push(error) });
    ({ url, port } = await server.listen({ port: 0 }));
    shop = await newShop(commerce());
    key = await newKey(shop);
    image = await picture('png', { width: 300, height: 300, noise: true });
  });
  afterAll(() => server?.stop());
  afterEach(() => {
    expect(told.splice(0)).toEqual([]);
  });

  const path = () => `/stores/${shop.store.id}/media`;
  const headers = () => ({ authorization: `Bearer ${key}`, 'content-type': formType });
  const post = (body: RequestInit['body'], init: object = {}) =>
    fetch(url + path(), { method: 'POST', headers: headers(), ...(body ? { body } : {}), ...init });
  const chunked = (bytes: Buffer) => post(new Blob([bytes]).stream(), { duplex: 'half' });

  /** Refused: the answer, no row, no event, no file, and no remains of the received bytes. */
  async function refuses(send: () => Promise<Response>, refusal: Refusal): Promise<void> {
    const before = [await snapshot(commerce()), await place.kept(shop.store.id)];
    const answer = await send();
    expectEnvelope({ status: answer.status, json: await answer.json() }, refusal);
    expect(await place.staged()).toEqual([]);
    expect([await snapshot(commerce()), await place.kept(shop.store.id)]).toEqual(before);
  }

  /** A request whose body is written by hand. */
  async function dial(length: number | 'chunked'): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    const lines = [
      `POST ${path()} HTTP/1.1`,
      'Host: localhost',
      ...Object.entries(headers()).map(([name, value]) => `${name}: ${value}`),
      length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return socket;
  }

  async function answerOn(socket: Socket): Promise<{ status: number; json: unknown }> {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    await until('the answer is here', () => /\r\n\r\n.*\}$/s.test(text));
    const [top = '', body = ''] = text.split('\r\n\r\n');
    return { status: Number(top.split(' ')[1]), json: JSON.parse(body) };
  }

  it('take several large files, with a length and without one', async () => {
    const parts = Array.from({ length: 5 }, () => ({ content: Buffer.concat([image, Buffer.alloc(8 * mebibyte)]) }));
    for (const answer of [await post(form(...parts)), await chunked(form(...parts))]) {
      expect(answer.status).toBe(201);
      const { items } = (await answer.json()) as { items: { fileSize: number }[] };
      expect(items.map((item) => item.fileSize)).toEqual(parts.map((part) => part.content.length));
    }
  });

  it('take a form that comes byte by byte around its boundaries', async () => {
    const body = form({ content: image }, { content: image });
    const socket = await dial(body.length);
    socket.setNoDelay(true);
    const answer = answerOn(socket);
    const slow = new Set(
      [0, image.length, body.length - image.length].flatMap((at) => Array.from({ length: 200 }, (_, i) => at + i)),
    );
    let sent = 0;
    for (let i = 1; i <= body.length; i++) {
      if (!slow.has(i) && i < body.length) continue;
      socket.write(body.subarray(sent, i));
      sent = i;
      if (i % 20 === 0) await sleep(0);
    }
    expect((await answer).status).toBe(201);
    socket.destroy();
  });

  describe('of more than 50 MiB', () => {
    const tooLarge = { status: 413, code: 'PAYLOAD_TOO_LARGE', message: /at most 52428800 bytes/ };
    const large = () =>
      form(...Array.from({ length: 6 }, () => ({ content: Buffer.concat([image, Buffer.alloc(9 * mebibyte)]) })));

    it('are refused at once when they say so', async () => {
      await refuses(() => post(large()), tooLarge);
      const socket = await dial(50 * mebibyte + 1);
      expectEnvelope(await answerOn(socket), tooLarge);
      socket.destroy();
    });

    it('are refused when they turn out to be', async () => {
      await refuses(() => chunked(large()), tooLarge);
      // Also in a field that is not read.
      const field = form({ name: 'note', fileName: null, type: null, content: Buffer.alloc(51 * mebibyte) });
      await refuses(() => chunked(field), tooLarge);
      // And after the end of the form.
      await refuses(() => chunked(Buffer.concat([form({ content: image }), Buffer.alloc(51 * mebibyte)])), tooLarge);
    });

    it('are taken to the byte', async () => {
      const size = (tail: number) =>
        form(...Array.from({ length: 5 }, () => ({ content: image })), {
          name: 'note',
          fileName: null,
          type: null,
          content: Buffer.alloc(tail),
        });
      const room = 50 * mebibyte - size(0).length;
      expect((await post(size(room))).status).toBe(201);
      await refuses(() => chunked(size(room + 1)), tooLarge);
    });
  });

  it('answer a client that goes on sending what is not wanted any more', async () => {
    const eleven = form(...Array.from({ length: 11 }, () => ({ content: image })), {
      content: Buffer.alloc(30 * mebibyte),
    });
    const refusal = { status: 400, code: 'VALIDATION_ERROR', fields: ['files'], message: /at most 10 files/ };
    for (const send of [() => post(eleven), () => chunked(eleven)]) await refuses(send, refusal);
  });

  it('answer before a slow client has sent the rest', async () => {
    const socket = await dial(20 * mebibyte);
    for (let i = 0; i < 11; i++) for (const piece of partHead({ content: image })) socket.write(piece);
    expectEnvelope(await answerOn(socket), { status: 400, code: 'VALIDATION_ERROR', fields: ['files'] });
    socket.destroy();
    await until('nothing is staged', async () => (await place.staged()).length === 0);
  });

  it('that break off leave nothing: no row, no event, no file, nothing staged', async () => {
    const before = [await snapshot(commerce()), await place.kept(shop.store.id)];
    const body = form(
      { content: image },
      { content: Buffer.concat([image, Buffer.alloc(5 * mebibyte)]) },
      { content: image },
    );
    for (const length of [body.length, 'chunked'] as const) {
      for (const part of [0.01, 0.1, 0.5, 0.95, 0.999]) {
        const socket = await dial(length);
        const sent = body.subarray(0, Math.floor(body.length * part));
        if (length === 'chunked') socket.write(`${sent.length.toString(16)}\r\n`);
        await new Promise<void>((resolve) => socket.write(sent, () => resolve()));
        await until('some of it has arrived', async () => (await place.staged()).length > 0);
        socket.destroy();
        await until('nothing is staged', async () => (await place.staged()).length === 0);
      }
    }
    expect([await snapshot(commerce()), await place.kept(shop.store.id)]).toEqual(before);
    expect((await post(form({ content: image }))).status).toBe(201);
  });

  it('that break off before the first byte, or with a reset, leave nothing either', async () => {
    const { total } = await listMedia(shop);
    for (const body of [Buffer.alloc(0), form({ content: image }).subarray(0, 40)]) {
      const socket = await dial(10_000);
      await new Promise<void>((resolve) => socket.write(body, () => resolve()));
      socket.resetAndDestroy();
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await listMedia(shop)).total).toBe(total);
    await until('nothing is staged', async () => (await place.staged()).length === 0);
  });

  it('refuse a key without the scope before they read any of it', async () => {
    const reader = await newKey(shop, 'media.read');
    const init = { headers: { ...headers(), authorization: `Bearer ${reader}` } };
    await refuses(() => post(form({ content: Buffer.alloc(30 * mebibyte) }), init), {
      status: 403,
      code: 'FORBIDDEN',
    });
  });
});
