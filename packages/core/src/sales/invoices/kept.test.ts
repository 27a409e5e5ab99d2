import { stripeDispute } from '@commerce/test-support/fixtures/disputes';
import { minute, useSelling } from '@commerce/test-support/fixtures/selling';
import { eventsOf } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { inParallel } from '@commerce/test-support/harness/processes';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  anonymiseCustomer,
  askPendingRefunds,
  createCheckout,
  createOrder,
  eraseOrder,
  forgetOldInvoices,
  getOrder,
  issueInvoice,
  listInvoices,
  recordPayment,
  refundOrder,
  updateOrder,
} from '../../index.ts';

const seller = { name: 'Tea & Co Ltd', address: '12 St James Square\nLondon', email: 'hello@shop.test' };
const settings = { seller, manualPayments: true, invoices: { enabled: true, keepYears: 2 } };
const year = 366 * 24 * 60 * minute;

forEachStorage('invoices that are kept', (database) => {
  const { clock, commerce, stub, openShop, pageOf } = useSelling(database);

  async function sold() {
    const { shop, product } = await openShop([], { settings });
    const order = await createOrder(shop, {
      items: [{ productId: product.id, quantity: 2, options: { Engraving: 'For Annabella' } }],
      customer: { email: 'ada@analytical.test', name: 'Ada Lovelace' },
      shippingAddress: { firstName: 'Ada', lastName: 'Lovelace', city: 'Mayfair', country: 'GB' },
    });
    await recordPayment(shop, order.id, { method: 'cash', amount: order.total });
    return { shop, order: await getOrder(shop, order.id) };
  }
  /** The end of the year that comes so many years later. */
  const until = (ms: number, years: number) => `${new Date(ms).getUTCFullYear() + years + 1}-01-01T00:00:00.000Z`;

  it('survive the erasure of their order, and the answer says so', async () => {
    const { shop, order } = await sold();
    await refundOrder(shop, order.id, { amount: '1.00' });
    const before = (await listInvoices(shop)).items;
    const kept = { invoices: 2, until: until(clock.now(), 2) };
    expect(await eraseOrder(shop, order.id)).toEqual({ kept });
    expect((await listInvoices(shop, { orderId: order.id })).items).toEqual(before);
    const { shop: other, product } = await openShop([]);
    const unreal = await createOrder(other, { items: [{ productId: product.id, quantity: 1 }] });
    expect(await eraseOrder(other, unreal.id)).toEqual({ kept: { invoices: 0, until: null } });
  });

  it('keep the person who is anonymised; events and answers of requests do not', async () => {
    const { shop, order } = await sold();
    await refundOrder(shop, order.id, { amount: '1.00' });
    const { kept, name } = await anonymiseCustomer(shop, order.customerId ?? '');
    expect({ kept, name }).toEqual({ kept: { invoices: 2, until: until(clock.now(), 2) }, name: null });
    const { items } = await listInvoices(shop);
    expect(items.map(({ buyer }) => buyer.name)).toEqual(['Ada Lovelace', 'Ada Lovelace']);
    expect(JSON.stringify(await eventsOf(shop)).toLowerCase()).not.toMatch(/lovelace|mayfair|analytical|annabella/);
    expect(JSON.stringify(items)).toContain('For Annabella');
    // What follows later is about nobody.
    await refundOrder(shop, order.id, { amount: '2.00' });
    const [latest] = (await listInvoices(shop)).items;
    expect(latest?.buyer).toMatchObject({ name: null, address: { city: null, country: 'GB' } });
  });

  it('say at the end of a transaction what its last change left of an order', async () => {
    const { shop, product } = await openShop([], { settings });
    const address = { firstName: 'Ada', lastName: 'Lovelace', city: 'Mayfair', country: 'GB' };
    const order = await createOrder(shop, {
      items: [{ productId: product.id, quantity: 1 }],
      customer: { email: 'ada@analytical.test', name: 'Ada Lovelace' },
      shippingAddress: address,
    });
    await commerce().transaction(shop, async (tx) => {
      await recordPayment(tx, order.id, { method: 'cash', amount: order.total });
      await anonymiseCustomer(tx, order.customerId ?? '');
    });
    const [invoice] = (await listInvoices(shop, { orderId: order.id })).items;
    expect(invoice?.buyer).toMatchObject({ name: null, address: { city: null, country: 'GB' } });
  });

  it('are removed once all documents of an order are older than the shop keeps them', async () => {
    const { shop, order } = await sold();
    clock.advance(year);
    await refundOrder(shop, order.id, { amount: '1.00' });
    clock.advance(year + 24 * 60 * minute);
    const other = await createOrder(shop, { items: [{ productId: order.items[0]?.productId ?? '', quantity: 1 }] });
    await recordPayment(shop, other.id, { method: 'cash', amount: other.total });
    const remove = () => forgetOldInvoices(commerce().engine);
    await remove();
    expect((await listInvoices(shop)).total).toBe(3);
    // The first one is old enough, but not the credit note of the year after.
    clock.advance(year);
    await remove();
    expect((await listInvoices(shop)).total).toBe(3);
    clock.advance(year);
    await remove();
    const { items } = await listInvoices(shop);
    expect(items.map(({ orderId }) => orderId)).toEqual([other.id]);
  });

  it('follow refunds that a provider makes, tells and takes back', async () => {
    const { shop, input } = await openShop(['stripe'], { settings });
    const checkout = await createCheckout(shop, input());
    await stub().act('stripe', await pageOf(shop, checkout.id), 'pay');
    await stub().settled();
    const { orderId } = checkout;
    const of = async () => (await listInvoices(shop, { orderId })).items.toReversed();
    expect((await of()).map(({ cause }) => cause)).toEqual(['order']);
    await refundOrder(shop, orderId, { execute: true, amount: '5.00' });
    await stub().settled();
    expect((await of()).map(({ cause, total }) => `${cause} ${total}`)).toEqual(['order 25.00', 'refund 5.00']);
    const [refund] = stub().refunds('stripe').slice(-1);
    await stub().decideRefund('stripe', refund?.refund ?? '', 'failed');
    await stub().settled();
    await askPendingRefunds(commerce().engine);
    const documents = await of();
    expect(documents.map(({ kind, cause, total }) => `${kind} ${cause} ${total}`)).toEqual([
      'invoice order 25.00',
      'credit_note refund 5.00',
      'invoice refund_failed 5.00',
    ]);
    expect(documents[2]).toMatchObject({
      refersTo: { id: documents[1]?.id, number: documents[1]?.number },
      refundId: documents[1]?.refundId,
      lines: documents[1]?.lines,
      taxes: documents[1]?.taxes,
    });
    await updateOrder(shop, orderId, { status: 'cancelled' });
    const last = (await of()).at(-1);
    expect(last).toMatchObject({ kind: 'credit_note', cause: 'cancellation', total: '25.00' });
  });

  it('follow the money that a dispute takes once it is lost, not while it can be won', async () => {
    const { shop, product } = await openShop([], { settings });
    await configureStripe(shop);
    const disputed = async () => {
      const { id } = await createOrder(shop, { items: [{ productId: product.id, quantity: 2 }] });
      const paid = payment(id, 2500);
      const dispute = stripeDispute(paid, 2000);
      for (const event of [paid.intentSucceeded(), dispute.created(), dispute.withdrawn()]) await send(shop, event);
      expect(await getOrder(shop, id)).toMatchObject({ refundedAmount: '20.00' });
      const documents = async () =>
        (await listInvoices(shop, { orderId: id })).items.toReversed().map(({ cause, total }) => `${cause} ${total}`);
      expect(await documents()).toEqual(['order 25.00']);
      return { id, paid, dispute, documents };
    };
    const lost = await disputed();
    await send(shop, refundsOf(lost.paid).one(300).created());
    expect(await lost.documents()).toEqual(['order 25.00', 'refund 3.00']);
    await send(shop, lost.dispute.lost());
    expect(await lost.documents()).toEqual(['order 25.00', 'refund 3.00', 'refund 20.00']);
    const won = await disputed();
    await send(shop, won.dispute.won());
    await send(shop, won.dispute.reinstated());
    expect(await won.documents()).toEqual(['order 25.00']);
    const cancelled = await disputed();
    await updateOrder(shop, cancelled.id, { status: 'cancelled' });
    await send(shop, cancelled.dispute.lost());
    expect(await cancelled.documents()).toEqual(['order 25.00', 'cancellation 25.00']);
  });

  it('have numbers without gaps under many writers, of whom some are rolled back', async () => {
    const { shop, product } = await openShop([], { settings, stock: 1000 });
    const one = () => createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const orders = await inParallel(Array.from({ length: 24 }), 8, one);
    await inParallel(orders, 8, async (order, i) => {
      const pay = () => recordPayment(shop, order.id, { method: 'cash', amount: order.total });
      if (i % 3 === 0) {
        const undone = commerce().transaction(shop, async (ctx) => {
          await recordPayment(ctx, order.id, { method: 'cash', amount: order.total });
          await issueInvoice(ctx, order.id);
          throw new Error('undone');
        });
        await expect(undone).rejects.toThrow();
      }
      await pay();
      if (i % 2 === 0) await refundOrder(shop, order.id, { amount: '1.00' });
    });
    const all = [];
    for (const kind of ['invoice', 'credit_note'] as const) {
      const { items } = await listInvoices(shop, { kind, limit: 200 });
      all.push(items.map(({ number }) => Number(number.slice(-4))).sort((a, b) => a - b));
    }
    const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
    expect(all).toEqual([upTo(24), upTo(12)]);
  });
});
