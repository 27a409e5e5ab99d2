import { createHmac } from 'node:crypto';
import {
  CommerceError,
  type Context,
  configureProvider,
  createOrder,
  getOrder,
  getProduct,
  listNotifications,
  listRefunds,
  type Order,
  receiveNotification,
  refundOrder,
  replayNotification,
  updateOrder,
  updateProduct,
} from '@commerce/core';
import { signStripe } from '@commerce/core/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventsOf, newProduct, newShop, useCommerce } from './support/shop.ts';
import { forEachStorage } from './support/storages.ts';

/** `PROPERTY_RUNS=10000 npx vitest run test/money.model.test.ts` for a night. */
const runs = Number(process.env.PROPERTY_RUNS ?? 300);

const price = 10;
const quantities = [1, 2, 3];
const firstStock = 3;
const secret = 'a-secret-of-the-test';
const address = 'https://shop.example/square';

/** What a provider has given back of a payment: the amount of each is fixed by its number. */
const refundAmounts = [3, 5, 10];
type RefundStatus = 'pending' | 'completed' | 'failed';

type Told =
  | { what: 'succeeded' | 'failed'; order: number; payment: number }
  | { what: 'refund'; order: number; payment: number; refund: number; status: RefundStatus };
type Step =
  | { do: 'tell'; told: Told }
  | { do: 'refund'; order: number; refund: number; amount: number }
  | { do: 'move'; order: number; status: 'fulfilled' | 'cancelled' }
  | { do: 'restock'; pieces: number }
  | { do: 'replay' };

const order = fc.nat(quantities.length - 1);
const payment = fc.nat(1);
const told: fc.Arbitrary<Told> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constant('succeeded' as const), order, payment }) },
  fc.record({ what: fc.constant('failed' as const), order, payment }),
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('refund' as const),
      order,
      payment: fc.constantFrom(0, 0, 0, 1),
      refund: fc.nat(refundAmounts.length - 1),
      status: fc.constantFrom<RefundStatus>('pending', 'completed', 'completed', 'failed'),
    }),
  },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('tell' as const), told }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      order,
      refund: fc.nat(4),
      amount: fc.constantFrom(1, 3, 5, 10, 40),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      order,
      status: fc.constantFrom('fulfilled' as const, 'cancelled' as const),
    }),
  },
  fc.record({ do: fc.constant('restock' as const), pieces: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('replay' as const) }),
);

interface ModelOrder {
  total: number;
  quantity: number;
  status: Order['status'];
  paymentStatus: Order['paymentStatus'];
  paidBy: number | null;
  fulfilled: boolean;
  refunds: Map<string, { amount: number; status: RefundStatus }>;
}

/** The money of a shop, as small as it can be said. */
class Model {
  stock = firstStock;
  readonly orders: ModelOrder[] = quantities.map((quantity) => ({
    total: quantity * price,
    quantity,
    status: 'pending',
    paymentStatus: 'pending',
    paidBy: null,
    fulfilled: false,
    refunds: new Map(),
  }));
  /** Every notification by its event, in the order in which it first came, and whether its money found its place. */
  readonly inbox = new Map<string, { told: Told; settled: boolean }>();

  tell(told: Told): void {
    const event = eventOf(told);
    const filed = this.inbox.get(event) ?? { told, settled: false };
    this.inbox.set(event, filed);
    if (!filed.settled) filed.settled = this.#apply(told);
  }

  replay(): void {
    for (const filed of this.inbox.values()) if (!filed.settled) filed.settled = this.#apply(filed.told);
  }

