import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, initShop } from '@commerce/test-support/fixtures/served-shop';
import { inParallel, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Each needs a descriptor here and one in the server; most systems allow more than twice as many per process. */
const slowClients = 2000;

describe('slow clients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  const address = join(folder, 'commerce.db');
  let server: RunningServer;
  let shop: { storeId: string; key: string };
  const sockets: Socket[] = [];
  beforeAll(async () => {
    shop = await initShop(address);
    server = await startServer(address, ['--metrics', '--log', 'json']);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await server?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it('do not keep others from being served, however many there are', async () => {
    const { port } = new URL(server.url);
    // A body without authentication, a body with a key, a head, and nothing at all.
    const beginnings = [
      'POST /api/webhooks/stripe HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n',
      `POST /stores/${shop.storeId}/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shop.key}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ',
      '',
    ];
    let connected = 0;
    let failed = 0;
    for (let i = 0; i < slowClients; i++) {
      const socket = connect(Number(port), '127.0.0.1', () => {
        connected++;
        socket.write(beginnings[i % beginnings.length] as string);
      });
      socket.on('error', () => failed++);
      sockets.push(socket);
    }
    await until('all are connected', () => connected + failed >= slowClients);
    expect(failed).toBe(0);
    let turn = 0;
    const dripping = setInterval(() => {
      for (let i = turn++ % 10; i < sockets.length; i += 10) if (i % 4 !== 3) sockets[i]?.write(' ');
    }, 50);
    const ask = client(server.url, shop);
    const statuses = await inParallel(Array.from({ length: 1000 }), 20, async (_, i) => {
      if (i % 10 > 0) return (await ask('GET', '/products')).status;
      return (await ask('POST', '/products', { title: 'Mug', slug: `mug-${i}`, price: '5' })).status;
    });
    clearInterval(dripping);
    expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
    expect(statuses.filter((status) => status === 201)).toHaveLength(100);
    expect(sockets.filter((socket) => !socket.destroyed).length).toBeGreaterThan(slowClients / 2);

    // The metrics show them as well.
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/^commerce_http_requests_in_flight 1$/m);
    expect(metrics).toMatch(/^commerce_http_requests_total\{method="POST",route="\/products",status="201"\} 100$/m);
    for (const socket of sockets) socket.destroy();
    await until('all that left are told', () => server.stderr().split('"aborted":true').length > 900);
    const lines = server
      .stderr()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const made = lines.filter(({ method, status }) => method === 'POST' && status === 201);
    expect(made).toHaveLength(100);
    expect(made[0]).toMatchObject({
      level: 'info',
      route: '/products',
      storeId: shop.storeId,
      key: shop.key.slice(0, 12),
    });
    expect(server.stderr()).not.toContain(shop.key);
    expect(await server.stop()).toBe(0);
  });
});
