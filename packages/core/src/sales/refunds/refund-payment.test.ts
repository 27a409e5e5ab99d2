import { minute, useSelling } from '@commerce/test-support/fixtures/selling';
import { emittedBy } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  askPendingRefunds,
  createCheckout,
  dismissPayment,
  getOrder,
  getPayment,
  listPayments,
  listRefunds,
  type PaymentRefundInput,
  type ProviderName,
  refundPayment,
  returnFromProvider,
  updateOrder,
} from '../../index.ts';

forEachStorage('money that paid no order', (database) => {
  const { clock, commerce, stub, openShop, pageOf, receiver } = useSelling(database);

  /** Money for an order that was cancelled before. */
  async function stray(provider: ProviderName) {
    const { shop, input } = await openShop([provider]);
    const checkout = await createCheckout(shop, input());
    await updateOrder(shop, checkout.orderId, { status: 'cancelled' });
    await stub().act(provider, await pageOf(shop, checkout.id), 'pay');
    await stub().settled();
    const [payment] = (await listPayments(shop)).items;
    expect(payment).toMatchObject({ matched: 'cancelledOrder', capturedAmount: '25.00' });
    const id = payment?.id ?? '';
    return {
      ...{ shop, id, orderId: checkout.orderId },
      now: () => getPayment(shop, id),
      refund: (given?: PaymentRefundInput) => refundPayment(shop, id, given),
    };
  }

  it.each(['stripe', 'square'] as const)('is given back at %s, in parts or whole', async (provider) => {
    const { shop, now, refund, orderId } = await stray(provider);
    const before = await getOrder(shop, orderId);
    const types = await emittedBy(shop, async () => {
      expect(await refund({ amount: '5', reason: 'too late' })).toMatchObject({ amount: '5.00', reason: 'too late' });
      await stub().settled();
    });
    expect(types).toEqual([]);
    expect(await now()).toMatchObject({ refundedAmount: '5.00', matched: 'cancelledOrder' });
    await expectDenied(commerce(), () => refund({ amount: '20.01' }), invalid('amount'));
    await expectDenied(commerce(), () => refund({ amount: '1.001' }), invalid('amount'));
    await expectDenied(commerce(), () => refund({ amount: '0' }), invalid('amount'));
    expect(await refund()).toMatchObject({ amount: '20.00' });
    await stub().settled();
    expect(await now()).toMatchObject({ refundedAmount: '25.00', matched: 'refunded' });
    await expectDenied(commerce(), () => refund(), { kind: 'conflict' });
    expect((await listPayments(shop, { unmatched: true })).total).toBe(0);
    expect(await getOrder(shop, orderId)).toEqual(before);
    expect((await listRefunds(shop, orderId)).items).toHaveLength(2);
  });

  it('is given back at PayPal', async () => {
    // The money was taken while the shop heard nothing, and the order was cancelled meanwhile.
    const told = { on: false };
    const { shop, input } = await openShop(['paypal'], {
      receive: (of, provider) => async (sent) => (told.on ? receiver(of, provider)(sent) : 500),
    });
    const { id, orderId } = await createCheckout(shop, input());
    const page = await pageOf(shop, id);
    await stub().act('paypal', page, 'pay');
    stub().fault('paypal.capture', 'reset', 'reset');
    await returnFromProvider(shop.engine, { storeId: shop.store.id, checkoutId: id, page });
    await stub().settled();
    await updateOrder(shop, orderId, { status: 'cancelled' });
    told.on = true;
    for (const { body, headers } of stub().notifications) await receiver(shop, 'paypal')({ body, headers });
    const [payment] = (await listPayments(shop)).items;
    expect(payment).toMatchObject({ matched: 'cancelledOrder', capturedAmount: '25.00', refundedAmount: '0.00' });
    const seen = stub().refunds('paypal').length;
    expect(await refundPayment(shop, payment?.id ?? '', { amount: '5' })).toMatchObject({ status: 'succeeded' });
    expect(await refundPayment(shop, payment?.id ?? '')).toMatchObject({ amount: '20.00', status: 'succeeded' });
    await stub().settled();
    expect(stub().refunds('paypal').slice(seen)).toMatchObject([
      { amount: 500n, status: 'succeeded' },
      { amount: 2000n, status: 'succeeded' },
    ]);
    expect(await getPayment(shop, payment?.id ?? '')).toMatchObject({ refundedAmount: '25.00', matched: 'refunded' });
  });

  it('is found again after an answer that never came', async () => {
    const { shop, now, refund } = await stray('stripe');
    stub().faultNotifications('lost', 'lost');
    stub().fault('stripe.refund', 'reset');
    const { refundId } = await refund();
    await expectDenied(commerce(), () => refund({ amount: '1' }), { kind: 'conflict' });
    expect(await refund({ refundId })).toMatchObject({ refundId, status: 'pending' });
    await dismissPayment(shop, (await now()).id, {});
    clock.advance(2 * minute);
    expect(await askPendingRefunds(commerce().engine)).toBe(1);
    expect(await now()).toMatchObject({ refundedAmount: '25.00' });
    expect(await refund({ refundId })).toMatchObject({ refundId, status: 'succeeded' });
  });

  it('needs the right, and did not pay an order', async () => {
    const { shop, id } = await stray('stripe');
    const actor = { type: 'apiKey', id: 'key-1', scopes: new Set(['order.write', 'payment.read'] as const) } as const;
    await expectDenied(commerce(), () => refundPayment({ ...shop, actor }, id), { kind: 'forbidden' });
    await expectDenied(commerce(), () => refundPayment(shop, 'x'), { kind: 'notFound' });
    const paid = await openShop(['stripe']);
    const checkout = await createCheckout(paid.shop, paid.input());
    await stub().act('stripe', await pageOf(paid.shop, checkout.id), 'pay');
    await stub().settled();
    const [payment] = (await listPayments(paid.shop)).items;
    await expectDenied(commerce(), () => refundPayment(paid.shop, payment?.id ?? ''), { kind: 'conflict' });
    await expectDenied(commerce(), () => refundPayment(paid.shop, id), { kind: 'notFound' });
  });
});
