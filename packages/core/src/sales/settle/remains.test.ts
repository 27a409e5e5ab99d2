import { auditOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureSquare, sendSquare, squarePayment } from '@commerce/test-support/fixtures/square';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  adjustStock,
  anonymiseCustomer,
  confirmFromInbox,
  createOrder,
  expirePendingOrders,
  getOrder,
  listNotifications,
  listPayments,
  refundOrder,
  updateOrder,
} from '../../index.ts';
import { uuidV7Source } from '../../kernel/ids.ts';
import { fakeClock } from '../../testing/index.ts';

const ids = uuidV7Source();
const newId = () => ids.next(Date.now());

forEachStorage('remains of a payment', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  async function pending() {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '10' });
    const order = await createOrder(shop, {
      items: [{ productId: product.id, quantity: 1 }],
      customer: { email: 'ada@example.org', name: 'Ada' },
    });
    return { shop, order };
  }

  it('an order that is not pending is not confirmed: a conflict that states its status', async () => {
    for (const status of ['paid', 'fulfilled', 'refunded', 'cancelled', 'expired'] as const) {
      const { shop, order } = await pending();
      if (status === 'cancelled') await updateOrder(shop, order.id, { status });
      else if (status === 'expired') {
        clock.advance(2);
        await expirePendingOrders(commerce().engine, 1);
      } else {
        await send(shop, payment(order.id, 1000).intentSucceeded());
        if (status === 'fulfilled') await updateOrder(shop, order.id, { status });
        if (status === 'refunded') await refundOrder(shop, order.id, { amount: '10' });
      }
      const said = status === 'expired' ? 'cancelled' : status;
      await expectDenied(commerce(), () => confirmFromInbox(shop, order.id), {
        kind: 'conflict',
        message: new RegExp(`is ${said}, not pending`),
      });
    }
  });

  it.each([
    ['names no order', null],
    ['names an order that is not there', newId()],
  ])('an audit entry, once, when money %s', async (_, orderId) => {
    const { shop } = await pending();
    const paid = payment(orderId, 1000);
    for (const event of [paid.intentSucceeded(), paid.chargeSucceeded(), paid.sessionCompleted()]) {
      expect(await send(shop, event)).toMatchObject({ outcome: 'order_not_found' });
    }
    const [kept] = (await listPayments(shop)).items;
    const entries = (await auditOf(shop)).filter(({ action }) => action === 'payment.refused');
    expect(entries).toMatchObject([{ actor_type: 'provider', resource_type: 'payment', resource_id: kept?.id }]);
    expect(JSON.parse(entries[0]?.changes ?? '')).toMatchObject({
      reason: 'none',
      paymentId: paid.id,
      amount: '10.00 EUR',
    });
  });

  it('no notification keeps the body of an anonymised person, whichever id it names', async () => {
    const { shop, order } = await pending();
    const person = { billing_details: { name: 'Ada Lovelace', email: 'ada@example.org' } };
    const paid = payment(order.id, 1000);
    const other = payment(null, 1000);
    const refunds = refundsOf(paid);
    for (const event of [
      paid.chargeFailed(),
      paid.chargeSucceeded({ metadata: {}, ...person }),
      paid.sessionCompleted({ customer_details: person.billing_details }),
      paid.intentSucceeded({ metadata: {}, receipt_email: 'ada@example.org' }),
      refunds.one(100).created('succeeded', { payment_intent: null, description: 'for Ada Lovelace' }),
      refunds.one(100).created('succeeded', { charge: null, description: 'for Ada Lovelace' }),
      // A second payment; only its session names the order.
      other.chargeSucceeded(person),
      other.sessionCompleted({ client_reference_id: order.id, customer_details: person.billing_details }),
      refundsOf(other).one(1000).created('succeeded', { description: 'for Ada Lovelace' }),
    ]) {
      await send(shop, event);
    }
    const bodies = async () => {
      const { db } = shop.engine.storage;
      const rows = db.selectFrom('payment_notifications').select('payload').where('store_id', '=', shop.store.id);
      return (await rows.execute()).map(({ payload }) => payload);
    };
    expect((await bodies()).filter((body) => body.includes('ada@example.org')).length).toBeGreaterThan(3);
    const { customerId } = await getOrder(shop, order.id);
    const before = (await listPayments(shop)).items;
    await anonymiseCustomer(shop, customerId ?? '');
    expect(await bodies()).toEqual(Array.from({ length: 9 }, () => '{}'));
    expect((await listPayments(shop)).items).toMatchObject(
      before.map(({ id, matched, amount, refundedAmount }) => ({ id, matched, amount, refundedAmount })),
    );
  });

  it('a till’s sale is stored as a payment only when it carries a UUID, also an unknown one', async () => {
    const { shop } = await pending();
    await configureSquare(shop);
    const named = squarePayment(newId(), 1000);
    expect(await sendSquare(shop, named.completed())).toMatchObject({ outcome: 'order_not_found' });
    const foreign = squarePayment('TABLE-7', 1000);
    const refund = foreign.refund(500);
    // Its refund can come first, while its payment is still unknown.
    expect(await sendSquare(shop, refund.created('COMPLETED'))).toMatchObject({ outcome: 'order_not_found' });
    expect(await sendSquare(shop, foreign.completed())).toEqual({ received: true, outcome: 'ignored' });
    expect(await sendSquare(shop, refund.updated())).toEqual({ received: true, outcome: 'ignored' });
    expect((await listPayments(shop)).items).toMatchObject([{ providerPaymentId: named.id, matched: 'none' }]);
    expect((await listNotifications(shop, { unmatched: true })).items).toMatchObject([{ paymentId: named.id }]);
  });

  it('a till’s sale whose order is named only later pays it, with what was ignored of it', async () => {
    const { shop, order } = await pending();
    await configureSquare(shop);
    const sale = squarePayment(order.id, 1000);
    const refund = sale.refund(400);
    const completed = sale.completed({ reference_id: undefined });
    expect(await sendSquare(shop, completed)).toMatchObject({ outcome: 'ignored' });
    expect(await sendSquare(shop, refund.updated())).toMatchObject({ outcome: 'ignored' });
    const named = sale.created();
    await sendSquare(shop, named);
    expect(await getOrder(shop, order.id)).toMatchObject({
      status: 'paid',
      paymentId: sale.id,
      paymentStatus: 'partially_refunded',
      refundedAmount: '4.00',
    });
    expect((await listPayments(shop)).items).toMatchObject([{ matched: 'paid', refundedAmount: '4.00' }]);
    const { items } = await listNotifications(shop);
    expect(items.map(({ outcome }) => outcome)).not.toContain('ignored');
    // Copies change nothing.
    for (const copy of [named, completed, refund.updated()]) await sendSquare(shop, copy);
    expect(await getOrder(shop, order.id)).toMatchObject({ refundedAmount: '4.00' });
  });

  it('a till’s sale whose order is named only later and falls short of stock is to be told again', async () => {
    const { shop } = await pending();
    await configureSquare(shop);
    const product = await newProduct(shop, { price: '10', trackStock: true, stock: 1 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const sale = squarePayment(order.id, 1000);
    const completed = sale.completed({ reference_id: undefined });
    await sendSquare(shop, completed);
    await adjustStock(shop, product.id, { adjustment: -1 });
    await expect(sendSquare(shop, sale.created())).rejects.toMatchObject({ kind: 'insufficientStock' });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending' });
    await adjustStock(shop, product.id, { adjustment: 1 });
    expect(await sendSquare(shop, completed)).toMatchObject({ outcome: 'paid' });
  });

  it('nothing is stored for a free order that its notification creates: it is paid at its creation', async () => {
    const { shop } = await pending();
    await newProduct(shop, { price: '0', sku: 'FREE' });
    const id = newId();
    const event = payment(id, 0).sessionCompleted({
      payment_intent: null,
      payment_status: 'no_payment_required',
      metadata: { order_id: id, order_items: JSON.stringify([{ sku: 'FREE', quantity: 1 }]) },
    });
    expect(await send(shop, event)).toEqual({ received: true, outcome: 'paid' });
    expect(await getOrder(shop, id)).toMatchObject({ status: 'paid', paymentProvider: 'none', paymentId: null });
    expect(await listPayments(shop)).toEqual({ items: [], total: 0 });
  });
});
