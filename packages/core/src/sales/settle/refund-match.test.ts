import { capture, configurePayPal, deliver } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import { auditOf, newProduct, newShop, orderingsOf, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send, toldAt } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOrder, getOrder, listNotifications, listPayments, listRefunds, refundOrder } from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';

const minute = 60_000;

forEachStorage('refunds reported by both shop and provider', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let paypal: PayPalStub;
  beforeAll(async () => {
    paypal = await startPayPal();
  });
  afterAll(() => paypal.close());

  async function pending() {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    await configurePayPal(shop, paypal.url);
    const product = await newProduct(shop, { price: '50' });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const paid = payment(order.id, 5000);
    const now = () => getOrder(shop, order.id);
    const amounts = async () =>
      (await listRefunds(shop, order.id)).items.map(({ refundId, amount }) => [refundId, amount]);
    const own = (amount: string, refundId?: string) =>
      refundOrder(shop, order.id, { amount, refundId: refundId ?? null });
    return { shop, order, paid, refunds: refundsOf(paid), now, amounts, own };
  }
  async function paidOrder() {
    const created = await pending();
    await send(created.shop, created.paid.chargeSucceeded());
    return created;
  }

  it.each([
    ['the shop first', 59],
    ['the provider first', 59],
    ['the shop first', 0],
    ['the provider first', 0],
  ])(
    'are one when no id joins them, %s, the other %d minutes later, and both ids are valid',
    async (order, minutes) => {
      const { shop, refunds, now, amounts, own } = await paidOrder();
      const report = refunds.one(1500, 're_1').created();
      let answered = '';
      if (order === 'the shop first') {
        answered = (await own('15')).refundId;
        clock.advance(minutes * minute);
        await send(shop, report);
      } else {
        await send(shop, report);
        clock.advance(minutes * minute);
        answered = (await own('15')).refundId;
        expect(answered).toBe('re_1');
      }
      await send(shop, refunds.total(1500));
      expect((await now()).refundedAmount).toBe('15.00');
      expect(await amounts()).toEqual([['re_1', '15.00']]);
      for (const id of ['re_1', answered]) expect(await own('15', id)).toMatchObject({ refundId: 're_1' });
      expect((await now()).refundedAmount).toBe('15.00');
      await send(shop, refunds.one(1500, 're_1').failed());
      expect(await now()).toMatchObject({ refundedAmount: '0.00', paymentStatus: 'succeeded' });
    },
  );

  it.each(['the shop first', 'the provider first'])(
    'are two when more than an hour lies between, %s',
    async (order) => {
      const { shop, refunds, now, own } = await paidOrder();
      const report = refunds.one(1500, 're_1').created();
      if (order === 'the shop first') await own('15');
      else await send(shop, report);
      clock.advance(60 * minute + 1);
      if (order === 'the shop first') await send(shop, report);
      else await own('15');
      expect((await now()).refundedAmount).toBe('30.00');
    },
  );

  it('match one to one, two of the same amount to two, in any order', async () => {
    for (const sequence of orderingsOf(['shop', 'shop', 're_1', 're_2'])) {
      const { shop, refunds, now, amounts, own } = await paidOrder();
      for (const who of sequence) {
        if (who === 'shop') await own('10');
        else await send(shop, refunds.one(1000, who).created());
        clock.advance(minute);
      }
      expect([sequence, (await now()).refundedAmount]).toEqual([sequence, '20.00']);
      expect((await amounts()).sort()).toEqual([
        ['re_1', '10.00'],
        ['re_2', '10.00'],
      ]);
      await own('10');
      expect((await now()).refundedAmount).toBe('30.00');
    }
  }, 60_000);

  it('have the provider’s amount when the shop typed another one under its id', async () => {
    const { shop, order, refunds, now, amounts, own } = await paidOrder();
    await own('14', 're_1');
    await send(shop, refunds.one(1500, 're_1').created());
    expect((await now()).refundedAmount).toBe('15.00');
    expect(await amounts()).toEqual([['re_1', '15.00']]);
    const corrected = (await auditOf(shop)).filter(({ action }) => action === 'order.refund_corrected');
    expect(corrected).toMatchObject([{ resource_id: order.id, actor_type: 'provider' }]);
    expect(JSON.parse(corrected[0]?.changes ?? '')).toMatchObject({
      refundId: 're_1',
      amount: { from: '14.00', to: '15.00' },
    });
    await expectDenied(commerce(), () => own('14', 're_1'), { kind: 'conflict', fields: ['refundId'] });
  });

  it('keep the amount that the provider reported first: another one of the shop is a conflict', async () => {
    const { shop, refunds, now, own } = await paidOrder();
    await send(shop, refunds.one(1500, 're_1').created());
    await expectDenied(commerce(), () => own('14', 're_1'), { kind: 'conflict', fields: ['refundId'] });
    expect((await now()).refundedAmount).toBe('15.00');
    expect((await auditOf(shop)).filter(({ action }) => action === 'order.refund_corrected')).toEqual([]);
  });

  it('leave out the released part of a partly captured charge', async () => {
    const { shop, order, paid, refunds, now, amounts } = await pending();
    const part = { amount: 6000, amount_captured: 5000 };
    await send(shop, paid.chargeSucceeded({ ...part, captured: false, amount_captured: 0 }));
    expect(await send(shop, paid.chargeCaptured({ ...part, amount_refunded: 1000 }))).toMatchObject({
      outcome: 'paid',
    });
    await send(shop, refunds.total(1000, part));
    expect(await now()).toMatchObject({ status: 'paid', paymentStatus: 'succeeded', refundedAmount: '0.00' });
    await send(shop, refunds.total(1500, part));
    expect(await now()).toMatchObject({ paymentStatus: 'partially_refunded', refundedAmount: '5.00' });
    await send(shop, refunds.one(500, 're_1').created());
    expect((await now()).refundedAmount).toBe('5.00');
    expect(await amounts()).toEqual([['re_1', '5.00']]);
    await send(shop, refunds.total(6000, part));
    expect(await now()).toMatchObject({ status: 'refunded', refundedAmount: '50.00' });
    expect((await listPayments(shop, { orderId: order.id })).items).toMatchObject([{ capturedAmount: '50.00' }]);
  });

  it.each<[string, Record<string, unknown>, (orderId: string) => Record<string, unknown>]>([
    ['the charge', { payment_intent: null }, () => ({})],
    ['the order', { payment_intent: null, charge: null }, (orderId) => ({ metadata: { order_id: orderId } })],
  ])(
    'find their payment when they name %s alone, before it and after it',
    async (_, fields, more) => {
      for (const sequence of orderingsOf(['intent', 'charge', 'refund'] as const)) {
        const { shop, order, paid, refunds, now } = await pending();
        const events = {
          intent: paid.intentSucceeded({ latest_charge: null }),
          charge: paid.chargeSucceeded(),
          refund: refunds.one(1500).created('succeeded', { ...fields, ...more(order.id) }),
        };
        for (const name of sequence) await send(shop, events[name]);
        expect([sequence, await now()]).toMatchObject([
          sequence,
          { status: 'paid', paymentStatus: 'partially_refunded', refundedAmount: '15.00' },
        ]);
        expect((await listNotifications(shop, { unmatched: true })).items).toEqual([]);
      }
    },
    30_000,
  );

  it('find their payment through PayPal when they name the order alone', async () => {
    for (const sequence of orderingsOf(['capture', 'refund'] as const)) {
      const { shop, order, now } = await pending();
      const paid = capture(order.id, '50.00');
      const events = {
        capture: paid.completed(),
        refund: paid.refunded('15.00', { links: [], custom_id: order.id }),
      };
      for (const name of sequence) await deliver(shop, events[name]);
      expect([sequence, await now()]).toMatchObject([sequence, { status: 'paid', refundedAmount: '15.00' }]);
    }
  });

  it('that failed do not hide later running totals', async () => {
    const { shop, refunds, now } = await paidOrder();
    await send(shop, toldAt(refunds.total(1500), 1000));
    expect((await now()).refundedAmount).toBe('15.00');
    const failed = refunds.one(1500, 're_old').chargeRefundUpdated('failed');
    await send(shop, toldAt(failed, 2000));
    expect(await now()).toMatchObject({ refundedAmount: '0.00', paymentStatus: 'succeeded' });
    await send(shop, toldAt(refunds.total(2000), 3000));
    expect((await now()).refundedAmount).toBe('20.00');
    // A late repetition changes nothing.
    await send(shop, toldAt(refunds.total(1500), 1000));
    expect((await now()).refundedAmount).toBe('20.00');
  });
});
