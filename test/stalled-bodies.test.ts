import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { client, initShop, sendStripe } from '@commerce/test-support/fixtures/served-shop';
import { type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { type Dialled, dial, parseAnswers } from '@commerce/test-support/harness/sockets';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const mebibyte = 1024 * 1024;
/** A body of one mebibyte without its last byte. */
const stalled = Buffer.alloc(mebibyte - 1, ' ');

describe('bodies of those who have no key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  let server: RunningServer;
  let shop: { storeId: string; key: string };
  const clients: Dialled[] = [];
  beforeAll(async () => {
    const address = join(folder, 'commerce.db');
    shop = await initShop(address);
    server = await startServer(address, ['--metrics']);
    await sendStripe(server.url, { id: 'evt_1', type: 'balance.available', data: { object: {} } });
  });
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    await until('they are gone', async () => (await metric('commerce_http_connections')) <= 3);
  });
  afterAll(async () => {
    await server?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  }

  /** Sends requests with unfinished bodies. */
  async function stall(path: string, count: number): Promise<void> {
    const { port } = new URL(server.url);
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${mebibyte}\r\n\r\n`;
    for (let i = 0; i < count; i++) {
      const one = await dial(Number(port));
      one.write(head);
      one.write(stalled);
      clients.push(one);
    }
  }

  it.each([
    ['a provider that there is not', () => '/api/webhooks/nobody', 404],
    ['a provider that is not set up', () => '/api/webhooks/square', 400],
    ['a provider that is not set up in the store', () => `/api/webhooks/paypal/${shop.storeId}`, 400],
    ['a store that there is not', () => `/api/webhooks/stripe/${randomUUID()}`, 404],
  ])('are not read for %s: the answer comes before the body has', async (_, path, status) => {
    await stall(path(), 1);
    await until('it is answered', () => clients[0]?.seen().includes('\r\n\r\n') === true);
    const [answer] = parseAnswers((await clients[0]?.received()) ?? '');
    expect(answer).toMatchObject({ status, headers: { connection: 'close' } });
  });

  it('hold so much together and no more, and a notification comes through', async () => {
    const ask = client(server.url, shop);
    const before = await metric('process_resident_memory_bytes');
    let most = 0;
    for (let i = 0; i < 6; i++) {
      await stall('/api/webhooks/stripe', 50);
      const event = { id: `evt_of_the_stall_${i}`, type: 'balance.available', data: { object: {} } };
      expect((await sendStripe(server.url, event)).status).toBe(200);
      expect((await ask('POST', '/products', { title: 'Mug', slug: `m-${i}`, price: '1' })).status).toBe(201);
      most = Math.max(most, await metric('process_resident_memory_bytes'));
      await wait(50);
    }
    expect((most - before) / mebibyte).toBeLessThan(160);
    // Displaced clients get a status after which a provider sends again.
    await until('the oldest are answered', () => clients[0]?.seen().startsWith('HTTP/1.1 500 ') === true);
  });
});
