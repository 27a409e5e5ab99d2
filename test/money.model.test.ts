import { createHmac } from 'node:crypto';
import {
  adjustStock,
  applyPayment,
  CommerceError,
  type Context,
  configureProvider,
  confirmFromInbox,
  createOrder,
  dismissPayment,
  getOrder,
  getProduct,
  listNotifications,
  listPayments,
  listRefunds,
  type Payment,
  refundOrder,
  replayNotification,
  updateOrder,
  updateProduct,
} from '@commerce/core';
import { type FakeClock, fakeClock, signStripe } from '@commerce/core/testing';
import { eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { isNightly, repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import {
  type Attempt,
  eventOf,
  firstStock,
  Model,
  type Plan,
  paymentKey,
  price,
  quantities,
  type RefundStatus,
  type RefundTold,
  refundAmounts,
  type TheObject,
  type Told,
  timeOf,
} from '@commerce/test-support/suites/money-model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expireInStore } from '../packages/core/src/sales/moves/expire.ts';
import { receiveNotification } from '../packages/core/src/sales/notifications/receive.ts';

const runs = repeats({ suite: 120, nightly: 10_000 });
/** The test suite runs the same sequences each time; a nightly run uses others. */
const seed = isNightly ? {} : { seed: 20_261_122 };

const secret = 'a-secret-of-the-test';
const address = 'https://shop.example/square';

type Step =
  | { do: 'tell'; told: Told }
  | { do: 'refund'; order: number; refund: number; amount: number; restock: boolean }
  | { do: 'move'; order: number; status: 'fulfilled' | 'cancelled' }
  | { do: 'restock'; pieces: number }
  | { do: 'confirm'; order: number }
  | { do: 'dismiss' | 'apply'; order: number; payment: number }
  | { do: 'expire' | 'replay' };

const order = fc.nat(quantities.length - 1);
const payment = fc.constantFrom(0, 0, 1);
const object = fc.constantFrom<TheObject>('intent', 'charge', 'session');
const attempt = (what: Attempt['what']): fc.Arbitrary<Attempt> =>
  fc.record({ what: fc.constant(what), order, payment, object });
const refundTold: fc.Arbitrary<RefundTold> = fc.record({
  what: fc.constant('refund' as const),
  order,
  payment,
  refund: fc.nat(refundAmounts.length - 1),
  status: fc.constantFrom<RefundStatus>('pending', 'completed', 'completed', 'failed'),
  names: fc.constantFrom('intent' as const, 'charge' as const, 'both' as const),
});
const told: fc.Arbitrary<Told> = fc.oneof(
  { weight: 5, arbitrary: attempt('succeeded') },
  attempt('failed'),
  attempt('processing'),
  { weight: 3, arbitrary: refundTold },
);
const one = <T extends string>(what: T) => fc.constant(what);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: one('tell'), told }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: one('refund'),
      order,
      refund: fc.nat(4),
      amount: fc.constantFrom(1, 3, 5, 10, 20, 40),
      restock: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: one('move'), order, status: fc.constantFrom('fulfilled', 'cancelled') }) },
  { weight: 2, arbitrary: fc.record({ do: one('restock'), pieces: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: one('expire') }) },
  fc.record({ do: one('confirm'), order }),
  fc.record({ do: one('dismiss'), order, payment }),
  fc.record({ do: one('apply'), order, payment }),
  fc.record({ do: one('replay') }),
);
const plan: fc.Arbitrary<Plan> = fc.record({
  naming: fc.constantFrom('intent', 'session', 'both'),
  share: fc.constantFrom('all', 'all', 'all', 'less'),
  failsAt: fc.constantFrom('first', 'last'),
});
/** Square's payments have one object, which names the order. */
const squarePlan = plan.map((any): Plan => ({ ...any, naming: 'both' }));
const plans = fc.tuple(fc.tuple(plan, plan), fc.tuple(squarePlan, squarePlan), fc.tuple(plan, plan));

const refundId = (of: { order: number; payment: number; refund: number }) => `re-${paymentKey(of)}-${of.refund}`;

/** Stripe reports the even orders, Square the odd ones. */
function notification(told: Told, { plan, amount }: { plan: Plan; amount: number }, orderId: string, now: number) {
  return told.order % 2 === 0 ? stripeOf(told, plan, amount, orderId, now) : squareOf(told, plan, amount, orderId);
}

