import { capture, deliver } from '@commerce/test-support/fixtures/paypal';
import { unmatched, usePayPalShops } from '@commerce/test-support/fixtures/paypal-shop';
import { emittedBy } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { createOrder, getOrder, getProduct, listRefunds } from '../../index.ts';

forEachStorage('refunds over PayPal', (database) => {
  const { pending } = usePayPalShops(database);

  it('give back a part, then the rest', async () => {
    const { shop, order, product, paid } = await pending();
    await deliver(shop, paid.completed());
    const part = await emittedBy(shop, () => deliver(shop, paid.refunded('10.00', {}, 'REF1')));
    expect(part).toEqual(['order.refunded', 'order.updated']);
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'paid',
      paymentStatus: 'partially_refunded',
      refundedAmount: '10.00',
    });
    await deliver(shop, paid.refunded('33.59', {}, 'REF2'));
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'refunded',
      paymentStatus: 'refunded',
      refundedAmount: '43.59',
    });
    expect(await listRefunds(shop, order.id)).toMatchObject({
      items: [
        { refundId: 'REF1', amount: '10.00' },
        { refundId: 'REF2', amount: '33.59' },
      ],
      total: 2,
    });
    expect((await getProduct(shop, product.id)).stock).toBe(4);
  });

  it.each<[string, string[], string, string]>([
    ['PENDING alone', ['PENDING'], '0.00', 'succeeded'],
    ['PENDING, then COMPLETED', ['PENDING', 'COMPLETED'], '10.00', 'partially_refunded'],
    ['COMPLETED, then PENDING', ['COMPLETED', 'PENDING'], '10.00', 'partially_refunded'],
    ['COMPLETED twice', ['COMPLETED', 'COMPLETED'], '10.00', 'partially_refunded'],
    ['PENDING, then FAILED', ['PENDING', 'FAILED'], '0.00', 'succeeded'],
    ['PENDING, then CANCELLED', ['PENDING', 'CANCELLED'], '0.00', 'succeeded'],
    ['COMPLETED, then FAILED', ['COMPLETED', 'FAILED'], '0.00', 'succeeded'],
    ['COMPLETED, then CANCELLED', ['COMPLETED', 'CANCELLED'], '0.00', 'succeeded'],
    ['FAILED, then COMPLETED', ['FAILED', 'COMPLETED'], '0.00', 'succeeded'],
    ['a status of the future', ['WAITING'], '0.00', 'succeeded'],
  ])('count one refund by its status: %s', async (_, statuses, refundedAmount, paymentStatus) => {
    const { shop, order, paid } = await pending();
    await deliver(shop, paid.completed());
    for (const status of statuses) {
      expect(await deliver(shop, paid.refunded('10.00', { status }, 'REF'))).not.toHaveProperty('warning');
    }
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', refundedAmount, paymentStatus });
  });

  it.each<[string, Record<string, unknown>]>([
    ['with the order’s id of the capture', { custom_id: 'same' }],
    ['with an id of its own', { custom_id: 'REFUND-17' }],
    ['without any', {}],
  ])('find their order by the capture that a refund leads to: %s', async (_, fields) => {
    const { shop, order, paid } = await pending();
    await deliver(shop, paid.completed());
    const custom = fields.custom_id === 'same' ? { custom_id: order.id } : fields;
    for (const host of ['api.paypal.com', 'api-m.paypal.com', 'api-m.sandbox.paypal.com']) {
      const links = [
        { rel: 'self', href: `https://${host}/v2/payments/refunds/R-${host}` },
        { rel: 'up', href: `https://${host}/v2/payments/captures/${paid.id}` },
      ];
      const event = paid.refunded('5.00', { ...custom, links }, `R-${host}`);
      expect(await deliver(shop, event)).toEqual({ received: true, outcome: 'recorded' });
    }
    expect((await getOrder(shop, order.id)).refundedAmount).toBe('15.00');
  });

  it('are found by the capture, not by an order that a refund names and another payment paid', async () => {
    const { shop, order, paid, product } = await pending();
    const other = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    await deliver(shop, paid.completed());
    await deliver(shop, capture(other.id, '43.59').completed());
    await deliver(shop, paid.refunded('5.00', { custom_id: other.id }));
    expect((await getOrder(shop, order.id)).refundedAmount).toBe('5.00');
    expect((await getOrder(shop, other.id)).refundedAmount).toBe('0.00');
  });

  it('given back before they are told of wait for the payment', async () => {
    const { shop, order, paid } = await pending();
    expect(await deliver(shop, paid.refunded('10.00'))).toMatchObject({ outcome: 'order_not_found' });
    expect(await unmatched(shop)).toHaveLength(1);
    const types = await emittedBy(shop, () => deliver(shop, paid.completed()));
    expect(types).toContain('order.paid');
    expect(types).toContain('order.refunded');
    expect(await getOrder(shop, order.id)).toMatchObject({ refundedAmount: '10.00', status: 'paid' });
    expect(await unmatched(shop)).toEqual([]);
  });

  it('taken back by PayPal count as refunded, as the capture tells it', async () => {
    const { shop, order, paid } = await pending();
    await deliver(shop, paid.completed());
    await deliver(shop, paid.reversed());
    await deliver(shop, paid.reversed());
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'refunded', refundedAmount: '43.59' });
  });

  it('taken back by PayPal count as refunded, as the refund tells it that PayPal made for that', async () => {
    const { shop, order, paid } = await pending();
    await deliver(shop, paid.completed());
    expect(await deliver(shop, paid.reversedAsRefund('REV1', '40.00'))).toEqual({
      received: true,
      outcome: 'recorded',
    });
    await deliver(shop, paid.reversedAsRefund('REV1', '40.00'));
    await deliver(shop, paid.refunded('40.00', {}, 'REV1'));
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', refundedAmount: '40.00' });
    await deliver(shop, paid.reversedAsRefund('REV2', '3.59'));
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'refunded', refundedAmount: '43.59' });
  });

  it('given back in another currency change nothing but the inbox', async () => {
    const { shop, order, paid } = await pending();
    await deliver(shop, paid.completed());
    const before = await getOrder(shop, order.id);
    const types = await emittedBy(shop, async () => {
      expect(
        await deliver(shop, paid.refunded('5.00', { amount: { value: '5.00', currency_code: 'USD' } })),
      ).toMatchObject({ outcome: 'amount_mismatch', warning: expect.stringContaining('5.00 USD was refunded') });
    });
    expect(types).toEqual([]);
    expect(await getOrder(shop, order.id)).toEqual(before);
    expect(await unmatched(shop)).toMatchObject([{ outcome: 'amount_mismatch' }]);
  });
});
