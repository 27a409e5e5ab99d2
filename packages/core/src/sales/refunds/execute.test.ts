import { minute, useSelling } from '@commerce/test-support/fixtures/selling';
import { auditOf, emittedBy, eventsOf } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  askPendingRefunds,
  type Context,
  createCheckout,
  createFulfilment,
  createOrder,
  deletePaymentProvider,
  getOrder,
  getProduct,
  getSales,
  listPayments,
  listRefunds,
  once,
  type ProviderName,
  providerNames,
  type RefundInput,
  type RefundRecord,
  recordPayment,
  refundOrder,
  returnFromProvider,
  updateFulfilment,
  updateSettings,
} from '../../index.ts';

const uuid = /^[0-9a-f-]{36}$/;
const hour = 60 * minute;

forEachStorage('refunds that move money', (database, dialect) => {
  const { clock, commerce, stub, openShop, pageOf, receiver } = useSelling(database);

  /** A paid order of two pieces at 12.50 without tax and shipping. */
  async function sold(provider: ProviderName, isTold = true) {
    const opened = await openShop([provider], {
      receive: (shop, name) => async (sent) => (told.on ? receiver(shop, name)(sent) : 200),
    });
    const told = { on: true };
    const { shop, product, input } = opened;
    const checkout = await createCheckout(shop, input());
    const page = await pageOf(shop, checkout.id);
    await stub().act(provider, page, 'pay');
    if (provider === 'paypal')
      await returnFromProvider(shop.engine, { storeId: shop.store.id, checkoutId: checkout.id, page });
    await stub().settled();
    const order = await getOrder(shop, checkout.orderId);
    expect(order).toMatchObject({ status: 'paid', total: '25.00' });
    told.on = isTold;
    const seen = stub().refunds(provider).length;
    return {
      ...{ shop, product, order, told },
      now: () => getOrder(shop, order.id),
      refund: (input: RefundInput) => refundOrder(shop, order.id, { execute: true, ...input }),
      /** Refunds of this order in the provider's books. */
      made: () => stub().refunds(provider).slice(seen),
      failed: async () => (await listRefunds(shop, order.id, { status: 'failed' })).items,
    };
  }

  const calls = (operation: string) => stub().calls.filter((call) => call.operation === operation);
  /** Lets time pass as a process that delivers does. */
  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    await askPendingRefunds(commerce().engine, {
      onError: () => {},
    });
    await stub().settled();
  }

  it.each(providerNames)('are made at %s, and count once whatever the provider tells', async (provider) => {
    const { shop, order, now, refund, made, product } = await sold(provider);
    const types = await emittedBy(shop, async () => {
      const record = await refund({ amount: '5.00', reason: 'one was chipped' });
      expect(record).toMatchObject({
        ...{ refundId: expect.stringMatching(uuid), amount: '5.00', kind: 'refund', error: null },
        ...{ reason: 'one was chipped', lines: null, shipping: false, providerRefundId: expect.any(String) },
        // Square decides a moment later.
        status: provider === 'square' ? 'pending' : 'succeeded',
      });
      await stub().settled();
    });
    expect(types).toEqual(['order.refunded', 'order.updated']);
    expect(made()).toMatchObject([{ amount: 500n, status: 'succeeded' }]);
    expect(await now()).toMatchObject({ refundedAmount: '5.00', paymentStatus: 'partially_refunded', status: 'paid' });
    expect((await listRefunds(shop, order.id)).items).toMatchObject([{ amount: '5.00', status: 'succeeded' }]);
    const [payment] = (await listPayments(shop)).items;
    expect(payment).toMatchObject({ refundedAmount: '5.00', matched: 'paid' });
    await refund({ amount: '20' });
    await stub().settled();
    expect(await now()).toMatchObject({ refundedAmount: '25.00', status: 'refunded' });
    expect((await getProduct(shop, product.id)).stock).toBe(8);
    expect((await auditOf(shop)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['order.refund_requested', 'order.refunded']),
    );
  });

  it.each(providerNames)('at %s are found again after an answer that never came', async (provider) => {
    const { shop, order, now, refund, made } = await sold(provider, false);
    stub().fault(`${provider}.refund`, 'reset');
    const record = await refund({ amount: '5' });
    expect(record).toMatchObject({ status: 'pending', providerRefundId: null });
    expect(await now()).toMatchObject({ refundedAmount: '0.00', paymentStatus: 'succeeded' });
    await stub().settled();
    await expectDenied(commerce(), () => refund({ amount: '1' }), { kind: 'conflict' });
    // Its amount is taken.
    await stub().settled();
    await expectDenied(commerce(), () => refund({ amount: '20.01', execute: false }), invalid('amount'));
    const types = await emittedBy(shop, () => pass(2 * minute));
    expect(types).toEqual(['order.refunded', 'order.updated']);
    expect(calls(`${provider}.refund`)).toHaveLength(1);
    expect(made()).toHaveLength(1);
    expect((await listRefunds(shop, order.id)).items).toMatchObject([
      { refundId: record.refundId, status: 'succeeded', providerRefundId: made()[0]?.refund },
    ]);
    expect(await now()).toMatchObject({ refundedAmount: '5.00' });
  });

  it.each(providerNames)('at %s are asked for again under the same key, for 20 hours', async (provider) => {
    const { now, refund, made, failed, shop } = await sold(provider, false);
    const down = Array.from({ length: 200 }, () => ({ status: 503 }));
    stub().fault(`${provider}.refund`, ...down);
    const { refundId } = await refund({ amount: '5' });
    for (let at = 0; at < 19; at++) await pass(hour);
    expect(calls(`${provider}.refund`).length).toBeGreaterThan(5);
    expect(await failed()).toEqual([]);
    clock.advance(2 * hour);
    const asked = calls(`${provider}.refund`).length;
    const types = await emittedBy(shop, () => pass(12 * hour));
    expect(types).toEqual(['refund.failed']);
    expect(calls(`${provider}.refund`)).toHaveLength(asked);
    stub().fault(`${provider}.refund`);
    expect(await failed()).toMatchObject([
      { refundId, amount: '5.00', error: expect.stringContaining('does not list') },
    ]);
    expect(made()).toEqual([]);
    expect(await now()).toMatchObject({ refundedAmount: '0.00', paymentStatus: 'succeeded' });
    // What failed is free again, and a new refund is another one.
    await refund({ amount: '25' });
    expect(made()).toHaveLength(1);
  });

  it.each(providerNames)('that %s refuses fail, with its reason', async (provider) => {
    const { shop, order, now, refund, failed, made } = await sold(provider);
    const refusals = {
      stripe: { error: { type: 'invalid_request_error', message: 'This key lacks the right.' } },
      paypal: { name: 'NOT_AUTHORIZED', message: 'This key lacks the right.' },
      square: {
        errors: [{ category: 'AUTHENTICATION_ERROR', code: 'FORBIDDEN', detail: 'This key lacks the right.' }],
      },
    };
    stub().fault(`${provider}.refund`, { status: 403, body: refusals[provider] });
    const types = await emittedBy(shop, async () => {
      await expect(refund({ amount: '5', reason: 'x' })).rejects.toMatchObject({
        kind: 'validation',
        details: [{ field: 'execute', reason: expect.stringContaining('This key lacks the right.') }],
      });
    });
    expect(types).toEqual(['refund.failed']);
    const [event] = (await eventsOf(shop)).slice(-1);
    const [record] = await failed();
    expect(record).toMatchObject({ amount: '5.00', status: 'failed', error: expect.stringContaining('403') });
    expect(event?.data).toEqual({ ...record, orderId: order.id, orderNumber: order.orderNumber });
    expect((await listRefunds(shop, order.id)).items).toEqual([]);
    expect(made()).toEqual([]);
    expect(await now()).toEqual(order);
  });

  it.each(providerNames)('at %s stay pending until they are decided, and may fail then', async (provider) => {
    const { shop, order, now, refund, made, failed, told } = await sold(provider);
    for (const [how, end] of [
      ['told', 'succeeded'],
      ['found', 'succeeded'],
      ['found', 'failed'],
    ] as const) {
      stub().planRefunds(provider, 'pending');
      told.on = true;
      const record = await refund({
        amount: '2',
        restock: [{ productId: order.items[0]?.productId ?? '', quantity: 1 }],
      }).catch(() => refund({ amount: '2' }));
      await stub().settled();
      expect(record).toMatchObject({ status: 'pending', providerRefundId: expect.any(String) });
      const before = await now();
      const id = made().at(-1)?.refund ?? '';
      told.on = how === 'told';
      const types = await emittedBy(shop, async () => {
        await stub().decideRefund(provider, id, end);
        await stub().settled();
        if (how === 'found') await pass(24 * hour);
      });
      expect(types, `${how} ${end}`).toEqual(
        end === 'failed' ? ['refund.failed'] : ['order.refunded', 'order.updated'],
      );
      if (end === 'failed') expect(await now()).toEqual(before);
    }
    expect(await now()).toMatchObject({ refundedAmount: '4.00' });
    expect(await failed()).toMatchObject([{ status: 'failed', providerRefundId: made().at(-1)?.refund }]);
  });

  it.each(['stripe', 'square'] as const)(
    'at %s that fail after they succeeded do not count any more',
    async (provider) => {
      const { shop, now, order, refund, made } = await sold(provider);
      await refund({ amount: '5' });
      await stub().settled();
      const types = await emittedBy(shop, async () => {
        await stub().decideRefund(provider, made()[0]?.refund ?? '', 'failed');
        await stub().settled();
      });
      expect(types).toEqual(['refund.failed', 'order.updated']);
      expect(await now()).toMatchObject({ refundedAmount: '0.00', paymentStatus: 'succeeded', status: order.status });
    },
  );

  it('that were given up still count when the provider makes them after all', async () => {
    const { shop, now, refund, failed, told, order } = await sold('stripe', false);
    stub().fault('stripe.refund', ...Array.from({ length: 50 }, () => ({ status: 503 })));
    const { refundId } = await refund({ amount: '5' });
    stub().fault('stripe.refunds', ...Array.from({ length: 3 }, () => ({ status: 503 })));
    for (let at = 0; at < 40; at++) await pass(hour);
    expect(await failed()).toHaveLength(1);
    stub().fault('stripe.refund');
    told.on = true;
    // The first call arrives a day late.
    const call = calls('stripe.refund')[0];
    const header = (name: string) => String(call?.headers[name]);
    await fetch(`${stub().url}/v1/refunds`, {
      method: 'POST',
      headers: {
        authorization: header('authorization'),
        'idempotency-key': header('idempotency-key'),
        'content-type': header('content-type'),
      },
      body: call?.body ?? '',
    });
    await stub().settled();
    expect(await now()).toMatchObject({ refundedAmount: '5.00' });
    expect((await listRefunds(shop, order.id)).items).toMatchObject([{ refundId, status: 'succeeded', error: null }]);
  });

  it('with a known id or key are made once, also by two at once and after a crash', async () => {
    const { shop, order, refund, made } = await sold('stripe');
    const refundId = '0193d3f0-4bb8-7168-ba4b-50d273910fcc';
    const both = await Promise.all([refund({ amount: '5', refundId }), refund({ amount: '5.00', refundId })]);
    expect(both.map((one) => one.refundId)).toEqual([refundId, refundId]);
    expect(await refund({ amount: '5', refundId })).toMatchObject({ status: 'succeeded' });
    expect(made()).toHaveLength(1);
    await stub().settled();
    await expectDenied(commerce(), () => refund({ amount: '6', refundId }), { kind: 'conflict', fields: ['refundId'] });

    const actor = { type: 'apiKey', id: 'key-1', scopes: new Set(['order.write', 'payment.write'] as const) } as const;
    const keyed = (key: string, input: RefundInput, print = JSON.stringify(input)) =>
      once<RefundRecord>(
        { ...shop, actor },
        {
          ...{ key, route: 'POST /orders/{id}/refund', fingerprint: print },
          print: (record) => ({ status: 200, body: JSON.stringify(record) }),
          printError: () => undefined,
        },
        (ctx: Context) => refundOrder(ctx, order.id, input),
      );
    stub().fault('stripe.refund', 'reset');
    const input = { amount: '3', execute: true };
    const first = await keyed('k1', input);
    expect(first).toMatchObject({ result: { status: 'pending' } });
    await pass(2 * minute);
    // As it is now, not as it was then.
    expect(await keyed('k1', input)).toMatchObject({ result: { amount: '3.00', status: 'succeeded' } });
    expect(made()).toHaveLength(2);
    await expect(keyed('k1', { amount: '4', execute: true })).rejects.toMatchObject({ reason: 'idempotencyKeyUsed' });
    await expect(keyed('k1', { amount: '3' })).rejects.toMatchObject({ reason: 'idempotencyKeyUsed' });
    const twins = await Promise.all([keyed('k2', input), keyed('k2', input)]);
    const ids = twins.map((one) => 'result' in one && one.result.refundId);
    expect(new Set(ids).size).toBe(1);
    expect(made()).toHaveLength(3);
    clock.advance(25 * hour);
    await keyed('k1', input);
    expect(made()).toHaveLength(4);
  });

  it.skipIf(dialect === 'postgres')('share commits when they are asked for at once, as checkouts do', async () => {
    const { shop, input } = await openShop(['stripe'], {
      stock: 40,
      receive: receiver,
    });
    const commits = () => shop.engine.storage.lastCommit?.() ?? Number.NaN;
    const before = commits();
    const checkouts = await Promise.all(Array.from({ length: 20 }, () => createCheckout(shop, input())));
    // Two transactions each, before the call and after it.
    expect(commits() - before).toBeLessThanOrEqual(20);
    for (const { id } of checkouts) await stub().act('stripe', await pageOf(shop, id), 'pay');
    await stub().settled();
    const paid = commits();
    await Promise.all(checkouts.map(({ orderId }) => refundOrder(shop, orderId, { execute: true, amount: '5' })));
    expect(commits() - paid).toBeLessThanOrEqual(20);
  });

  it('take no id of another refund: it is the idempotency key at the provider', async () => {
    const { shop, input } = await openShop(['paypal']);
    const buy = async () => {
      const { id, orderId } = await createCheckout(shop, input());
      const page = await pageOf(shop, id);
      await stub().act('paypal', page, 'pay');
      await returnFromProvider(shop.engine, { storeId: shop.store.id, checkoutId: id, page });
      return orderId;
    };
    const [one, two] = [await buy(), await buy()];
    const refundId = '0193D3F0-4bb8-7168-ba4b-50d273910fcd';
    const refund = (orderId: string) => refundOrder(shop, orderId, { amount: '5', execute: true, refundId });
    expect(await refund(one)).toMatchObject({ refundId: refundId.toLowerCase() });
    await stub().settled();
    await expectDenied(commerce(), () => refund(two), { kind: 'conflict', fields: ['refundId'] });
    expect(await refund(one)).toMatchObject({ status: 'succeeded' });
  });

  it('need the right, a provider, and money that is left', async () => {
    const { shop, order, refund } = await sold('stripe');
    const actor = { type: 'apiKey', id: 'key-1', scopes: new Set(['order.write'] as const) } as const;
    await stub().settled();
    await expectDenied(commerce(), () => refundOrder({ ...shop, actor }, order.id, { amount: '1', execute: true }), {
      kind: 'forbidden',
    });
    expect(await refundOrder({ ...shop, actor }, order.id, { amount: '1' })).toMatchObject({ status: 'succeeded' });
    await stub().settled();
    await expectDenied(commerce(), () => refund({ amount: '24.01' }), invalid('amount'));
    await stub().settled();
    const all = [{ itemId: order.items[0]?.id ?? '', quantity: 2 }];
    await expectDenied(commerce(), () => refund({ lines: all }), invalid('lines'));
    await stub().settled();
    await expectDenied(commerce(), () => refund({ amount: '0' }), invalid('amount'));
    await stub().settled();
    await expectDenied(commerce(), () => refund({ amount: '1', refundId: 're_1' }), invalid('refundId'));
    await stub().settled();
    await expectDenied(commerce(), () => refund({}), invalid('amount'));
    await expect(
      commerce().transaction(shop, (ctx: Context) => refundOrder(ctx, order.id, { amount: '1', execute: true })),
    ).rejects.toMatchObject({ kind: 'conflict' });
    await updateSettings(shop, { manualPayments: true });
    const productId = order.items[0]?.productId ?? '';
    const byHand = await createOrder(shop, { items: [{ productId, quantity: 1 }] });
    await stub().settled();
    await expectDenied(commerce(), () => refundOrder(shop, byHand.id, { amount: '1', execute: true }), {
      kind: 'conflict',
    });
    await recordPayment(shop, byHand.id, { method: 'transfer', amount: '12.50' });
    await stub().settled();
    await expectDenied(commerce(), () => refundOrder(shop, byHand.id, { amount: '1', execute: true }), {
      kind: 'conflict',
    });
    await deletePaymentProvider(shop, 'stripe');
    await stub().settled();
    await expectDenied(commerce(), () => refund({ amount: '1' }), { kind: 'conflict' });
  });

  it('by lines return what they are for, at once, and it stays returned', async () => {
    const { shop, order, product, refund } = await sold('stripe');
    const [line] = order.items;
    stub().planRefunds('stripe', 'pending');
    const lines = [{ itemId: line?.id ?? '', quantity: 1 }];
    expect(await refund({ lines, restock: true })).toMatchObject({
      amount: '12.50',
      lines,
      status: 'pending',
      restocked: true,
    });
    expect((await getProduct(shop, product.id)).stock).toBe(9);
    await stub().decideRefund('stripe', stub().refunds('stripe').at(-1)?.refund ?? '', 'failed');
    await stub().settled();
    expect((await getProduct(shop, product.id)).stock).toBe(9);
    // Its pieces can be refunded again.
    expect(await refund({ lines: [{ itemId: line?.id ?? '', quantity: 2 }], restock: true })).toMatchObject({
      amount: '25.00',
    });
    expect((await getProduct(shop, product.id)).stock).toBe(10);
    await stub().settled();
    await expectDenied(commerce(), () => refund({ lines }), invalid('lines.0.quantity'));
    await stub().settled();
    expect((await getSales(shop, {})).sum.refunded).toBe('25.00');
  });

  it('by lines of all that is left to ship fulfil an order of which a parcel left, until they fail', async () => {
    const { shop, order, now, refund } = await sold('stripe');
    const lines = [{ itemId: order.items[0]?.id ?? '', quantity: 1 }];
    const parcel = await createFulfilment(shop, order.id, { lines });
    await updateFulfilment(shop, order.id, parcel.id, { deliveredAt: parcel.shippedAt });
    stub().planRefunds('stripe', 'pending');
    await refund({ lines });
    await stub().settled();
    await expectDenied(commerce(), () => createFulfilment(shop, order.id), { kind: 'conflict' });
    const partly = { status: 'paid', fulfilmentStatus: 'partial', fulfilledAt: null, deliveredAt: null };
    expect(await now()).toMatchObject(partly);
    const { refund: id = '' } = stub().refunds('stripe').at(-1) ?? {};
    const decide = (status: 'succeeded' | 'failed') =>
      emittedBy(shop, async () => {
        await stub().decideRefund('stripe', id, status);
        await stub().settled();
      });
    expect(await decide('succeeded')).toEqual([
      'order.refunded',
      'order.updated',
      'order.fulfilled',
      'order.delivered',
    ]);
    const { shippedAt } = parcel;
    const whole = { fulfilmentStatus: 'fulfilled', fulfilledAt: shippedAt, deliveredAt: shippedAt };
    expect(await now()).toMatchObject({ status: 'fulfilled', paymentStatus: 'partially_refunded', ...whole });
    expect(await decide('failed')).toEqual(['refund.failed', 'order.updated']);
    expect(await now()).toMatchObject(partly);
    await createFulfilment(shop, order.id);
    expect(await now()).toMatchObject({ status: 'fulfilled', paymentStatus: 'succeeded' });
  });
});