function stripeOf(told: Told, plan: Plan, captured: number, orderId: string, now: number) {
  const key = paymentKey(told);
  const [intent, charge, session] = [`pi_${key}`, `ch_${key}`, `cs_${key}`];
  const sent = (type: string, created: number, object: object) => ({
    provider: 'stripe',
    ...signStripe({ id: eventOf(told), object: 'event', created, type, data: { object } }, secret, now),
  });
  if (told.what === 'refund') {
    const statuses = { pending: 'pending', completed: 'succeeded', failed: 'failed' };
    return sent('refund.updated', 40, {
      id: refundId(told),
      amount: (refundAmounts[told.refund] as number) * 100,
      currency: 'eur',
      payment_intent: told.names === 'charge' ? null : intent,
      charge: told.names === 'intent' ? null : charge,
      status: statuses[told.status],
    });
  }
  const { what, object } = told;
  const names = plan.naming === 'both' || (plan.naming === 'session') === (object === 'session');
  const metadata = names && object !== 'session' ? { order_id: orderId } : {};
  const [amount, currency] = [captured * 100, 'eur'];
  const created = timeOf(what, plan);
  if (object === 'intent') {
    const type = { succeeded: 'succeeded', failed: 'payment_failed', processing: 'processing' }[what];
    const received = what === 'succeeded' ? amount : 0;
    const fields = { id: intent, latest_charge: charge, amount, amount_received: received, currency, metadata };
    return sent(`payment_intent.${type}`, created, fields);
  }
  if (object === 'charge') {
    const type = { succeeded: 'charge.succeeded', failed: 'charge.failed', processing: 'charge.succeeded' }[what];
    // If the authorised amount exceeds the captured one, the remainder is released.
    const fields = { id: charge, payment_intent: intent, amount: amount + 100, amount_captured: amount };
    return sent(type, created, { ...fields, captured: what === 'succeeded', currency, metadata });
  }
  const type = { succeeded: 'completed', failed: 'async_payment_failed', processing: 'completed' }[what];
  return sent(`checkout.session.${type}`, created, {
    id: session,
    mode: 'payment',
    payment_intent: intent,
    payment_status: what === 'succeeded' ? 'paid' : 'unpaid',
    amount_total: amount,
    currency,
    client_reference_id: names ? orderId : null,
  });
}

function squareOf(told: Told, plan: Plan, captured: number, orderId: string) {
  const id = `sq_${paymentKey(told)}`;
  const money = (amount: number) => ({ amount: amount * 100, currency: 'EUR' });
  const refundStatuses = { pending: 'PENDING', completed: 'COMPLETED', failed: 'FAILED' };
  const states = { succeeded: 'COMPLETED', failed: 'FAILED', processing: 'APPROVED' };
  const object =
    told.what === 'refund'
      ? {
          refund: {
            id: refundId(told),
            payment_id: id,
            amount_money: money(refundAmounts[told.refund] as number),
            status: refundStatuses[told.status],
          },
        }
      : {
          payment: {
            id,
            reference_id: orderId,
            amount_money: money(captured),
            status: states[told.what],
            version: timeOf(told.what, plan),
          },
        };
  const type = told.what === 'refund' ? 'refund.updated' : 'payment.updated';
  const body = Buffer.from(JSON.stringify({ type, event_id: eventOf(told), data: { object } }));
  const signature = createHmac('sha256', secret).update(address).update(body).digest('base64');
  return { provider: 'square', body, headers: { 'x-square-hmacsha256-signature': signature } };
}

/** A shop and its model, side by side. */
class Pair {
  constructor(
    readonly model: Model,
    readonly shop: Context,
    readonly clock: FakeClock,
    readonly productId: string,
    readonly orderIds: readonly string[],
  ) {}

  async run(step: Step): Promise<void> {
    const { model, shop } = this;
    switch (step.do) {
      case 'tell':
        model.tell(step.told);
        return this.#tell(step.told);
      case 'refund': {
        const paidBy = model.order(step.order).paidBy ?? 0;
        const refund = refundId({ order: step.order, payment: paidBy, refund: step.refund });
        const input = { amount: `${step.amount}.00`, refundId: refund, ...(step.restock ? { restock: true } : {}) };
        const verdict = model.refund(step.order, step.refund, step.amount, step.restock);
        return this.#expect(verdict, () => refundOrder(shop, this.#id(step.order), input));
      }
      case 'move':
        return this.#expect(model.move(step.order, step.status), () =>
          updateOrder(shop, this.#id(step.order), { status: step.status }),
        );
      case 'restock':
        model.stock += step.pieces;
        await adjustStock(shop, this.productId, { adjustment: step.pieces });
        return;
      case 'expire':
        model.expire();
        this.clock.advance(1000);
        await expireInStore(shop, this.clock.now(), (error) => {
          throw error;
        });
        return;
      case 'confirm':
        return this.#expect(model.confirm(step.order), () => confirmFromInbox(shop, this.#id(step.order)));
      case 'dismiss':
      case 'apply': {
        const { id } = (await this.#payment(step)) ?? {};
        if (id === undefined) return;
        const orderId = this.#id(step.order);
        return step.do === 'dismiss'
          ? this.#expect(model.dismiss(step), () => dismissPayment(shop, id))
          : this.#expect(model.apply(step), () => applyPayment(shop, id, { orderId }));
      }
      case 'replay': {
        // A replay looks again at waiting money; money that waits only for its payment stays.
        const { items } = await listNotifications(shop, { unmatched: true, limit: 200 });
        for (const { id, eventId } of items.reverse()) {
          await replayNotification(shop, id);
          const told = this.#told.get(eventId.replace(/ (payment|refund)\.updated$/, ''));
          if (told) model.tell(told);
        }
      }
    }
  }

  #id(order: number): string {
    return this.orderIds[order] ?? '';
  }