  #apply(told: Told): boolean {
    const order = this.orders[told.order] as ModelOrder;
    if (told.what === 'refund') {
      if (order.paidBy !== told.payment) return false;
      const id = refundId(told);
      const known = order.refunds.get(id);
      const amount = refundAmounts[told.refund] as number;
      order.refunds.set(id, { amount: known?.amount ?? amount, status: later(known?.status, told.status) });
      this.#settleRefunds(order);
      return true;
    }
    if (told.what === 'failed') {
      if (order.status === 'pending') order.paymentStatus = 'failed';
      return true;
    }
    if (order.paidBy === told.payment) return true;
    if (order.status !== 'pending' || this.stock < order.quantity) return false;
    this.stock -= order.quantity;
    Object.assign(order, { status: 'paid', paymentStatus: 'succeeded', paidBy: told.payment });
    for (const waiting of this.inbox.values()) {
      if (waiting.told.what === 'refund' && waiting.told.order === told.order && !waiting.settled) {
        waiting.settled = this.#apply(waiting.told);
      }
    }
    return true;
  }

  refund(number: number, refund: number, amount: number): 'ok' | 'conflict' | 'validation' {
    const order = this.orders[number] as ModelOrder;
    const id = refundId({ order: number, payment: 0, refund });
    const known = order.refunds.get(id);
    if (known) return known.amount === amount && known.status !== 'failed' ? 'ok' : 'conflict';
    if (order.paidBy === null) return 'conflict';
    if (amount > order.total - this.refunded(order)) return 'validation';
    order.refunds.set(id, { amount, status: 'completed' });
    this.#settleRefunds(order);
    return 'ok';
  }

  move(number: number, status: 'fulfilled' | 'cancelled'): 'ok' | 'conflict' {
    const order = this.orders[number] as ModelOrder;
    if (order.status === status) return 'ok';
    const possible = status === 'cancelled' ? ['pending', 'paid'] : ['paid'];
    if (!possible.includes(order.status)) return 'conflict';
    if (order.status === 'paid' && status === 'cancelled') this.stock += order.quantity;
    order.status = status;
    order.fulfilled = status === 'fulfilled';
    return 'ok';
  }

  refunded(order: ModelOrder): number {
    let sum = 0;
    for (const { amount, status } of order.refunds.values()) if (status === 'completed') sum += amount;
    return Math.min(sum, order.total);
  }

  #settleRefunds(order: ModelOrder): void {
    const refunded = this.refunded(order);
    const whole = refunded === order.total;
    order.paymentStatus = refunded === 0 ? 'succeeded' : whole ? 'refunded' : 'partially_refunded';
    if (order.status !== 'cancelled') order.status = whole ? 'refunded' : order.fulfilled ? 'fulfilled' : 'paid';
  }
}

function later(a: RefundStatus | undefined, b: RefundStatus): RefundStatus {
  const rank = ['pending', 'completed', 'failed'];
  return a && rank.indexOf(a) >= rank.indexOf(b) ? a : b;
}

const paymentId = ({ order, payment }: { order: number; payment: number }) => `payment-${order}-${payment}`;
const refundId = (of: { order: number; payment: number; refund: number }) => `refund-of-${paymentId(of)}-${of.refund}`;
const eventOf = (told: Told) =>
  [told.what, paymentId(told), ...(told.what === 'refund' ? [told.refund, told.status] : [])].join(' ');

/** Stripe tells of the even orders, Square of the odd one. */
function notification(told: Told, orderId: string, total: number, now: number) {
  const amount = (told.what === 'refund' ? (refundAmounts[told.refund] as number) : total) * 100;
  if (told.order % 2 === 0) {
    const types = {
      succeeded: 'payment_intent.succeeded',
      failed: 'payment_intent.payment_failed',
      refund: 'refund.updated',
    };
    const statuses = { pending: 'pending', completed: 'succeeded', failed: 'failed' };
    const object =
      told.what === 'refund'
        ? {
            id: refundId(told),
            amount,
            currency: 'eur',
            payment_intent: paymentId(told),
            status: statuses[told.status],
          }
        : { id: paymentId(told), amount, amount_received: amount, currency: 'eur', metadata: { order_id: orderId } };
    return {
      provider: 'stripe',
      ...signStripe({ id: eventOf(told), object: 'event', type: types[told.what], data: { object } }, secret, now),
    };
  }
  const amount_money = { amount, currency: 'EUR' };
  const statuses = { pending: 'PENDING', completed: 'COMPLETED', failed: 'FAILED', succeeded: 'COMPLETED' };
  const object =
    told.what === 'refund'
      ? { refund: { id: refundId(told), payment_id: paymentId(told), amount_money, status: statuses[told.status] } }
      : {
          payment: {
            id: paymentId(told),
            reference_id: orderId,
            amount_money,
            status: statuses[told.what],
            version: told.what === 'failed' ? 1 : 2,
          },
        };
  const type = told.what === 'refund' ? 'refund.updated' : 'payment.updated';
  const body = Buffer.from(JSON.stringify({ type, event_id: eventOf(told), data: { object } }));
  const signature = createHmac('sha256', secret).update(address).update(body).digest('base64');
  return { provider: 'square', body, headers: { 'x-square-hmacsha256-signature': signature } };
}

/** A shop and its model, side by side. */
class Pair {
  readonly model = new Model();

  constructor(
    readonly shop: Context,
    readonly productId: string,
    readonly orderIds: readonly string[],
  ) {}

