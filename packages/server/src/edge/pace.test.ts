import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Commerce, type Context, openCommerce } from '@commerce/core';
import { type CommerceServer, createServer, type OwnServerOptions } from '@commerce/server';
import { newShop } from '@commerce/test-support/fixtures/shop';
import { newKey } from '@commerce/test-support/harness/requests';
import { type Dialled, dial, parseAnswers } from '@commerce/test-support/harness/sockets';
import { openStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const file = `slug,title,price\n${Array.from({ length: 100 }, (_, i) => `p-${i},Mug ${i},1\n`).join('')}`;

// The behaviour of a socket does not depend on the database, so one database is enough.
describe('an upload that takes longer than a request may', () => {
  let folder: string;
  let commerce: Commerce;
  let server: CommerceServer;
  let shop: Context;
  let key: string;
  let client: Dialled;
  /** Requests that Node has reported as late. */
  let late: number;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
    commerce = await openCommerce({
      storage: openStorage(join(folder, 'commerce.db')),
      imports: { directory: join(folder, 'imports') },
    });
    shop = await newShop(commerce);
    key = await newKey(shop);
    late = 0;
  });
  afterEach(async () => {
    client.socket.destroy();
    await server.stop();
    await commerce.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Begins an upload, and waits until Node has reported it as late. */
  async function begin(
    uploadPace: NonNullable<OwnServerOptions['uploadPace']>,
    path = 'imports',
    type = 'text/csv',
  ): Promise<void> {
    server = createServer(commerce, { uploadPace });
    server.http.headersTimeout = 200;
    server.http.requestTimeout = 300;
    server.http.on('clientError', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') late++;
    });
    const { port } = await server.listen({ port: 0 });
    client = await dial(port);
    const lines = [
      `POST /stores/${shop.store.id}/${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      `Content-Type: ${type}`,
      `Content-Length: ${Buffer.byteLength(file)}`,
    ];
    client.write(`${lines.join('\r\n')}\r\n\r\n${file.slice(0, 1000)}`);
    await until('it is late', () => late > 0);
  }

  async function answer() {
    const [first] = parseAnswers(await client.received());
    return first;
  }

  it('is taken in while it comes steadily', async () => {
    await begin({ bytesPerSecond: 1 });
    for (const byte of file.slice(1000, 1020)) {
      client.write(byte);
      await wait(100);
    }
    expect(client.seen()).toBe('');
    client.write(file.slice(1020));
    await until('it is answered', () => client.seen().includes('"item"'));
    expect(parseAnswers(client.seen())[0]?.status).toBe(202);
    // The connection works like any other.
    client.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await until('it is answered, too', () => client.seen().includes('"ok"'));
  });

  it('is refused at once where it comes too slowly', async () => {
    await begin({ bytesPerSecond: 1_000_000 });
    expect(await answer()).toMatchObject({ status: 408, headers: { connection: 'close' } });
  });

  it('is refused as soon as it is behind, where it stalls later', async () => {
    await begin({ bytesPerSecond: 500 });
    expect(await answer()).toMatchObject({ status: 408, headers: { connection: 'close' } });
  });

  it('is refused after the longest time, however steadily it comes', async () => {
    await begin({ bytesPerSecond: 1, maxTime: 1500 });
    const writing = setInterval(() => client.write(' '), 50);
    const refused = await answer();
    clearInterval(writing);
    expect(refused).toMatchObject({ status: 408 });
  });

  it('is not what a body of JSON is', async () => {
    await begin({ bytesPerSecond: 1 }, 'products', 'application/json');
    expect(await answer()).toMatchObject({ status: 408 });
  });
});