  async #payment(of: { order: number; payment: number }): Promise<Payment | undefined> {
    const { items } = await listPayments(this.shop, { limit: 200 });
    const ids = [`pi_${paymentKey(of)}`, `sq_${paymentKey(of)}`];
    return items.find(({ providerPaymentId }) => ids.includes(providerPaymentId));
  }

  readonly #told = new Map<string, Told>();

  async #tell(told: Told): Promise<void> {
    this.#told.set(eventOf(told), told);
    const { engine, store } = this.shop;
    const { provider, ...raw } = notification(told, this.model.payment(told), this.#id(told.order), engine.clock.now());
    await receiveNotification(engine, provider, raw, { storeId: store.id }).catch((error: unknown) => {
      // The provider must send again when stock is available; everything else is answered with 200.
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
    for (const number of quantities.keys()) {
      const wanted = model.order(number);
      const order = await getOrder(shop, this.#id(number));
      const status = model.statusOf(number);
      const paidBy = wanted.paidBy === null ? null : { order: number, payment: wanted.paidBy };
      expect(order).toMatchObject({
        status,
        cancelReason: status !== 'cancelled' ? null : wanted.expired ? 'expired' : 'requested',
        paymentId: paidBy && `${number % 2 === 0 ? 'pi' : 'sq'}_${paymentKey(paidBy)}`,
      });
      // If an order was cancelled before its payment, the further course of its payments is not checked.
      if (status === 'cancelled' && paidBy === null) continue;
      expect(order.paymentStatus).toBe(model.paymentStatus(number));
      expect(order.refundedAmount).toBe(`${model.refunded(number)}.00`);
      const refunds = paidBy === null ? [] : [...model.payment(paidBy).refunds];
      const counted = refunds.filter(([, { status }]) => status === 'completed');
      const { items } = await listRefunds(shop, order.id, { status: 'succeeded' });
      expect(items.map(({ refundId, amount }) => `${refundId} ${amount}`).sort()).toEqual(
        counted.map(([id, { amount }]) => `re-${paymentKey(paidBy ?? (wanted as never))}-${id} ${amount}.00`).sort(),
      );
    }
    await this.#expectNothingAstray();
  }

  /** Each payment is kept, counted, and shown if it needs attention; a resolved one leaves nothing waiting. */
  async #expectNothingAstray(): Promise<void> {
    const { shop, model } = this;
    const { items, total } = await listPayments(shop, { limit: 200 });
    const known = [...model.payments].filter(([, one]) => one.known);
    expect(items).toHaveLength(known.length);
    expect(total).toBe(known.length);
    const unmatched = (await listPayments(shop, { unmatched: true, limit: 200 })).items;
    const waits: string[] = [];
    for (const order of quantities.keys()) {
      for (const payment of [0, 1]) {
        const one = model.payment({ order, payment });
        if (one.status === 'succeeded' && !model.isResolved({ order, payment }))
          waits.push(paymentKey({ order, payment }));
      }
    }
    const keyOf = ({ providerPaymentId }: Payment) => providerPaymentId.slice(3);
    expect(unmatched.map(keyOf).sort()).toEqual(waits.sort());
    const resolved = new Set(items.filter((one) => one.status === 'succeeded' && !unmatched.includes(one)).map(keyOf));
    for (const one of unmatched) resolved.delete(keyOf(one));
    const inbox = (await listNotifications(shop, { unmatched: true, limit: 200 })).items;
    const left = inbox.filter(({ paymentId }) => resolved.has(paymentId?.slice(3) ?? ''));
    // A refund can still wait if its charge is not linked to a payment yet.
    expect(left.map(({ eventId }) => eventId).filter((event) => !model.waiting.has(event))).toEqual([]);
    const events = await eventsOf(shop);
    const paid = events.filter(({ type }) => type === 'order.paid').map(({ resourceId }) => resourceId);
    expect(paid.sort()).toEqual([...model.paidEver].map((number) => this.#id(number)).sort());
    const told = events.filter(({ type }) => type === 'payment.unmatched').map(({ resourceId }) => resourceId);
    expect(new Set(told).size).toBe(told.length);
  }
}

forEachStorage('the money of a shop beside a model of it', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  it('is the same after any notifications, refunds, moves, expiries and retries in any order', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.array(step, { minLength: 5, maxLength: 30 }), async (how, steps) => {
        const shop = await newShop(commerce());
        await configureProvider(shop, 'stripe', { webhookSecret: secret });
        await configureProvider(shop, 'square', { signatureKey: secret, notificationUrl: address });
        const product = await newProduct(shop, { price: `${price}`, trackStock: true, stock: 100 });
        const orders = await Promise.all(
          quantities.map((quantity) => createOrder(shop, { items: [{ productId: product.id, quantity }] })),
        );
        await updateProduct(shop, product.id, { stock: firstStock });
        const ids = orders.map(({ id }) => id);
        const pair = new Pair(new Model(how), shop, clock, product.id, ids);
        for (const one of steps) await pair.run(one);
        await pair.expectSame();
      }),
      { numRuns: runs, ...seed },
    );
  }, 3_600_000);
});
