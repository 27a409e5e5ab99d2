import { eventTypesOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  createOrder,
  createWebhook,
  deleteWebhook,
  getOrder,
  listWebhooks,
  type Product,
} from '../index.ts';
import { maxOrderItems, maxWebhooks } from '../kernel/limits.ts';

forEachStorage('subscriptions of one store', (database) => {
  const commerce = useCommerce(database, { allowInsecureWebhooks: true });

  const subscribe = (shop: Context, n: number) =>
    createWebhook(shop, { url: `http://127.0.0.1:9/${n}`, events: ['product.*', 'order.*'] });

  async function countDeliveries(shop: Context): Promise<number> {
    const { n } = await shop.engine.storage.db
      .selectFrom('deliveries')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('store_id', '=', shop.store.id)
      .executeTakeFirstOrThrow();
    return n;
  }

  it('never keep the payment of the longest order from being applied', async () => {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const products: Product[] = [];
    for (let i = 0; i < maxOrderItems; i++) products.push(await newProduct(shop, { trackStock: true, stock: 5 }));
    const order = await createOrder(shop, { items: products.map(({ id }) => ({ productId: id, quantity: 1 })) });
    const subscriptions = 14;
    for (let n = 0; n < subscriptions; n++) await subscribe(shop, n);
    const before = (await eventTypesOf(shop)).length;
    expect(await send(shop, payment(order.id, maxOrderItems * 1000).intentSucceeded())).toMatchObject({
      outcome: 'paid',
    });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid' });
    const events = (await eventTypesOf(shop)).length - before;
    expect(events).toBeGreaterThan(maxOrderItems);
    expect(await countDeliveries(shop)).toBe(events * subscriptions);
  });

  it('never exceed the limit, also when they are created at once', async () => {
    const shop = await newShop(commerce());
    for (let n = 0; n < maxWebhooks - 5; n++) await subscribe(shop, n);
    const created = await Promise.allSettled(Array.from({ length: 15 }, (_, n) => subscribe(shop, maxWebhooks + n)));
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const one of created) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ kind: 'conflict' });
    }
    const { items, total } = await listWebhooks(shop, { limit: 1 });
    expect(total).toBe(maxWebhooks);
    await expectDenied(commerce(), () => subscribe(shop, 1000), { kind: 'conflict', message: /the maximum is 100/ });
    await deleteWebhook(shop, items[0]?.id ?? '');
    expect(await subscribe(shop, 1001)).toMatchObject({ isActive: true });
    expect(await subscribe(await newShop(commerce()), 0)).toMatchObject({ isActive: true });
  });
});
