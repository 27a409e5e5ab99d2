import { auditOf, emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, haveSamples, payment, sampleBody, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  createOrder,
  getOrder,
  getProduct,
  listNotifications,
  listRefunds,
  refundOrder,
  updateOrder,
} from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';

forEachStorage('refunds reported by Stripe', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  async function pending(currency = 'EUR', price = '50', minor = 5000) {
    const shop = await newShop(commerce(), currency);
    await configureStripe(shop);
    const product = await newProduct(shop, { price, trackStock: true, stock: 5 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const paid = payment(order.id, minor, currency.toLowerCase());
    return { shop, product, order, paid, refunds: refundsOf(paid, currency.toLowerCase()) };
  }

  async function paid(currency?: string, price?: string, minor?: number) {
    const created = await pending(currency, price, minor);
    await send(created.shop, created.paid.chargeSucceeded());
    const { shop, order } = created;
    const now = () => getOrder(shop, order.id);
    const amounts = async () =>
      (await listRefunds(shop, order.id)).items.map(({ refundId, amount }) => [refundId, amount]);
    return { ...created, now, amounts };
  }

  it('are recorded with their events, their audit entry and their record', async () => {
    const { shop, order, refunds, now } = await paid();
    const before = await now();
    clock.advance(1000);
    const at = new Date(clock.now()).toISOString();
    const refund = refunds.one(1500, 're_1');
    const types = await emittedBy(shop, async () => {
      expect(await send(shop, refund.created())).toEqual({ received: true, outcome: 'recorded' });
    });
    expect(types).toEqual(['order.refunded', 'order.updated']);
    expect(await now()).toEqual({
      ...before,
      refundedAmount: '15.00',
      paymentStatus: 'partially_refunded',
      updatedAt: at,
    });
    expect(await listRefunds(shop, order.id)).toEqual({
      items: [
        expect.objectContaining({
          refundId: 're_1',
          amount: '15.00',
          status: 'succeeded',
          providerRefundId: 're_1',
          recordedAt: at,
        }),
      ],
      total: 1,
    });
    const entry = (await auditOf(shop)).at(-1);
    expect(entry).toMatchObject({ action: 'order.refunded', actor_type: 'provider', actor_id: 'stripe' });
    expect(JSON.parse(entry?.changes ?? '{}')).toMatchObject({
      refundId: 're_1',
      amount: '15.00',
      refundedAmount: { from: '0.00', to: '15.00' },
    });
  });

  it('are counted once, whichever of the four events report one', async () => {
    const { shop, refunds, now, amounts } = await paid();
    const refund = refunds.one(1500, 're_1');
    const types = await emittedBy(shop, async () => {
      for (const event of [
        refund.created(),
        refunds.total(1500),
        refund.updated(),
        refund.chargeRefundUpdated(),
        refund.updated('succeeded'),
        refunds.total(1500),
      ]) {
        expect(await send(shop, event)).not.toHaveProperty('warning');
      }
    });
    expect(types).toEqual(['order.refunded', 'order.updated']);
    expect((await now()).refundedAmount).toBe('15.00');
    expect(await amounts()).toEqual([['re_1', '15.00']]);
  });

  it('reported by a running total alone count by its excess over the known ones', async () => {
    const { shop, refunds, now, amounts } = await paid();
    await send(shop, refunds.total(1500));
    expect(await now()).toMatchObject({ refundedAmount: '15.00', paymentStatus: 'partially_refunded', status: 'paid' });
    await send(shop, refunds.total(4000));
    expect((await now()).refundedAmount).toBe('40.00');
    // Sent earlier, received later.
    await send(shop, refunds.total(1500));
    expect((await now()).refundedAmount).toBe('40.00');
    await send(shop, refunds.one(1500, 're_1').created());
    expect((await now()).refundedAmount).toBe('40.00');
    await send(shop, refunds.one(2500, 're_2').created());
    expect((await now()).refundedAmount).toBe('40.00');
    expect(await amounts()).toEqual([
      ['re_1', '15.00'],
      ['re_2', '25.00'],
    ]);
    await send(shop, refunds.total(5000));
    expect(await now()).toMatchObject({ refundedAmount: '50.00', status: 'refunded', paymentStatus: 'refunded' });
  });

  it.each<[string, string[], string]>([
    ['pending', ['pending'], '0.00'],
    ['requires_action', ['requires_action'], '0.00'],
    ['pending, then succeeded', ['pending', 'succeeded'], '15.00'],
    ['succeeded, then pending', ['succeeded', 'pending'], '15.00'],
    ['pending, then failed', ['pending', 'failed'], '0.00'],
    ['pending, then canceled', ['pending', 'canceled'], '0.00'],
    ['succeeded, then failed', ['succeeded', 'failed'], '0.00'],
    ['failed, then succeeded', ['failed', 'succeeded'], '0.00'],
    ['a status of the future', ['whatever'], '0.00'],
  ])('count by their status: %s', async (_, statuses, refundedAmount) => {
    const { shop, refunds, now } = await paid();
    const refund = refunds.one(1500);
    for (const status of statuses) await send(shop, refund.updated(status));
    expect(await now()).toMatchObject({
      refundedAmount,
      status: 'paid',
      paymentStatus: refundedAmount === '0.00' ? 'succeeded' : 'partially_refunded',
    });
  });

  it.each(['paid', 'fulfilled'] as const)('that fail later return the order to %s', async (status) => {
    const { shop, order, refunds, now, amounts } = await paid();
    if (status === 'fulfilled') await updateOrder(shop, order.id, { status });
    const before = await now();
    const refund = refunds.one(5000);
    await send(shop, refund.created());
    expect(await now()).toMatchObject({ status: 'refunded', paymentStatus: 'refunded', refundedAmount: '50.00' });
    const types = await emittedBy(shop, async () => {
      expect(await send(shop, refund.failed())).toEqual({ received: true, outcome: 'recorded' });
    });
    expect(types).toEqual(['refund.failed', 'order.updated']);
    expect(await now()).toEqual(before);
    expect(await amounts()).toEqual([]);
    expect(await emittedBy(shop, () => send(shop, refund.updated('failed')))).toEqual([]);
    expect((await auditOf(shop)).at(-1)).toMatchObject({ action: 'order.refund_failed', actor_id: 'stripe' });
    // The money can be refunded in another way.
    await send(shop, refunds.one(5000).created());
    expect(await now()).toMatchObject({ status: 'refunded', refundedAmount: '50.00' });
  });

  it('that fail leave the others counted', async () => {
    const { shop, refunds, now } = await paid();
    const [one, two] = [refunds.one(1500), refunds.one(3500)];
    for (const event of [one.created(), two.created(), refunds.total(5000)]) await send(shop, event);
    expect((await now()).status).toBe('refunded');
    await send(shop, one.failed());
    expect(await now()).toMatchObject({ status: 'paid', paymentStatus: 'partially_refunded', refundedAmount: '35.00' });
  });

  it.each<[string, (created: Awaited<ReturnType<typeof pending>>) => object[]]>([
    ['by name', ({ refunds }) => [refunds.one(1500, 're_1').created()]],
    ['by the running total', ({ refunds }) => [refunds.total(1500)]],
    ['by both', ({ refunds }) => [refunds.total(1500), refunds.one(1500, 're_1').created()]],
    ['by both, the other way round', ({ refunds }) => [refunds.one(1500, 're_1').created(), refunds.total(1500)]],
  ])('before the payment wait for it: %s', async (_, events) => {
    const created = await pending();
    const { shop, order } = created;
    for (const event of events(created)) {
      expect(await send(shop, event)).toMatchObject({
        outcome: 'order_not_found',
        warning: expect.stringContaining(`no payment ${created.paid.id} in this store`),
      });
    }
    expect(await getOrder(shop, order.id)).toEqual(order);
    const types = await emittedBy(shop, () => send(shop, created.paid.intentSucceeded()));
    expect(types).toEqual(expect.arrayContaining(['order.paid', 'order.refunded']));
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'paid',
      paymentStatus: 'partially_refunded',
      refundedAmount: '15.00',
    });
    expect((await listNotifications(shop, { unmatched: true })).items).toEqual([]);
  });

  it('of the whole amount before payment and order leave the later order unpaid', async () => {
    const { shop, product } = await pending();
    const id = '0190a5c8-0000-7000-8000-00000000beef';
    const early = payment(id, 5000);
    await send(shop, refundsOf(early).total(5000));
    await send(shop, early.chargeSucceeded());
    await send(shop, refundsOf(early).one(3500).created());
    const types = await emittedBy(shop, async () => {
      const order = await createOrder(shop, { id, items: [{ productId: product.id, quantity: 1 }] });
      expect(order).toMatchObject({
        status: 'pending',
        paymentStatus: 'refunded',
        refundedAmount: '50.00',
        paidAt: null,
        paymentId: null,
      });
    });
    expect(types).toEqual(['order.updated']);
    expect((await getProduct(shop, product.id)).stock).toBe(product.stock);
    expect((await listNotifications(shop, { unmatched: true })).items).toEqual([]);
  });

  it('fill in an unknown card', async () => {
    const { shop, order, paid, refunds } = await pending();
    await send(shop, paid.intentSucceeded());
    expect((await getOrder(shop, order.id)).paymentDetails).toBe(null);
    await send(shop, refunds.total(1500));
    expect(await getOrder(shop, order.id)).toMatchObject({
      paymentMethod: 'card',
      paymentDetails: { last4: '4242' },
      refundedAmount: '15.00',
    });
  });

  it('that the shop recorded under their id first are not counted again', async () => {
    const { shop, order, refunds, now, amounts } = await paid();
    await refundOrder(shop, order.id, { amount: '15', refundId: 're_1' });
    const types = await emittedBy(shop, async () => {
      for (const event of [
        refunds.total(1500),
        refunds.one(1500, 're_1').created(),
        refunds.one(1500, 're_1').updated(),
      ]) {
        await send(shop, event);
      }
    });
    expect(types).toEqual([]);
    expect((await now()).refundedAmount).toBe('15.00');
    expect(await amounts()).toEqual([['re_1', '15.00']]);
  });

  it('that the shop recorded under their id after the report are the same record', async () => {
    const { shop, order, refunds, now } = await paid();
    await send(shop, refunds.one(1500, 're_1').created());
    const types = await emittedBy(shop, async () => {
      expect(await refundOrder(shop, order.id, { amount: '15', refundId: 're_1' })).toMatchObject({
        refundId: 're_1',
        amount: '15.00',
      });
    });
    expect(types).toEqual([]);
    expect((await now()).refundedAmount).toBe('15.00');
  });

  it('that the shop recorded by name are part of an earlier running total', async () => {
    const { shop, order, refunds, now, amounts } = await paid();
    await send(shop, refunds.total(1500));
    await refundOrder(shop, order.id, { amount: '15', refundId: 're_1' });
    await send(shop, refunds.one(1500, 're_1').created());
    expect((await now()).refundedAmount).toBe('15.00');
    expect(await amounts()).toEqual([['re_1', '15.00']]);
  });

  it('that the shop recorded without an id match the first of that amount, and the next one is new', async () => {
    const { shop, order, refunds, now, amounts } = await paid();
    const own = await refundOrder(shop, order.id, { amount: '15' });
    await send(shop, refunds.one(500, 're_other').created());
    expect((await now()).refundedAmount).toBe('20.00');
    await send(shop, refunds.one(1500, 're_1').created());
    await send(shop, refunds.total(2000));
    expect((await now()).refundedAmount).toBe('20.00');
    // From now on shown under the provider's id; the id that the shop received before stays valid.
    for (const refundId of ['re_1', own.refundId]) {
      expect(await refundOrder(shop, order.id, { amount: '15', refundId })).toMatchObject({
        refundId: 're_1',
        amount: '15.00',
      });
    }
    expect((await now()).refundedAmount).toBe('20.00');
    await send(shop, refunds.one(1500, 're_2').created());
    expect((await now()).refundedAmount).toBe('35.00');
    expect(await amounts()).toHaveLength(3);
    await send(shop, refunds.one(1500, 're_1').failed());
    expect((await now()).refundedAmount).toBe('20.00');
  });

  it('of a cancelled order change its payment status, and it stays cancelled', async () => {
    const { shop, order, product, refunds, now } = await paid();
    await updateOrder(shop, order.id, { status: 'cancelled' });
    expect((await getProduct(shop, product.id)).stock).toBe(5);
    const refund = refunds.one(5000);
    const types = await emittedBy(shop, () => send(shop, refund.created()));
    expect(types).toEqual(['order.refunded', 'order.updated']);
    expect(await now()).toMatchObject({ status: 'cancelled', paymentStatus: 'refunded', refundedAmount: '50.00' });
    expect((await getProduct(shop, product.id)).stock).toBe(5);
    await send(shop, refund.failed());
    expect(await now()).toMatchObject({ status: 'cancelled', paymentStatus: 'succeeded', refundedAmount: '0.00' });
  });

  it('in another currency change only the inbox and the audit log', async () => {
    const { shop, refunds, now, order } = await paid();
    const before = await now();
    for (const event of [
      refunds.one(1500).created('succeeded', { currency: 'usd' }),
      refunds.total(1500, { currency: 'usd' }),
      refunds.one(1500).created('succeeded', { amount: undefined }),
      refunds.one(1500).created('succeeded', { amount: 15.5 }),
    ]) {
      const types = await emittedBy(shop, async () => {
        expect(await send(shop, event)).toMatchObject({ received: true, outcome: 'amount_mismatch' });
      });
      expect(types).toEqual([]);
    }
    expect(await now()).toEqual(before);
    expect((await listRefunds(shop, order.id)).total).toBe(0);
    expect((await listNotifications(shop, { unmatched: true })).total).toBe(4);
    expect((await auditOf(shop)).at(-1)).toMatchObject({ action: 'payment.refused' });
  });

  it('above the paid amount are recorded unchanged, and the order states its total', async () => {
    const { shop, order, refunds, now, amounts } = await paid();
    await send(shop, refunds.one(6000, 're_1').created());
    expect(await now()).toMatchObject({ status: 'refunded', refundedAmount: '50.00' });
    expect(await amounts()).toEqual([['re_1', '60.00']]);
    await send(shop, refunds.one(1000, 're_2').created());
    expect((await now()).refundedAmount).toBe('50.00');
    await send(shop, refunds.one(6000, 're_1').failed());
    expect(await now()).toMatchObject({ status: 'paid', refundedAmount: '10.00' });
    expect((await listRefunds(shop, order.id)).total).toBe(1);
  });

  it.each([
    ['JPY', '5000', 5000, '1500', 1500],
    ['KWD', '50.000', 50_000, '15.005', 15_005],
    // With two decimals at Stripe, without any here.
    ['ISK', '5000', 500_000, '1500', 150_000],
    ['UGX', '5000', 500_000, '1500', 150_000],
    // Without decimals at Stripe, with two here.
    ['MGA', '50.00', 50, '15.00', 15],
  ])('in %s are read as Stripe writes them', async (currency, price, minor, amount, refunded) => {
    const { shop, refunds, now } = await paid(currency, price, minor);
    await send(shop, refunds.one(refunded).created());
    expect((await now()).refundedAmount).toBe(amount);
    await send(shop, refunds.total(minor));
    expect(await now()).toMatchObject({ status: 'refunded', refundedAmount: (await now()).total });
  });

  it('name a charge when they have no intent', async () => {
    const { shop, order, paid, refunds } = await pending();
    await send(shop, paid.chargeSucceeded({ payment_intent: null }));
    await send(shop, refunds.one(1500, 're_1').created('succeeded', { payment_intent: null }));
    await send(shop, refunds.total(1500, { payment_intent: null }));
    expect((await getOrder(shop, order.id)).refundedAmount).toBe('15.00');
    expect(await send(shop, refunds.one(1).created('succeeded', { payment_intent: null, charge: null }))).toEqual({
      received: true,
      outcome: 'ignored',
    });
  });

  it("of another store's payment are not found here", async () => {
    const [ours, theirs] = [await paid(), await paid()];
    expect(await send(ours.shop, theirs.refunds.one(1500).created())).toMatchObject({ outcome: 'order_not_found' });
    expect((await theirs.now()).refundedAmount).toBe('0.00');
  });

  it.skipIf(!haveSamples)('are read correctly from the collected bodies (skipped when these are missing)', async () => {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '49.99' });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const deliver = (name: string) =>
      send(shop, JSON.parse(sampleBody(`${name}.json`).replaceAll('"ORD-10001"', JSON.stringify(order.id))));
    for (const [name, refundedAmount] of [
      ['refund.created', '0.00'],
      ['charge.succeeded', '15.00'],
      ['charge.refunded.full', '49.99'],
      ['charge.refunded.partial', '49.99'],
      ['refund.updated', '49.99'],
      ['refund.created.second', '49.99'],
      ['charge.refund.updated', '49.99'],
    ] as const) {
      await deliver(name);
      expect([name, (await getOrder(shop, order.id)).refundedAmount]).toEqual([name, refundedAmount]);
    }
    expect((await listRefunds(shop, order.id)).items.map(({ amount }) => amount).sort()).toEqual(['15.00', '34.99']);
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'refunded' });
  });
});
