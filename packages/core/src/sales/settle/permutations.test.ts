import { capture, configurePayPal, deliver } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import { eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureSquare, sendSquare, squarePayment } from '@commerce/test-support/fixtures/square';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Context, createOrder, getOrder, getProduct, listNotifications, listRefunds } from '../../index.ts';

/** The life of a payment of 50.00, with refunds of 15.00 and 10.00. */
interface Life {
  set: (shop: Context) => Promise<unknown>;
  send: (shop: Context, event: object) => Promise<unknown>;
  /** The five events sent in every possible order. */
  events: (orderId: string) => object[];
  /** All events that the provider can send, in the order in which they happen. */
  all: (orderId: string) => object[];
  payment: object;
}

forEachStorage('the events of one payment, in every order', (database, dialect) => {
  const commerce = useCommerce(database);
  let paypal: PayPalStub;
  beforeAll(async () => {
    paypal = await startPayPal();
  });
  afterAll(() => paypal.close());

  const lives: Record<string, Life> = {
    stripe: {
      set: configureStripe,
      send,
      events: (orderId) => {
        const paid = payment(orderId, 5000);
        const refunds = refundsOf(paid);
        return [
          paid.intentSucceeded(),
          paid.chargeSucceeded(),
          refunds.one(1500).created(),
          refunds.total(1500),
          refunds.one(1000).created(),
        ];
      },
      all: (orderId) => {
        const paid = payment(orderId, 5000);
        const refunds = refundsOf(paid);
        const [one, two, failing] = [refunds.one(1500), refunds.one(1000), refunds.one(500)];
        return [
          paid.intentProcessing(),
          paid.chargeFailed(),
          paid.intentFailed(),
          paid.chargeSucceeded(),
          paid.intentSucceeded(),
          paid.sessionCompleted(),
          paid.chargeUpdated({ balance_transaction: 'txn_1' }),
          one.created('pending'),
          refunds.total(1500),
          one.updated(),
          one.chargeRefundUpdated(),
          two.created(),
          refunds.total(2500),
          failing.created(),
          refunds.total(3000),
          failing.failed(),
          failing.updated('failed'),
        ];
      },
      payment: {
        paymentMethod: 'card',
        paymentDetails: { last4: '4242', brand: 'visa', expMonth: 8, expYear: 2030 },
      },
    },
    paypal: {
      set: (shop) => configurePayPal(shop, paypal.url),
      send: deliver,
      events: (orderId) => {
        const paid = capture(orderId, '50.00');
        const one = (status: string) => paid.refunded('15.00', { status }, `R${paid.id}`);
        return [paid.pending(), paid.completed(), one('PENDING'), one('COMPLETED'), paid.refunded('10.00')];
      },
      all: (orderId) => {
        const paid = capture(orderId, '50.00');
        const one = (status: string) => paid.refunded('15.00', { status }, `R${paid.id}`);
        const failing = (status: string) => paid.refunded('5.00', { status }, `F${paid.id}`);
        return [
          capture(orderId, '50.00').denied(),
          paid.pending(),
          paid.completed(),
          one('PENDING'),
          one('COMPLETED'),
          failing('COMPLETED'),
          failing('FAILED'),
          paid.refunded('10.00'),
        ];
      },
      payment: { paymentMethod: 'paypal', paymentDetails: null },
    },
    square: {
      set: (shop) => configureSquare(shop),
      send: sendSquare,
      events: (orderId) => {
        const paid = squarePayment(orderId, 5000);
        return [
          paid.created(),
          paid.completed(),
          paid.feeAdded(),
          paid.refund(1500).updated(),
          paid.refund(1000).created('COMPLETED'),
        ];
      },
      all: (orderId) => {
        const paid = squarePayment(orderId, 5000);
        const [one, two, failing] = [paid.refund(1500), paid.refund(1000), paid.refund(500)];
        return [
          squarePayment(orderId, 5000).failed(),
          paid.created(),
          paid.completed(),
          paid.feeAdded(),
          one.created(),
          one.updated(),
          paid.afterRefund(1500),
          two.created('COMPLETED'),
          two.updated(),
          paid.afterRefund(2500, 12),
          failing.created(),
          failing.updated('REJECTED'),
        ];
      },
      payment: { paymentMethod: 'card', paymentDetails: { last4: '9029', brand: 'mastercard' } },
    },
  };

  /** Sends each of these sequences of events for its own order, and checks the result. */
  async function tell(life: Life, rows: ((orderId: string) => object[])[]): Promise<void> {
    const shop = await newShop(commerce());
    await life.set(shop);
    const product = await newProduct(shop, { price: '50', trackStock: true, stock: 1000 });
    let sold = 0;
    for (const events of rows) {
      const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
      const sequence = events(order.id);
      for (const event of sequence) await life.send(shop, event);
      const context = JSON.stringify(sequence.map(brief));
      expect(await getOrder(shop, order.id), context).toMatchObject({
        status: 'paid',
        paymentStatus: 'partially_refunded',
        refundedAmount: '25.00',
        ...life.payment,
      });
      const { items } = await listRefunds(shop, order.id);
      expect(items.map(({ amount }) => amount).sort(), context).toEqual(['10.00', '15.00']);
      expect((await getProduct(shop, product.id)).stock, context).toBe(1000 - ++sold);
    }
    expect(await listNotifications(shop, { unmatched: true })).toEqual({ items: [], total: 0 });
    const types = (await eventsOf(shop)).map(({ type }) => type);
    for (const type of ['order.paid', 'order.created']) {
      expect([type, types.filter((one) => one === type).length]).toEqual([type, rows.length]);
    }
  }

  const providers = Object.entries(lives);

  it.each(providers)('have the same result: all 120 orders of five events of %s', async (_, life) => {
    const every = permutationsOf([0, 1, 2, 3, 4]);
    expect(every).toHaveLength(120);
    // The result does not depend on the database, so a sample is enough on the second one.
    const orders = dialect === 'sqlite' ? every : every.filter((_, i) => i % 7 === 0);
    await tell(
      life,
      orders.map((order) => (orderId) => pick(life.events(orderId), order)),
    );
  });

  it.each(providers)('have the same result: all events of %s, each twice, shuffled', async (_, life) => {
    const random = randomOf(20_261_118);
    await tell(
      life,
      Array.from({ length: 10 }, () => (orderId) => {
        const all = life.all(orderId);
        return shuffled([...all, ...all], random);
      }),
    );
  });

  it.each(providers)('have the same result: all events of %s, in order and backwards', async (_, life) => {
    await tell(life, [life.all, (orderId) => life.all(orderId).reverse()]);
  });

  it.each(providers)('have the same result when %s sends them all at once', async (_, life) => {
    const shop = await newShop(commerce());
    await life.set(shop);
    const product = await newProduct(shop, { price: '50', trackStock: true, stock: 1000 });
    for (let round = 0; round < 3; round++) {
      const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
      const all = life.all(order.id);
      await Promise.all([...all, ...all].map((event) => life.send(shop, event)));
      expect(await getOrder(shop, order.id)).toMatchObject({
        status: 'paid',
        paymentStatus: 'partially_refunded',
        refundedAmount: '25.00',
      });
      expect((await getProduct(shop, product.id)).stock).toBe(999 - round);
    }
    expect((await listNotifications(shop, { unmatched: true })).total).toBe(0);
    expect((await eventsOf(shop)).filter(({ type }) => type === 'order.paid')).toHaveLength(3);
  });
});

function brief(event: object): unknown {
  const { type, event_type: named } = event as Record<string, unknown>;
  const text = JSON.stringify(event);
  return [type ?? named, /"status":"(\w+)"/.exec(text)?.[1], /"(?:amount_refunded|version)":(\d+)/.exec(text)?.[1]];
}

function pick<T>(items: T[], order: number[]): T[] {
  return order.map((i) => items[i] as T);
}

function permutationsOf<T>(items: T[]): T[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((first, i) => permutationsOf(items.filter((_, j) => j !== i)).map((rest) => [first, ...rest]));
}

function shuffled<T>(items: T[], random: () => number): T[] {
  const left = [...items];
  return items.map(() => left.splice(Math.floor(random() * left.length), 1)[0] as T);
}

/** A generator of numbers from 0 to 1, the same in each run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
