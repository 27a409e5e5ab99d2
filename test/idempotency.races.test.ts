import { connect } from 'node:net';
import { type Commerce, getOrder, listProducts, openCommerce } from '@commerce/core';
import { stripeSample } from '@commerce/test-support/fixtures/samples';
import { initShop, sendStripe } from '@commerce/test-support/fixtures/served-shop';
import { inParallel, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterEach, beforeAll, expect, it } from 'vitest';

forEachStorage('copies of one request', (database) => {
  const servers: RunningServer[] = [];
  let shop: { storeId: string; key: string };
  beforeAll(async () => {
    shop = await initShop(database.address);
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  const inCore = async <T>(work: (commerce: Commerce) => Promise<T>): Promise<T> => {
    const commerce = await openCommerce({ storage: database.open() });
    try {
      return await work(commerce);
    } finally {
      await commerce.close();
    }
  };
  const withSlug = (slug: string) =>
    inCore(async (commerce) => (await listProducts(await commerce.store(shop.storeId), { slug })).total);

  const post = async (server: RunningServer, path: string, once: string, body: unknown) => {
    const response = await fetch(`${server.url}/stores/${shop.storeId}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json', 'idempotency-key': once },
      body: JSON.stringify(body),
    });
    const replayed = response.headers.get('idempotent-replayed') === 'true';
    return { status: response.status, text: await response.text(), replayed };
  };

  it('make one thing and get 50 equal answers, over two servers', async () => {
    for (let i = 0; i < 2; i++) servers.push(await startServer(database.address, ['--orders-api']));
    const copies = (path: string, once: string, body: unknown) =>
      inParallel(Array.from({ length: 50 }), 50, (_, i) => post(servers[i % 2] as RunningServer, path, once, body));
    for (let round = 0; round < 10; round++) {
      const slug = `copy-${round}`;
      const answers = await copies('/products', slug, { title: 'Mug', slug, price: '10' });
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(await withSlug(slug)).toBe(1);
    }
    // Money: one order and one partial refund of it, although none of the copies names a refundId.
    const product = JSON.parse(
      (await post(servers[0] as RunningServer, '/products', 'p', { title: 'M', slug: 'm', price: '10' })).text,
    );
    const orders = await copies('/orders', 'one', { items: [{ productId: product.item.id, quantity: 1 }] });
    expect(new Set(orders.map(({ text }) => text)).size).toBe(1);
    const { id } = JSON.parse(orders[0]?.text ?? '').item;
    const paid = await sendStripe(
      (servers[1] as RunningServer).url,
      stripeSample('payment_intent.succeeded', { id, amount: 1000 }),
    );
    expect(paid.body).toMatchObject({ outcome: 'paid' });
    const refunds = await copies(`/orders/${id}/refund`, 'back', { amount: '1.50' });
    expect(refunds.map(({ status }) => status)).toEqual(refunds.map(() => 200));
    expect(new Set(refunds.map(({ text }) => text)).size).toBe(1);
    const order = await inCore(async (commerce) => getOrder(await commerce.store(shop.storeId), id));
    expect(order).toMatchObject({ refundedAmount: '1.50', paymentStatus: 'partially_refunded' });
  });

  it('without a key make as many as there are: what the key is for', async () => {
    servers.push(await startServer(database.address, ['--orders-api']));
    const { url } = servers[0] as RunningServer;
    const body = JSON.stringify({ name: 'n', scopes: ['product.read'] });
    const headers = { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json' };
    const answers = await inParallel(Array.from({ length: 5 }), 5, async () =>
      (await fetch(`${url}/stores/${shop.storeId}/api-keys`, { method: 'POST', headers, body })).text(),
    );
    expect(new Set(answers).size).toBe(5);
  });

  it('after a kill between commit and answer, get the first answer', async () => {
    for (let round = 0; round < 8; round++) {
      const server = await startServer(database.address);
      const slug = `killed-${round}`;
      const body = JSON.stringify({ title: 'Mug', slug, price: '10' });
      const { hostname, port } = new URL(server.url);
      // A client that never reads, so the server's remaining answer is lost.
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('error', () => {});
      socket.pause();
      socket.write(
        `POST /stores/${shop.storeId}/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shop.key}\r\n` +
          `Content-Type: application/json\r\nIdempotency-Key: ${slug}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await until('the product is committed', async () => (await withSlug(slug)) === 1);
      await server.kill();
      socket.destroy();
      const next = await startServer(database.address);
      servers.push(next);
      const answers = [
        await post(next, '/products', slug, JSON.parse(body)),
        await post(next, '/products', slug, JSON.parse(body)),
      ];
      expect(answers).toEqual([answers[0], answers[0]]);
      expect(answers[0]).toMatchObject({ status: 201, replayed: true });
      const made = await inCore(async (commerce) => listProducts(await commerce.store(shop.storeId), { slug }));
      expect({ item: made.items[0] }).toEqual(JSON.parse(answers[0]?.text ?? ''));
      expect(made.total).toBe(1);
      await Promise.all(servers.splice(0).map((running) => running.stop()));
    }
  });
});
