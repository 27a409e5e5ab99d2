import { createOrder, createProduct, listInvoices, openCommerce, updateSettings } from '@commerce/core';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import { inParallel, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';

const kills = repeats({ suite: 3, nightly: 30 });
const perRound = 16;
const writers = 8;

forEachStorage('invoices of servers that are killed', (database, dialect) => {
  it(`have numbers without gaps or repeats, under ${writers} writers and over ${kills} kills`, {
    timeout: 60_000 + kills * 30_000,
  }, async () => {
    const { storeId, key } = await initShop(database.address);
    const setUp = await openCommerce({ storage: database.open() });
    const ctx = await setUp.store(storeId);
    const seller = { name: 'Tea & Co', address: '12 St James Square', email: 'hello@shop.test' };
    await updateSettings(ctx, { seller, manualPayments: true, invoices: { enabled: true } });
    const mug = await createProduct(ctx, { title: 'Mug', slug: 'mug', price: '10', status: 'published' });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const post = (server: RunningServer, path: string, body: object) =>
      fetch(`${server.url}/stores/${storeId}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }).then(
        ({ status }) => status,
        () => 0,
      );
    let paid = 0;
    // Two servers write to PostgreSQL; SQLite has one.
    const start = () => startServer(database.address, []);
    for (let round = 0; round <= kills; round++) {
      const servers = [await start(), ...(dialect === 'postgres' ? [await start()] : [])];
      const orders = await inParallel(Array.from({ length: perRound }), writers, () =>
        createOrder(ctx, { items: [{ productId: mug.id, quantity: 1 }] }),
      );
      const isLast = round === kills;
      const working = inParallel(orders, writers, async ({ id }, i) => {
        const server = servers[i % servers.length] as RunningServer;
        const status = await post(server, `/orders/${id}/payments`, { method: 'cash', amount: '10.00' });
        if (status === 201 || status === 200) paid++;
        await post(server, `/orders/${id}/refund`, { amount: '1.00' });
        if (!isLast && i === perRound / 2) await servers[0]?.kill();
      });
      await working;
      for (const server of servers) await (isLast ? server.stop() : server.kill());
    }
    for (const kind of ['invoice', 'credit_note'] as const) {
      const numbers: number[] = [];
      for (let offset = 0; ; offset += 200) {
        const { items } = await listInvoices(ctx, { kind, limit: 200, offset });
        if (items.length === 0) break;
        numbers.push(...items.map(({ number }) => Number(number.slice(number.lastIndexOf('-') + 1))));
      }
      expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, i) => i + 1));
      // What was answered is there.
      if (kind === 'invoice') expect(numbers.length).toBeGreaterThanOrEqual(paid);
      expect(numbers.length).toBeGreaterThan(perRound);
    }
    expect(paid).toBeGreaterThan(perRound);
    await setUp.close();
  });
});
