import {
  auditOf,
  emittedBy,
  eventsOf,
  newProduct,
  newShop,
  useCommerce,
  useTwoProcesses,
} from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  adjustStock,
  createOrder,
  deleteProduct,
  getOrder,
  getProduct,
  listNotifications,
  listOrders,
  type Order,
  type OrderChanges,
  type OrderStatus,
  refundOrder,
  updateOrder,
  updateProduct,
} from '../../index.ts';
import { orderStatuses } from '../../orders/fields.ts';
import { maxStock } from '../../products/fields.ts';
import { fakeClock } from '../../testing/index.ts';

const address = { firstName: 'Ada', lastName: 'Lovelace', address1: '12 Squarehouse', city: 'London', country: 'GB' };

forEachStorage('orders that are moved on', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const twoProcesses = useTwoProcesses(database, { clock });

  async function pending(quantity = 2) {
    const shop = await newShop(commerce(), 'EUR', { type: 'apiKey', id: 'key-1' });
    await configureStripe(shop);
    const product = await newProduct(shop, {
      price: '10',
      trackStock: true,
      stock: 10,
      attributes: { a: '1', b: '2' },
    });
    const order = await createOrder(shop, {
      items: [{ productId: product.id, quantity }],
      customer: { email: 'ada@example.org', name: 'Ada' },
      shippingAddress: address,
      customerNote: 'ring twice',
    });
    const pay = (at = shop) => send(at, payment(order.id, quantity * 1000).chargeSucceeded());
    return { shop, product, order, pay, now: () => getOrder(shop, order.id) };
  }

  /** An order in that status, reached through its operations. */
  async function inStatus(status: OrderStatus) {
    const created = await pending();
    const { shop, order, pay } = created;
    if (status !== 'pending' && status !== 'cancelled') await pay();
    if (status === 'fulfilled' || status === 'cancelled') await updateOrder(shop, order.id, { status });
    if (status === 'refunded') await refundOrder(shop, order.id, { amount: order.total });
    expect((await created.now()).status).toBe(status);
    clock.advance(60_000);
    return created;
  }

  const allowed: Record<string, string[]> = {
    'pending → cancelled': ['order.updated', 'order.cancelled'],
    'paid → fulfilled': ['order.updated', 'order.shipped', 'order.fulfilled'],
    'paid → cancelled': ['order.updated', 'order.cancelled', 'product.updated'],
    'refunded → cancelled': ['order.updated', 'order.cancelled', 'product.updated'],
  };
  const pairs = orderStatuses.flatMap((from) => orderStatuses.map((to) => [from, to] as const));

  it.each(pairs)('change from %s to %s as the table of status changes allows', async (from, to) => {
    const { shop, order, now } = await inStatus(from);
    const before = await now();
    const move = () => updateOrder(shop, order.id, { status: to });
    if (from === to) {
      expect(await emittedBy(shop, async () => expect(await move()).toEqual(before))).toEqual([]);
      expect(await now()).toEqual(before);
      return;
    }
    const events = allowed[`${from} → ${to}`];
    if (!events) {
      await expectDenied(commerce(), move, {
        kind: 'conflict',
        fields: ['status'],
        message: new RegExp(`ORD-1001 is ${from} and cannot become ${to}`),
      });
      return;
    }
    const at = new Date(clock.now()).toISOString();
    const lines = order.items.map(({ id: itemId, quantity }) => ({ itemId, quantity }));
    const parcel = { id: expect.any(String), lines, tracking: null, shippedAt: at, deliveredAt: null };
    const shipped = { fulfilledAt: at, fulfilments: [parcel], fulfilmentStatus: 'fulfilled' };
    const stamp = to === 'fulfilled' ? shipped : { cancelledAt: at, cancelReason: 'requested' };
    const types = await emittedBy(shop, async () => {
      expect(await move()).toEqual({ ...before, status: to, ...stamp, updatedAt: at });
    });
    expect(types.sort()).toEqual([...events].sort());
    expect((await eventsOf(shop)).at(-1)?.data).toEqual(await now());
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      action: `order.${to}`,
      actor_type: 'apiKey',
      actor_id: 'key-1',
      resource_id: order.id,
    });
    expect((await listOrders(shop, { status: to })).items).toEqual([await now()]);
    expect((await listOrders(shop, { status: from })).total).toBe(0);
  });

  it('are refused with an unknown status', async () => {
    const { shop, order } = await pending();
    for (const status of ['shipped', 'PAID', '', null, 1]) {
      await expectDenied(commerce(), () => updateOrder(shop, order.id, { status } as OrderChanges), invalid('status'));
    }
  });

  it('take a merchant note in any status, which emits order.updated and leaves the status', async () => {
    for (const status of orderStatuses) {
      const { shop, order, now } = await inStatus(status);
      const before = await now();
      const types = await emittedBy(shop, () => updateOrder(shop, order.id, { merchantNote: 'fragile', status }));
      expect(types).toEqual(['order.updated']);
      expect(await now()).toEqual({
        ...before,
        merchantNote: 'fragile',
        updatedAt: new Date(clock.now()).toISOString(),
      });
      expect((await auditOf(shop)).at(-1)).toMatchObject({ action: 'order.updated' });
      expect(await emittedBy(shop, () => updateOrder(shop, order.id, { merchantNote: 'fragile' }))).toEqual([]);
      await updateOrder(shop, order.id, { merchantNote: null });
      expect((await now()).merchantNote).toBe(null);
    }
  });

  it('take a note and a status change together', async () => {
    const { shop, order } = await inStatus('paid');
    expect(await updateOrder(shop, order.id, { status: 'fulfilled', merchantNote: 'left' })).toMatchObject({
      status: 'fulfilled',
      merchantNote: 'left',
    });
  });

  it('may be sent back unchanged: nothing is written or emitted', async () => {
    for (const status of orderStatuses) {
      const { shop, order, now } = await inStatus(status);
      const read = await now();
      const types = await emittedBy(shop, async () => {
        for (const sent of [
          read,
          {},
          { ...read, updatedAt: '2000-01-01T00:00:00.000Z' },
          reversed(read),
          { id: read.id },
        ]) {
          expect(await updateOrder(shop, order.id, sent as OrderChanges)).toEqual(read);
        }
      });
      expect(types).toEqual([]);
      expect(await now()).toEqual(read);
    }
  });

  it('may be sent back with one thing changed', async () => {
    const { shop, order, now } = await inStatus('paid');
    const sent = { ...reversed(await now()), status: 'fulfilled', merchantNote: 'sent' } as OrderChanges;
    expect(await updateOrder(shop, order.id, sent)).toMatchObject({ status: 'fulfilled', merchantNote: 'sent' });
  });

  const otherwise: [string, (order: Order) => object][] = [
    ['id', () => ({ id: '0190a5c8-0000-7000-8000-00000000dead' })],
    ['orderNumber', () => ({ orderNumber: 'ORD-1002' })],
    ['storeId', () => ({ storeId: 'x' })],
    ['customerId', () => ({ customerId: null })],
    ['subtotal', () => ({ subtotal: '20.01' })],
    ['tax', () => ({ tax: '0' })],
    ['taxRate', () => ({ taxRate: '0.1' })],
    ['shipping', () => ({ shipping: null })],
    ['discount', () => ({ discount: '20.00' })],
    ['discountCode', () => ({ discountCode: 'FREE' })],
    ['total', () => ({ total: 20 })],
    ['refundedAmount', () => ({ refundedAmount: '20.00' })],
    ['currency', () => ({ currency: 'USD' })],
    ['paymentStatus', () => ({ paymentStatus: 'refunded' })],
    ['paymentProvider', () => ({ paymentProvider: 'paypal' })],
    ['paymentId', () => ({ paymentId: 'pi_other' })],
    ['paymentMethod', () => ({ paymentMethod: null })],
    ['paymentDetails', (order) => ({ paymentDetails: { ...order.paymentDetails, last4: '0000' } })],
    ['shippingAddress', (order) => ({ shippingAddress: { ...order.shippingAddress, city: 'Paris' } })],
    ['shippingAddress', (order) => ({ shippingAddress: { ...order.shippingAddress, planet: 'Mars' } })],
    ['shippingAddress', () => ({ shippingAddress: { city: 'London' } })],
    ['billingAddress', () => ({ billingAddress: {} })],
    ['placedAt', () => ({ placedAt: null })],
    ['paidAt', () => ({ paidAt: '2026-01-01' })],
    ['fulfilledAt', () => ({ fulfilledAt: '2026-01-01T00:00:00.000Z' })],
    ['cancelledAt', () => ({ cancelledAt: false })],
    ['createdAt', () => ({ createdAt: '2020-01-01T00:00:00.000Z' })],
    ['cancelReason', () => ({ cancelReason: 'requested' })],
    ['customerNote', () => ({ customerNote: '' })],
    ['items', () => ({ items: [] })],
    ['items', (order) => ({ items: order.items.map((item) => ({ ...item, quantity: 1 })) })],
    ['items', (order) => ({ items: [...order.items, ...order.items] })],
  ];
  it.each(otherwise)('do not let %s be changed, even beside a status change', async (field, change) => {
    const { shop, order, now } = await inStatus('paid');
    const sent = { ...change(await now()), status: 'fulfilled', merchantNote: 'x' } as OrderChanges;
    await expectDenied(commerce(), () => updateOrder(shop, order.id, sent), {
      kind: 'validation',
      fields: [field],
      message: /is read-only/,
    });
  });

  it('name every read-only field that differs', async () => {
    const { shop, order } = await pending();
    const sent = { total: '1', currency: 'USD', taxRate: '1' } as OrderChanges;
    await expectDenied(commerce(), () => updateOrder(shop, order.id, sent), invalid('taxRate', 'total', 'currency'));
  });

  it("are found neither by an unknown id nor by another store's", async () => {
    const [ours, theirs] = [await pending(), await pending()];
    for (const id of ['0190a5c8-0000-7000-8000-00000000dead', theirs.order.id, 'x', '']) {
      await expectDenied(commerce(), () => updateOrder(ours.shop, id, { merchantNote: 'x' }), { kind: 'notFound' });
    }
  });

  it('put back what they took when they are cancelled, once', async () => {
    const { shop, order, product, pay } = await pending(3);
    await pay();
    expect((await getProduct(shop, product.id)).stock).toBe(7);
    await adjustStock(shop, product.id, { adjustment: 93 });
    await updateOrder(shop, order.id, { status: 'cancelled' });
    expect((await getProduct(shop, product.id)).stock).toBe(103);
    await updateOrder(shop, order.id, { status: 'cancelled' });
    expect((await getProduct(shop, product.id)).stock).toBe(103);
  });

  it('put nothing back that was not taken: pending orders, and products that did not track stock when sold', async () => {
    const { shop, order, product } = await pending();
    await updateOrder(shop, order.id, { status: 'cancelled' });
    expect((await getProduct(shop, product.id)).stock).toBe(10);

    await updateProduct(shop, product.id, { trackStock: false });
    const sold = await createOrder(shop, { items: [{ productId: product.id, quantity: 4 }] });
    await send(shop, payment(sold.id, 4000).intentSucceeded());
    await updateProduct(shop, product.id, { trackStock: true });
    expect((await getProduct(shop, product.id)).stock).toBe(10);
    const types = await emittedBy(shop, () => updateOrder(shop, sold.id, { status: 'cancelled' }));
    expect(types.sort()).toEqual(['order.cancelled', 'order.updated']);
    expect((await getProduct(shop, product.id)).stock).toBe(10);
  });

  it('put nothing back to a product that stopped tracking stock or was deleted', async () => {
    const { shop, order, product, pay } = await pending();
    const gone = await newProduct(shop, { price: '1', trackStock: true, stock: 5 });
    const other = await createOrder(shop, {
      items: [
        { productId: gone.id, quantity: 1 },
        { productId: product.id, quantity: 1 },
      ],
    });
    await pay();
    await send(shop, payment(other.id, 1100).intentSucceeded());
    await updateProduct(shop, product.id, { trackStock: false });
    await deleteProduct(shop, gone.id);
    for (const id of [order.id, other.id]) {
      const types = await emittedBy(shop, () => updateOrder(shop, id, { status: 'cancelled' }));
      expect(types.sort()).toEqual(['order.cancelled', 'order.updated']);
    }
    expect((await getProduct(shop, product.id)).stock).toBe(7);
  });

  it('put two lines of one product back together, with one product.updated', async () => {
    const { shop, product } = await pending();
    const line = (quantity: number) => ({ productId: product.id, quantity });
    const order = await createOrder(shop, { items: [line(2), line(3)] });
    await send(shop, payment(order.id, 5000).intentSucceeded());
    expect((await getProduct(shop, product.id)).stock).toBe(5);
    const types = await emittedBy(shop, () => updateOrder(shop, order.id, { status: 'cancelled' }));
    expect(types.filter((type) => type === 'product.updated')).toHaveLength(1);
    expect((await getProduct(shop, product.id)).stock).toBe(10);
  });

  it('put back stock that back-orders took below zero', async () => {
    const { shop, product } = await pending();
    await updateProduct(shop, product.id, { stock: 1, allowBackorder: true });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 4 }] });
    await send(shop, payment(order.id, 4000).intentSucceeded());
    expect((await getProduct(shop, product.id)).stock).toBe(-3);
    await updateOrder(shop, order.id, { status: 'cancelled' });
    expect((await getProduct(shop, product.id)).stock).toBe(1);
  });

  it('put back no more than a stock has room for', async () => {
    const { shop, order, product, pay } = await pending(3);
    await pay();
    await adjustStock(shop, product.id, { adjustment: maxStock - 8 });
    await updateOrder(shop, order.id, { status: 'cancelled' });
    expect((await getProduct(shop, product.id)).stock).toBe(maxStock);
  });

  it('put back everything after a partial refund', async () => {
    const { shop, order, product, pay, now } = await pending();
    await pay();
    await refundOrder(shop, order.id, { amount: '5' });
    await updateOrder(shop, order.id, { status: 'cancelled' });
    expect(await now()).toMatchObject({ paymentStatus: 'partially_refunded', refundedAmount: '5.00' });
    expect((await getProduct(shop, product.id)).stock).toBe(10);
  });

  it('are cancelled and paid at the same instant: one comes first, no money is lost, the stock is right', async () => {
    for (let round = 0; round < 12; round++) {
      const { shop, order, product, pay, now } = await pending();
      const either = await twoProcesses(shop);
      const cancel = () => updateOrder(either(), order.id, { status: 'cancelled' });
      const early = round % 2 === 1 ? cancel() : undefined;
      const [paying] = await Promise.all([pay(either()), early ?? cancel()]);
      const after = await now();
      expect(after.status).toBe('cancelled');
      expect((await getProduct(shop, product.id)).stock).toBe(10);
      const unmatched = await listNotifications(shop, { unmatched: true });
      if (after.paidAt === null) {
        expect(paying).toMatchObject({ outcome: 'order_cancelled' });
        expect(unmatched).toMatchObject({ total: 1, items: [{ outcome: 'order_cancelled', orderId: order.id }] });
      } else {
        expect(paying).toMatchObject({ outcome: 'paid' });
        expect(after).toMatchObject({ paymentStatus: 'succeeded', paymentProvider: 'stripe' });
        expect(unmatched.total).toBe(0);
      }
    }
  });

  it('are fulfilled, cancelled and refunded at the same instant: stock and money agree with the final status', async () => {
    for (let round = 0; round < 10; round++) {
      const { shop, order, product, pay, now } = await pending();
      const either = await twoProcesses(shop);
      await pay();
      const work = [
        () => updateOrder(either(), order.id, { status: 'fulfilled' }),
        () => updateOrder(either(), order.id, { status: 'cancelled' }),
        () => refundOrder(either(), order.id, { amount: order.total }),
      ];
      const results = await Promise.allSettled(work.map((_, i) => work[(i + round) % 3]?.()));
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'conflict' });
      }
      const after = await now();
      expect(after).toMatchObject({ paymentStatus: 'refunded', refundedAmount: '20.00' });
      expect(['refunded', 'cancelled']).toContain(after.status);
      expect((await getProduct(shop, product.id)).stock).toBe(after.status === 'cancelled' ? 10 : 8);
      expect(after.cancelledAt === null).toBe(after.status !== 'cancelled');
    }
  });

  it('would be both cancelled and paid if the status were read before it is locked: this suite catches it', async () => {
    const { shop, order } = await pending();
    const { db } = shop.engine.storage;
    const done: string[] = [];
    const row = db
      .selectFrom('orders')
      .select('status')
      .where('store_id', '=', shop.store.id)
      .where('id', '=', order.id);
    const moveFrom = async (found: string, status: string) => {
      if (found !== 'pending') return;
      await db
        .transaction()
        .execute((tx) => tx.updateTable('orders').set({ status }).where('id', '=', order.id).execute());
      done.push(status);
    };
    // Both read before one of them moves, which sooner or later happens.
    const found = await Promise.all(['paid', 'cancelled'].map(() => row.executeTakeFirstOrThrow()));
    await Promise.all(found.map(({ status }, i) => moveFrom(status, i === 0 ? 'paid' : 'cancelled')));
    expect(done.length).toBeGreaterThan(1);
  });
});

/** The value with the keys of every object in another order. */
function reversed(value: unknown): object {
  const turn = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(turn);
    if (part === null || typeof part !== 'object') return part;
    return Object.fromEntries(
      Object.entries(part)
        .reverse()
        .map(([key, inner]) => [key, turn(inner)]),
    );
  };
  return turn(value) as object;
}
