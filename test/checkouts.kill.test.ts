import { randomUUID } from 'node:crypto';
import {
  type Checkout,
  configureProvider,
  createApiKey,
  getProduct,
  listOrders,
  listPayments,
  type ProviderName,
  updateSettings,
} from '@commerce/core';
import { type RunningStub, startProviderStub } from '@commerce/core/testing';
import { endTimesOf } from '@commerce/test-support/fixtures/selling';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { inParallel, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { expect, it } from 'vitest';

const origin = 'https://shop.example';
const pieces = 10;
const buyers = 50;

forEachStorage('50 buyers of 10 pieces, two processes of which one is killed', (database) => {
  const commerce = useCommerce(database, { upkeep: false });

  it.each<[ProviderName, number]>([
    ['stripe', 3],
    ['paypal', 8],
  ])(
    'at %s: no piece is sold twice, no money is without its order, nothing stays held (killed after %d answers)',
    {
      timeout: 120_000,
    },
    async (provider, answersBeforeKill) => {
      const stub: RunningStub = await startProviderStub({ retryDelays: [200, 500, 1000, 2000, 4000, 8000] });
      const servers: RunningServer[] = [await startServer(database.address), await startServer(database.address)];
      try {
        const shop = await newShop(commerce());
        await updateSettings(shop, { returnUrls: [origin] });
        const [killed, survivor] = servers as [RunningServer, RunningServer];
        const at = (server: RunningServer, path: string) => `${server.url}/stores/${shop.store.id}${path}`;
        const notifications = `${survivor.url}/api/webhooks/${provider}/${shop.store.id}`;
        await configureProvider(shop, provider, stub.account(provider, notifications));
        const product = await newProduct(shop, { price: '10', trackStock: true, stock: pieces });
        const { key } = await createApiKey(shop, { name: 'page', scopes: ['checkout.read', 'checkout.write'] });
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

        let answers = 0;
        /** One buyer: repeats unanswered requests at the other process. */
        async function buy(_: unknown, i: number): Promise<Checkout | undefined> {
          const body = JSON.stringify({
            items: [{ productId: product.id, quantity: 1 }],
            customer: { email: `buyer-${i}@shop.test` },
            ...{ successUrl: `${origin}/thanks`, cancelUrl: `${origin}/cart` },
          });
          const sent = { method: 'POST', body, headers: { ...headers, 'idempotency-key': randomUUID() } };
          for (const server of [servers[i % 2], survivor, survivor]) {
            try {
              const response = await fetch(at(server as RunningServer, '/checkouts'), sent);
              const answer = (await response.json()) as { item: Checkout };
              if (++answers === answersBeforeKill) killed.child.kill('SIGKILL');
              if (response.status === 201) return answer.item;
              if (response.status === 409) return undefined;
            } catch {
              // The process was killed before it answered.
            }
          }
          return undefined;
        }
        const checkouts = (await inParallel(Array.from({ length: buyers }), 10, buy)).filter(
          (one) => one !== undefined,
        );
        expect(killed.child.killed).toBe(true);
        // Orders whose buyers got no answer can hold pieces until their reservation ends.
        expect(checkouts.length).toBeLessThanOrEqual(pieces);
        expect(checkouts.length).toBeGreaterThan(0);

        // Every second buyer pays; half of the wallet's buyers never come back to the shop.
        const paying = checkouts.filter((_, i) => i % 2 === 0);
        for (const [i, { url }] of paying.entries()) {
          const page = decodeURIComponent(String(url).split('/').at(-1) ?? '');
          const { location } = await stub.act(provider, page, 'pay');
          if (provider !== 'paypal' || i % 2 !== 0) continue;
          const back = new URL(location ?? '');
          const response = await fetch(`${survivor.url}${back.pathname}${back.search}`, { redirect: 'manual' });
          expect(response.status).toBe(303);
        }
        const paidOrders = async () => (await listOrders(shop, { status: 'paid', limit: 200 })).total;
        await until('all of them are paid', async () => (await paidOrders()) === paying.length, 30_000);

        // Unpaid orders expire, which happens sooner here than in 31 minutes.
        await endTimesOf(shop);
        const { storage } = commerce().engine;
        const left = async () => {
          const held = storage.db.selectFrom('reservations').select('order_id').where('store_id', '=', shop.store.id);
          const pending = await listOrders(shop, { status: 'pending', limit: 1 });
          return (await held.execute()).length + pending.total;
        };
        await until('nothing is held or pending', async () => (await left()) === 0, 30_000);

        expect((await getProduct(shop, product.id)).stock).toBe(pieces - paying.length);
        const payments = await listPayments(shop, { status: 'succeeded', limit: 200 });
        expect(payments.total).toBe(paying.length);
        for (const { matched } of payments.items) expect(matched).toBe('paid');
        const orders = await listOrders(shop, { limit: 200 });
        expect(orders.items.filter(({ paidAt }) => paidAt !== null)).toHaveLength(paying.length);
        // The pieces can be sold again: exactly the remaining number.
        const again = await inParallel(Array.from({ length: pieces + 5 }), 5, (_, i) => buy(_, 1000 + i * 2 + 1));
        expect(again.filter((one) => one !== undefined)).toHaveLength(pieces - paying.length);
      } finally {
        await stub.close();
        for (const server of servers) if (server.child.exitCode === null && !server.child.killed) await server.stop();
      }
    },
  );
});
