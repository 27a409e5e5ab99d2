import { capture, configurePayPal, deliver, paypalEvent } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import { choicesOf, newProduct, newShop, orderingsOf, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type Context,
  createOrder,
  getOrder,
  getProduct,
  listNotifications,
  listPayments,
  listRefunds,
  type Order,
  type Product,
} from '../../index.ts';

type Paid = ReturnType<typeof payment>;
/** The events that name the order, and the field that contains its id. */
type Names = Partial<Record<'session' | 'charge' | 'intent', boolean>>;

forEachStorage('notifications that do not all name their order', (database) => {
  const commerce = useCommerce(database);
  let paypal: PayPalStub;
  let shop: Context;
  let product: Product;
  beforeAll(async () => {
    paypal = await startPayPal();
  });
  beforeEach(async () => {
    shop = await newShop(commerce());
    await configureStripe(shop);
    await configurePayPal(shop, paypal.url);
    product = await newProduct(shop, { price: '10', trackStock: true, stock: 1000 });
  });
  afterAll(() => paypal.close());

  const newOrder = () => createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
  const stockOf = async () => (await getProduct(shop, product.id)).stock;
  const nameless = { metadata: {} };

  /** The events of one payment, a few of which name the order. */
  function eventsOf(paid: Paid, order: Order, names: Names, byReference: boolean) {
    const session = byReference ? { ...nameless, client_reference_id: order.id } : {};
    return {
      session: () => paid.sessionCompleted(names.session ? session : nameless),
      charge: () => paid.chargeSucceeded(names.charge ? {} : nameless),
      intent: () => paid.intentSucceeded(names.intent ? {} : nameless),
    };
  }

  async function expectPaid(order: Order, paid: Paid, stock: number) {
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'paid',
      paymentId: paid.id,
      paymentMethod: 'card',
      paymentDetails: { last4: '4242', brand: 'visa', expMonth: 8, expYear: 2030 },
    });
    expect(await stockOf()).toBe(stock - 1);
    expect((await listPayments(shop, { orderId: order.id })).items).toMatchObject([
      {
        providerPaymentId: paid.id,
        matched: 'paid',
        capturedAmount: '10.00',
        relatedIds: { charge: `ch_of_${paid.id}` },
      },
    ]);
    expect((await listPayments(shop, { unmatched: true })).total).toBe(0);
    expect((await listNotifications(shop, { unmatched: true })).items).toEqual([]);
  }

  it.each([
    ['metadata', false],
    ['client_reference_id', true],
  ])(
    'pay it in any order of arrival, whichever of them name it, the session by its %s',
    async (_, byReference) => {
      for (const named of choicesOf(['session', 'charge', 'intent'] as const)) {
        for (const sequence of orderingsOf(['session', 'charge', 'intent'] as const)) {
          const stock = await stockOf();
          const order = await newOrder();
          const paid = payment(order.id, 1000);
          const events = eventsOf(paid, order, Object.fromEntries(named.map((name) => [name, true])), byReference);
          for (const name of sequence) await send(shop, events[name]());
          await expectPaid(order, paid, stock);
        }
      }
    },
    60_000,
  );

  it('pay it by a later capture, in any order of arrival, when the session alone names it', async () => {
    for (const sequence of orderingsOf(['session', 'promise', 'capture', 'intent'] as const)) {
      const stock = await stockOf();
      const order = await newOrder();
      const paid = payment(order.id, 1000);
      const events = {
        session: paid.sessionCompleted({ payment_status: 'unpaid' }),
        promise: paid.chargeSucceeded({ ...nameless, captured: false, amount_captured: 0 }),
        capture: paid.chargeCaptured(nameless),
        intent: paid.intentSucceeded(nameless),
      };
      for (const [i, name] of sequence.entries()) {
        await send(shop, events[name]);
        const arrived = sequence.slice(0, i + 1);
        const isPaid = arrived.includes('session') && (arrived.includes('capture') || arrived.includes('intent'));
        expect([arrived, (await getOrder(shop, order.id)).status]).toEqual([arrived, isPaid ? 'paid' : 'pending']);
      }
      await expectPaid(order, paid, stock);
    }
  }, 60_000);

  it('apply refunds that come at any time and name the charge or the intent', async () => {
    for (const sequence of orderingsOf(['session', 'charge', 'byCharge', 'byIntent'] as const)) {
      const stock = await stockOf();
      const order = await newOrder();
      const paid = payment(order.id, 1000);
      const refunds = refundsOf(paid);
      const events = {
        session: paid.sessionCompleted(),
        charge: paid.chargeSucceeded(nameless),
        byCharge: refunds.one(100).created('succeeded', { payment_intent: null }),
        byIntent: refunds.one(200).created('succeeded', { charge: null }),
      };
      for (const name of sequence) await send(shop, events[name]);
      await expectPaid(order, paid, stock);
      expect(await getOrder(shop, order.id)).toMatchObject({
        refundedAmount: '3.00',
        paymentStatus: 'partially_refunded',
      });
      expect((await listRefunds(shop, order.id)).total).toBe(2);
    }
  }, 60_000);

  it('pay it through PayPal by the approved order, in any order of arrival', async () => {
    for (const sequence of orderingsOf(['approved', 'capture', 'refund'] as const)) {
      const stock = await stockOf();
      const order = await newOrder();
      const paid = capture(null, '10.00');
      const approved = { id: paid.paypalOrder, status: 'APPROVED', purchase_units: [{ custom_id: order.id }] };
      const events = {
        approved: paypalEvent('CHECKOUT.ORDER.APPROVED', approved, 'checkout-order'),
        capture: paid.completed(),
        refund: paid.refunded('2.50'),
      };
      for (const name of sequence) await deliver(shop, events[name]);
      expect(await getOrder(shop, order.id)).toMatchObject({
        status: 'paid',
        paymentId: paid.id,
        paymentStatus: 'partially_refunded',
        refundedAmount: '2.50',
      });
      expect(await stockOf()).toBe(stock - 1);
      expect((await listNotifications(shop, { unmatched: true })).items).toEqual([]);
    }
  });
});