  async run(step: Step): Promise<void> {
    switch (step.do) {
      case 'tell':
        this.model.tell(step.told);
        return this.#tell(step.told);
      case 'refund': {
        const { order, refund, amount } = step;
        const input = { amount: `${amount}.00`, refundId: refundId({ order, payment: 0, refund }) };
        return this.#expect(this.model.refund(order, refund, amount), () =>
          refundOrder(this.shop, this.orderIds[order] ?? '', input),
        );
      }
      case 'move': {
        const { order, status } = step;
        return this.#expect(this.model.move(order, status), () =>
          updateOrder(this.shop, this.orderIds[order] ?? '', { status }),
        );
      }
      case 'restock': {
        this.model.stock += step.pieces;
        const { stock } = await getProduct(this.shop, this.productId);
        await updateProduct(this.shop, this.productId, { stock: stock + step.pieces });
        return;
      }
      case 'replay': {
        this.model.replay();
        const { items } = await listNotifications(this.shop, { unmatched: true, limit: 200 });
        for (const { id } of items.reverse()) await replayNotification(this.shop, id);
      }
    }
  }

  async #tell(told: Told): Promise<void> {
    const { engine, store } = this.shop;
    const total = this.model.orders[told.order]?.total ?? 0;
    const { provider, ...raw } = notification(told, this.orderIds[told.order] ?? '', total, engine.clock.now());
    await receiveNotification(engine, provider, raw, { storeId: store.id }).catch((error: unknown) => {
      // The provider is to send again when there is stock; everything else is answered with 200.
      if (!(error instanceof CommerceError && error.kind === 'insufficientStock')) throw error;
    });
  }

  async #expect(verdict: string, work: () => Promise<unknown>): Promise<void> {
    const came = await work().then(
      () => 'ok',
      (error: unknown) => (error instanceof CommerceError ? error.kind : Promise.reject(error)),
    );
    expect(came).toBe(verdict);
  }

  async expectSame(): Promise<void> {
    const { shop, model } = this;
    expect((await getProduct(shop, this.productId)).stock).toBe(model.stock);
    for (const [i, wanted] of model.orders.entries()) {
      const order = await getOrder(shop, this.orderIds[i] ?? '');
      const refunded = model.refunded(wanted);
      expect(order).toMatchObject({
        status: wanted.status,
        paymentStatus: wanted.paymentStatus,
        paymentId: wanted.paidBy === null ? null : paymentId({ order: i, payment: wanted.paidBy }),
        refundedAmount: `${refunded}.00`,
      });
      const counted = [...wanted.refunds].filter(([, { status }]) => status === 'completed');
      const listed = await listRefunds(shop, order.id);
      expect(new Set(listed.items.map((one) => `${one.refundId} ${one.amount}`))).toEqual(
        new Set(counted.map(([id, { amount }]) => `${id} ${amount}.00`)),
      );
    }
    const { items, total } = await listNotifications(shop, { limit: 200 });
    expect(total).toBe(model.inbox.size);
    const unmatched = await listNotifications(shop, { unmatched: true, limit: 200 });
    const ids = (list: typeof items) =>
      list.map(({ eventId }) => eventId.replace(/ (payment|refund)\.updated$/, '')).sort();
    expect(ids(items)).toEqual([...model.inbox.keys()].sort());
    expect(ids(unmatched.items)).toEqual(
      [...model.inbox].flatMap(([event, { settled }]) => (settled ? [] : event)).sort(),
    );
    const paid = (await eventsOf(shop)).filter(({ type }) => type === 'order.paid').map(({ resourceId }) => resourceId);
    expect(paid.sort()).toEqual(this.orderIds.filter((_, i) => model.orders[i]?.paidBy !== null).sort());
  }
}

forEachStorage('the money of a shop beside a model of it', (database) => {
  const commerce = useCommerce(database);

  it('is the same after any notifications, refunds, moves and retries in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const shop = await newShop(commerce());
        await configureProvider(shop, 'stripe', { webhookSecret: secret });
        await configureProvider(shop, 'square', { signatureKey: secret, notificationUrl: address });
        const product = await newProduct(shop, { price: `${price}`, trackStock: true, stock: 100 });
        const orders = await Promise.all(
          quantities.map((quantity) => createOrder(shop, { items: [{ productId: product.id, quantity }] })),
        );
        await updateProduct(shop, product.id, { stock: firstStock });
        const pair = new Pair(
          shop,
          product.id,
          orders.map(({ id }) => id),
        );
        for (const one of steps) await pair.run(one);
        await pair.expectSame();
      }),
      { numRuns: runs },
    );
  }, 3_600_000);
});
