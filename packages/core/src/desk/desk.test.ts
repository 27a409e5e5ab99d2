import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import {
  type Actor,
  type Context,
  createApiKey,
  createCheckout,
  createFulfilment,
  createOrder,
  createWebhook,
  createWithdrawal,
  deleteFulfilment,
  getDesk,
  getOrder,
  listMails,
  listOrders,
  listPayments,
  listProducts,
  mailKinds,
  type Order,
  type OrderQueryInput,
  recordPayment,
  refundOrder,
  resendMail,
  type Scope,
  updateOrder,
  updateProduct,
  updateSettings,
  updateWithdrawal,
} from '../index.ts';
import { runTransaction } from '../storage/run.ts';
import { fakeClock } from '../testing/index.ts';

const idle = {
  toSend: 0,
  toRefund: 0,
  unpaidOffline: 0,
  unmatchedPayments: 0,
  openDisputes: 0,
  nextDisputeDueAt: null,
  failedPayments: 0,
  failedDeliveries: 0,
  lowStock: 0,
  openWithdrawals: 0,
  nextWithdrawalDueAt: null,
  failedMails: 0,
  mailMissing: true,
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

  it('counts unpaid orders whose goods may leave, and all that are to be paid without a provider, as their lists do', async () => {
    await updateSettings(shop, {
      returnUrls: ['https://shop.example'],
      paymentMethods: (['transfer', 'cash_on_delivery', 'on_pickup', 'invoice'] as const).map((kind) => ({
        id: kind,
        name: kind,
        kind,
      })),
    });
    await updateProduct(shop, productId, { status: 'published', trackStock: true, stock: 100 });
    let buyers = 0;
    const placed = async (paymentMethodId: string): Promise<Order> => {
      clock.advance(1000);
      const { orderId } = await createCheckout(shop, {
        items: [{ productId, quantity: 2 }],
        customer: { email: `buyer${++buyers}@shop.test` },
        successUrl: 'https://shop.example/thanks',
        cancelUrl: 'https://shop.example/cart',
        paymentMethodId,
      });
      return getOrder(shop, orderId);
    };
    const [transfer, delivery, pickup, invoice] = [
      await placed('transfer'),
      await placed('cash_on_delivery'),
      await placed('on_pickup'),
      await placed('invoice'),
    ];
    await pending();
    const whole = await paid();
    const found = async (query: OrderQueryInput) => {
      const { items, total } = await listOrders(shop, query);
      expect(total).toBe(items.length);
      return items.map(({ id }) => id);
    };
    const toShip = (query: OrderQueryInput = {}) => found({ toShip: true, ...query });
    const figures = async () => {
      const { toSend, unpaidOffline } = await getDesk(shop);
      return [toSend, unpaidOffline];
    };
    expect(await figures()).toEqual([4, 4]);
    expect(await toShip()).toEqual([whole, invoice, pickup, delivery].map(({ id }) => id));
    expect(await toShip({ sort: 'oldest' })).toEqual([delivery, pickup, invoice, whole].map(({ id }) => id));
    expect(await toShip({ sort: 'total', status: 'pending' })).toEqual([delivery, pickup, invoice].map(({ id }) => id));
    expect(await toShip({ status: 'cancelled' })).toEqual([]);
    expect(await toShip({ orderNumber: transfer.orderNumber })).toEqual([]);
    expect(await toShip({ customerId: pickup.customerId ?? '' })).toEqual([pickup.id]);
    expect(await toShip({ search: delivery.orderNumber })).toEqual([delivery.id]);
    expect(await toShip({ from: whole.createdAt })).toEqual([whole.id]);
    expect(await listOrders(shop, { toShip: true, limit: 1, offset: 1 })).toMatchObject({
      items: [{ id: invoice.id }],
      total: 4,
    });
    const [line] = delivery.items;
    await createFulfilment(shop, delivery.id, { lines: [{ itemId: line?.id ?? '', quantity: 1 }] });
    expect(await figures()).toEqual([4, 4]);
    await createFulfilment(shop, delivery.id);
    const parcel = await createFulfilment(shop, invoice.id);
    expect(await figures()).toEqual([2, 4]);
    await deleteFulfilment(shop, invoice.id, parcel.id);
    expect(await figures()).toEqual([3, 4]);
    expect(await found({ unpaidOffline: true })).toEqual([invoice, pickup, delivery, transfer].map(({ id }) => id));
    expect(await found({ unpaidOffline: true, status: 'fulfilled' })).toEqual([delivery.id]);
    expect(await found({ unpaidOffline: true, toShip: true })).toEqual([invoice.id, pickup.id]);
    await recordPayment(shop, transfer.id, { method: 'transfer', amount: transfer.total });
    await recordPayment(shop, delivery.id, { method: 'cash', amount: delivery.total });
    await cancelled(Promise.resolve(pickup));
    expect(await figures()).toEqual([3, 1]);
    expect(await toShip({ status: 'paid' })).toEqual([whole.id, transfer.id]);
    await cancelled(Promise.resolve(invoice));
    expect(await figures()).toEqual([2, 0]);
    expect(await toShip()).toEqual([whole.id, transfer.id]);
    expect(await toShip({ search: transfer.orderNumber })).toEqual([transfer.id]);
    expect(await toShip({ status: 'pending' })).toEqual([]);
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

  it('counts withdrawals that are not closed, and says when the first of them is due', async () => {
    const statement = { name: 'Ada', email: 'ada@shop.test', orderNumber: '1' };
    const first = await createWithdrawal(shop, statement);
    const due = (ms: number) => new Date(Date.parse(first.receivedAt) + ms + 14 * 24 * 3_600_000).toISOString();
    clock.advance(1000);
    const { id } = await createWithdrawal(shop, statement);
    await updateWithdrawal(shop, id, { orderId: (await pending()).id });
    expect(await getDesk(shop)).toMatchObject({ openWithdrawals: 2, nextWithdrawalDueAt: due(0) });
    await updateWithdrawal(shop, first.id, { status: 'closed' });
    expect(await getDesk(shop)).toMatchObject({ openWithdrawals: 1, nextWithdrawalDueAt: due(1000) });
    await updateWithdrawal(shop, id, { status: 'closed' });
    expect(await getDesk(shop)).toMatchObject({ openWithdrawals: 0, nextWithdrawalDueAt: null });
  });

  it('counts the mails of a week that were not sent, and not sent again, and says if none can be', async () => {
    await updateSettings(shop, { mail: { from: 'shop@shop.example', smtp: { host: 'smtp.example.com' } } });
    const sending = await commerce().store(shop.store.id);
    const order = await createOrder(sending, {
      items: [{ productId, quantity: 1 }],
      customer: { email: 'ada@shop.test' },
    });
    await send(sending, payment(order.id, 1000).chargeSucceeded());
    const [mail] = (await listMails(sending, { orderId: order.id })).items;
    expect(await getDesk(sending)).toMatchObject({ failedMails: 0, mailMissing: false });
    await runTransaction(shop.engine.storage, (db) =>
      db.updateTable('mails').set({ status: 'failed', due_at: null }).where('store_id', '=', shop.store.id).execute(),
    );
    expect(await getDesk(sending)).toMatchObject({ failedMails: 1 });
    await resendMail(sending, mail?.id ?? '');
    expect(await getDesk(sending)).toMatchObject({ failedMails: 0 });
    const kinds = Object.fromEntries(mailKinds.map((kind) => [kind, false]));
    await updateSettings(shop, { mail: { kinds } });
    expect(await getDesk(await commerce().store(shop.store.id))).toMatchObject({ mailMissing: false });
  });

  it('shows each figure to those who may read it', async () => {
    await paid();
    const seenBy = async (...scopes: Scope[]) => {
      const { key } = await createApiKey(shop, { name: 'some', scopes });
      const actor = (await commerce().identities.authenticate(key))?.actor as Actor;
      const seen = Object.entries(await getDesk({ ...shop, actor })).filter(([, value]) => value !== null);
      return seen.map(([name]) => name);
    };
    expect(await seenBy('order.read')).toEqual([
      'toSend',
      'toRefund',
      'unpaidOffline',
      'failedPayments',
      'newestOrderAt',
    ]);
    expect(await seenBy('payment.read')).toEqual(['unmatchedPayments', 'openDisputes']);
    expect(await seenBy('webhook.read')).toEqual(['failedDeliveries']);
    expect(await seenBy('product.read')).toEqual(['lowStock']);
    expect(await seenBy('withdrawal.read')).toEqual(['openWithdrawals']);
    expect(await seenBy('mail.read')).toEqual(['failedMails']);
    expect(await seenBy('settings.read')).toEqual(['mailMissing']);
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
    const open = "store_id = 'a' and status in ('received', 'matched')";
    expect(await plan(`select id from withdrawals where ${open}`)).toContain('INDEX withdrawals_status_newest');
    expect(
      await plan("select min(created_at) from withdrawals where store_id = 'a' and status = 'received'"),
    ).toContain('COVERING INDEX withdrawals_status_newest');
    expect(await plan("select id from orders where store_id = 'a' and to_refund = 1")).toContain(
      'COVERING INDEX orders_to_refund',
    );
    const toShip = `store_id = 'a' and reserved_until = ${8_640_000_000_000_000}`;
    expect(await plan(`select id from orders where ${toShip}`)).toContain('INDEX orders_reserved');
    expect(await plan("select id from orders where store_id = 'a' and unpaid_offline > 0")).toContain(
      'INDEX orders_unpaid_offline',
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
