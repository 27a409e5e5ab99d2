import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import {
  type Actor,
  type Context,
  createApiKey,
  createOrder,
  createWebhook,
  getDesk,
  listOrders,
  listPayments,
  listProducts,
  type Order,
  type OrderQueryInput,
  refundOrder,
  type Scope,
  updateOrder,
} from '../index.ts';
import { runTransaction } from '../storage/run.ts';
import { fakeClock } from '../testing/index.ts';

const idle = {
  toSend: 0,
  toRefund: 0,
  unmatchedPayments: 0,
  openDisputes: 0,
  nextDisputeDueAt: null,
  failedPayments: 0,
  failedDeliveries: 0,
  lowStock: 0,
  newestOrderAt: null,
};

forEachStorage('the desk of a store', (database, dialect) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let shop: Context;
  let productId: string;

  beforeEach(async () => {
    shop = await newShop(commerce());
    await configureStripe(shop);
    productId = (await newProduct(shop, { price: '10' })).id;
  });

  const pending = (): Promise<Order> => {
    clock.advance(1000);
    return createOrder(shop, { items: [{ productId, quantity: 1 }] });
  };
  const paid = async (): Promise<Order> => {
    const order = await pending();
    await send(shop, payment(order.id, 1000).chargeSucceeded());
    return order;
  };
  const cancelled = async (order: Promise<Order>): Promise<Order> => {
    const { id } = await order;
    return updateOrder(shop, id, { status: 'cancelled' });
  };

  it('is empty in a new store', async () => {
    expect(await getDesk(await newShop(commerce()))).toEqual(idle);
  });

  it('counts paid orders until they are fulfilled, and knows when the newest was placed', async () => {
    const first = await paid();
    await pending();
    const second = await paid();
    const at = new Date(clock.now()).toISOString();
    expect(await getDesk(shop)).toEqual({ ...idle, toSend: 2, newestOrderAt: at });
    clock.advance(5000);
    await updateOrder(shop, second.id, { status: 'fulfilled' });
    await refundOrder(shop, first.id, { amount: '3' });
    expect(await getDesk(shop)).toEqual({ ...idle, toSend: 1, newestOrderAt: at });
  });

  it('counts cancelled orders of which money is left, as their list does', async () => {
    const [whole, part, back, late] = [await paid(), await paid(), await paid(), await pending()];
    await cancelled(pending());
    // Nothing was paid for it.
    const free = await newProduct(shop, { price: '0' });
    await cancelled(createOrder(shop, { items: [{ productId: free.id, quantity: 1 }] }));
    await paid();
    for (const { id } of [whole, part, back, late]) await updateOrder(shop, id, { status: 'cancelled' });
    await refundOrder(shop, part.id, { amount: '4' });
    await refundOrder(shop, back.id, { amount: '10' });
    await send(shop, payment(late.id, 1000).chargeSucceeded());
    const found = async (query: OrderQueryInput = {}) =>
      (await listOrders(shop, { toRefund: true, ...query })).items.map(({ id }) => id);
    expect(await found()).toEqual([late.id, part.id, whole.id]);
    expect(await getDesk(shop)).toMatchObject({ toSend: 1, toRefund: 3, unmatchedPayments: 1 });
    expect(await listOrders(shop, { toRefund: true, limit: 1, offset: 1 })).toMatchObject({
      items: [{ id: part.id }],
      total: 3,
    });
    expect(await found({ paymentStatus: 'partially_refunded' })).toEqual([part.id]);
    expect(await found({ orderNumber: whole.orderNumber })).toEqual([whole.id]);
    expect(await found({ search: late.orderNumber })).toEqual([late.id]);
    expect(await found({ to: part.createdAt })).toEqual([whole.id]);
    expect(await found({ status: 'paid' })).toEqual([]);
    expect((await listOrders(shop, { toRefund: false })).total).toBe(7);
    await refundOrder(shop, whole.id, { amount: '10' });
    expect(await found()).toEqual([late.id, part.id]);
  });

  it('counts payments that need attention, and pending orders whose payment failed', async () => {
    const [failed, again] = [await pending(), await pending()];
    await send(shop, payment(failed.id, 1000).chargeFailed());
    await send(shop, payment(again.id, 1000).chargeFailed());
    expect(await getDesk(shop)).toMatchObject({ failedPayments: 2, unmatchedPayments: 0 });
    await send(shop, payment(again.id, 1000).chargeSucceeded());
    await send(shop, payment((await pending()).id, 999).chargeSucceeded());
    expect(await getDesk(shop)).toMatchObject({ failedPayments: 1, unmatchedPayments: 1, toSend: 1 });
    expect((await listPayments(shop, { unmatched: true })).total).toBe(1);
    await cancelled(Promise.resolve(failed));
    expect(await getDesk(shop)).toMatchObject({ failedPayments: 0 });
  });

  it('counts products that run low, and deliveries to subscriptions that failed', async () => {
    await newProduct(shop, { trackStock: true, stock: 1, lowStockThreshold: 2 });
    await newProduct(shop, { trackStock: true, stock: 3, lowStockThreshold: 2 });
    await createWebhook(shop, { url: 'https://subscriber.example.com/', events: ['order.paid'] });
    await paid();
    await paid();
    const change = (changes: object) =>
      runTransaction(shop.engine.storage, (db) =>
        db.updateTable('deliveries').set(changes).where('store_id', '=', shop.store.id).execute(),
      );
    await change({ status: 'failed', due_at: null });
    expect(await getDesk(shop)).toMatchObject({ lowStock: 1, failedDeliveries: 2 });
    expect((await listProducts(shop, { lowStock: true })).total).toBe(1);
    await change({ subscriber_id: 'app:mails' });
    expect(await getDesk(shop)).toMatchObject({ failedDeliveries: 0 });
  });

  it('shows each figure to those who may read it', async () => {
    await paid();
    const seenBy = async (...scopes: Scope[]) => {
      const { key } = await createApiKey(shop, { name: 'some', scopes });
      const actor = (await commerce().identities.authenticate(key))?.actor as Actor;
      const seen = Object.entries(await getDesk({ ...shop, actor })).filter(([, value]) => value !== null);
      return seen.map(([name]) => name);
    };
    expect(await seenBy('order.read')).toEqual(['toSend', 'toRefund', 'failedPayments', 'newestOrderAt']);
    expect(await seenBy('payment.read')).toEqual(['unmatchedPayments', 'openDisputes']);
    expect(await seenBy('webhook.read')).toEqual(['failedDeliveries']);
    expect(await seenBy('product.read')).toEqual(['lowStock']);
    expect(await seenBy('media.read')).toEqual([]);
    const actor: Actor = { type: 'apiKey', id: null, isPublic: true, scopes: new Set(['product.read']) };
    await expect(getDesk({ ...shop, actor })).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it.runIf(dialect === 'sqlite')('counts by its indexes', async () => {
    const { db } = shop.engine.storage;
    const plan = async (text: string) => {
      const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(text)}`.execute(db);
      return rows.map(({ detail }) => detail).join('; ');
    };
    expect(await plan("select id from orders where store_id = 'a' and to_refund = 1")).toContain(
      'COVERING INDEX orders_to_refund',
    );
    expect(await plan("select max(placed_at) from orders where store_id = 'a' and placed_at is not null")).toContain(
      'COVERING INDEX orders_placed',
    );
    expect(
      await plan(
        "select id from deliveries where store_id = 'a' and status = 'failed' and subscriber_id not like 'app:%'",
      ),
    ).toContain('COVERING INDEX deliveries_failed');
  });
});
