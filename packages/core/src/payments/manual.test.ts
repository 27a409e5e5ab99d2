import { auditOf, emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  adjustStock,
  createOrder,
  expirePendingOrders,
  getBestSellers,
  getOrder,
  getProduct,
  getSales,
  listPayments,
  type ManualPaymentInput,
  recordPayment,
  refundOrder,
  updateOrder,
  updateStore,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

forEachStorage('payments recorded by the shop', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  async function pending(manualPayments = true) {
    const opened = await newShop(commerce());
    if (manualPayments) await updateStore(opened, { manualPayments });
    const shop = await commerce().store(opened.store.id, { type: 'apiKey', id: 'key-1' });
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '10', trackStock: true, stock: 1 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const stockOf = async () => (await getProduct(shop, product.id)).stock;
    return { shop, product, order, stockOf };
  }
  const input = (more: Partial<ManualPaymentInput> = {}): ManualPaymentInput => ({
    method: 'bank_transfer',
    amount: '10.00',
    ...more,
  });
  const at = (milliseconds: number) => new Date(clock.now() + milliseconds).toISOString();

  it('pay a pending order of that total, as a provider’s payment does', async () => {
    const { shop, order, stockOf } = await pending();
    const paidAt = at(-86_400_000);
    const types = await emittedBy(shop, async () => {
      const recorded = await recordPayment(shop, order.id, input({ reference: 'statement 7', paidAt }));
      expect(recorded).toMatchObject({
        provider: 'manual',
        orderId: order.id,
        status: 'succeeded',
        matched: 'paid',
        method: 'bank_transfer',
        amount: '10.00',
        currency: 'EUR',
        capturedAmount: '10.00',
        refundedAmount: '0.00',
        reference: 'statement 7',
        paidAt,
      });
      expect(recorded.providerPaymentId).toBe(recorded.id);
      expect((await listPayments(shop)).items).toEqual([recorded]);
    });
    expect(types.sort()).toEqual([
      ...['order.created', 'order.paid', 'order.updated'],
      ...['product.low_stock', 'product.updated'],
    ]);
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'paid',
      paymentStatus: 'succeeded',
      paymentProvider: 'manual',
      paymentMethod: 'bank_transfer',
      paidAt,
    });
    expect(await stockOf()).toBe(0);
    expect((await auditOf(shop)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['payment.recorded', 'order.paid']),
    );
    await refundOrder(shop, order.id, { amount: '4' });
    expect((await listPayments(shop)).items).toMatchObject([{ refundedAmount: '4.00' }]);
  });

  it('are paid now when no time is given', async () => {
    const { shop, order } = await pending();
    expect(await recordPayment(shop, order.id, input())).toMatchObject({ paidAt: at(0), reference: null });
  });

  it('count in the statistics on the day on which the money came', async () => {
    const { shop, order } = await pending();
    const paidAt = at(-3 * 24 * 3_600_000);
    await recordPayment(shop, order.id, input({ paidAt }));
    expect(await getOrder(shop, order.id)).toMatchObject({ paidAt });
    const day = paidAt.slice(0, 10);
    const days = { from: day, to: `${day}T23:59:59Z` };
    expect((await getSales(shop, days)).sum).toMatchObject({ orders: 1, gross: '10.00' });
    expect(await getBestSellers(shop, days)).toMatchObject({ total: 1 });
    expect((await getSales(shop, { from: at(-24 * 3_600_000) })).sum.orders).toBe(0);
  });

  it('are refused while the store has not enabled them', async () => {
    const { shop, order } = await pending(false);
    await expectDenied(commerce(), () => recordPayment(shop, order.id, input()), {
      kind: 'conflict',
      message: /manualPayments is false/,
    });
  });

  it.each<[string, Partial<ManualPaymentInput>, string]>([
    ['too little', { amount: '9.99' }, 'amount'],
    ['too much', { amount: '10.01' }, 'amount'],
    ['nothing', { amount: '0' }, 'amount'],
    ['no amount', { amount: 'ten' }, 'amount'],
    ['a method in capitals', { method: 'Bank' }, 'method'],
    ['no method', { method: '' }, 'method'],
    ['a method of 41 letters', { method: 'a'.repeat(41) }, 'method'],
    ['a time that is to come', { paidAt: '2999-01-01T00:00:00.000Z' }, 'paidAt'],
    ['a malformed time', { paidAt: 'yesterday' }, 'paidAt'],
  ])('are refused with %s', async (_, more, field) => {
    const { shop, order } = await pending();
    await expectDenied(commerce(), () => recordPayment(shop, order.id, input(more)), invalid(field));
  });

  it('may be dated now, and not a millisecond later', async () => {
    const { shop, order } = await pending();
    await expectDenied(commerce(), () => recordPayment(shop, order.id, input({ paidAt: at(1) })), invalid('paidAt'));
    expect(await recordPayment(shop, order.id, input({ paidAt: at(0) }))).toMatchObject({ paidAt: at(0) });
  });

  it('are refused for an order that is not pending, and without stock', async () => {
    const { shop, product, order } = await pending();
    const cancelled = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    await updateOrder(shop, cancelled.id, { status: 'cancelled' });
    await expectDenied(commerce(), () => recordPayment(shop, cancelled.id, input()), { kind: 'conflict' });
    await adjustStock(shop, product.id, { adjustment: -1 });
    await expectDenied(commerce(), () => recordPayment(shop, order.id, input()), {
      kind: 'insufficientStock',
      fields: ['items'],
    });
    await adjustStock(shop, product.id, { adjustment: 1 });
    await send(shop, payment(order.id, 1000).intentSucceeded());
    await expectDenied(commerce(), () => recordPayment(shop, order.id, input()), {
      kind: 'conflict',
      message: /is paid/,
    });
    for (const id of ['0190a5c8-0000-7000-8000-00000000dead', 'x']) {
      await expectDenied(commerce(), () => recordPayment(shop, id, input()), { kind: 'notFound' });
    }
  });

  it('race with a provider’s payment at the same instant, and one of the two pays', async () => {
    for (let round = 0; round < 5; round++) {
      const { shop, order, stockOf } = await pending();
      const work = [
        () => recordPayment(shop, order.id, input()),
        () => send(shop, payment(order.id, 1000).intentSucceeded()),
      ];
      await Promise.allSettled((round % 2 === 0 ? work : work.reverse()).map((one) => one()));
      expect((await getOrder(shop, order.id)).status).toBe('paid');
      expect((await listPayments(shop, { matched: 'paid' })).total).toBe(1);
      expect(await stockOf()).toBe(0);
    }
  });

  it('reopen an order that expired', async () => {
    const { shop, order } = await pending();
    clock.advance(1000);
    await expirePendingOrders(commerce().engine, 500);
    expect((await getOrder(shop, order.id)).cancelReason).toBe('expired');
    await recordPayment(shop, order.id, input());
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', cancelReason: null });
  });
});
