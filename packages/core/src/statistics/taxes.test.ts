import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { examine } from '../doctor/doctor.ts';
import {
  type Context,
  createCheckout,
  createOrder,
  eraseOrder,
  getOrder,
  type OrderInput,
  recordPayment,
  refundOrder,
  updateOrder,
  updateSettings,
} from '../index.ts';
import { minorOf } from '../kernel/money.ts';
import { fakeClock } from '../testing/index.ts';
import { getTaxes } from './taxes.ts';

forEachStorage('statistics of taxes', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const at = (time: string) => clock.advance(Date.parse(time) - clock.now());

  /** A shop in Vienna that sells mugs at 20 % and books at 10 %, and in Germany at 19 % and 7 %. */
  async function newSeller() {
    const shop = await newShop(commerce());
    const rate = (country: string, taxClass: string, rate: string) => ({ country, class: taxClass, rate });
    await updateSettings(shop, {
      ...{ country: 'AT', taxIncluded: true, manualPayments: true },
      returnUrls: ['https://shop.example'],
      paymentMethods: [{ id: 'bill', name: 'Invoice', kind: 'invoice' }],
      taxes: {
        scope: 'destination',
        rates: [
          ...[rate('AT', 'standard', '0.20'), rate('AT', 'reduced', '0.1')],
          ...[rate('DE', 'standard', '0.19'), rate('DE', 'reduced', '0.07')],
        ],
      },
    });
    await configureStripe(shop);
    await newProduct(shop, { price: '12', sku: 'MUG' });
    await newProduct(shop, { price: '11', sku: 'BOOK', taxClass: 'reduced' });
    return shop;
  }
  const mugAndBook = (country: string): OrderInput => ({
    items: [
      { sku: 'MUG', quantity: 1 },
      { sku: 'BOOK', quantity: 1 },
    ],
    shippingAddress: { country },
  });
  const pay = (shop: Context, { id, total }: { id: string; total: string }, paidAt?: string) =>
    recordPayment(shop, id, { method: 'cash', amount: total, ...(paidAt && { paidAt }) });

  const rows = async (shop: Context, from: string, to: string) => {
    const { items, total } = await getTaxes(shop, { from, to, timeZone: 'Europe/Vienna' });
    expect(total).toBe(items.length);
    return items.map((row) => Object.values(row).join(' '));
  };
  const expectRightCounts = async () => {
    const findings = await examine(commerce().engine);
    expect(findings.find(({ check }) => check === 'counts')).toMatchObject({ status: 'ok' });
  };

  it('are told by country and rate for the time in which orders were paid, refunds apart', async () => {
    const shop = await newSeller();
    at('2027-03-31T21:59:00Z');
    const [german, austrian] = [
      await createOrder(shop, mugAndBook('DE')),
      await createOrder(shop, { ...mugAndBook('AT'), shipping: '2.30' }),
    ];
    await createOrder(shop, mugAndBook('DE'));
    await pay(shop, german);
    // The second quarter begins in Vienna.
    at('2027-03-31T22:00:00Z');
    await pay(shop, austrian);
    const [mug] = german.items;
    await refundOrder(shop, german.id, { lines: [{ itemId: mug?.id ?? '', quantity: 1 }] });
    await refundOrder(shop, austrian.id, { amount: '2.53' });
    expect(await rows(shop, '2027-01-01', '2027-04-01')).toEqual([
      'DE 0.19 1 10.08 1.92 0.00 0.00',
      'DE 0.07 1 10.28 0.72 0.00 0.00',
    ]);
    expect(await rows(shop, '2027-04-01', '2027-07-01')).toEqual([
      // A tenth of 25.30: of 13.20 with 20 %, and of 12.10 with 10 %.
      'AT 0.2 1 11.00 2.20 1.10 0.22',
      'AT 0.1 1 11.00 1.10 1.10 0.11',
      'DE 0.19 0 0.00 0.00 10.08 1.92',
    ]);
    await expectRightCounts();
    await eraseOrder(shop, german.id);
    expect(await rows(shop, '2027-01-01', '2027-04-01')).toEqual([]);
    expect(await rows(shop, '2027-04-01', '2027-07-01')).toHaveLength(2);
    await expectRightCounts();
  });

  it('count an order that ships unpaid when it is fulfilled, and not again with its money', async () => {
    const shop = await newSeller();
    at('2027-05-10T10:00:00Z');
    const { orderId } = await createCheckout(shop, {
      ...mugAndBook('AT'),
      customer: { email: 'ada@shop.test' },
      paymentMethodId: 'bill',
      successUrl: 'https://shop.example/a',
      cancelUrl: 'https://shop.example/b',
    });
    expect(await rows(shop, '2027-05-01', '2027-06-01')).toEqual([]);
    at('2027-05-20T10:00:00Z');
    await updateOrder(shop, orderId, { status: 'fulfilled' });
    const shipped = ['AT 0.2 1 10.00 2.00 0.00 0.00', 'AT 0.1 1 10.00 1.00 0.00 0.00'];
    expect(await rows(shop, '2027-05-20', '2027-05-21')).toEqual(shipped);
    at('2027-06-10T10:00:00Z');
    const order = await getOrder(shop, orderId);
    // The money came before it was shipped, as the shop noticed later.
    await pay(shop, order, '2027-05-15T10:00:00Z');
    expect(await rows(shop, '2027-05-15', '2027-05-16')).toEqual(shipped);
    expect(await rows(shop, '2027-05-16', '2027-07-01')).toEqual([]);
    await expectRightCounts();
  });

  it('add up when a refund fails, when the provider tells it, and over the whole', async () => {
    const shop = await newSeller();
    at('2027-08-01T10:00:00Z');
    const order = await createOrder(shop, { ...mugAndBook('DE'), shipping: '3.33' });
    const told = payment(order.id, Number(minorOf(order.total)));
    await send(shop, told.intentSucceeded());
    const refund = refundsOf(told).one(777);
    await send(shop, refund.created());
    const sums = async () => {
      const { items } = await getTaxes(shop, { from: '2027-08-01', to: '2027-09-01' });
      const sum = (field: 'base' | 'tax' | 'refundedBase' | 'refundedTax') =>
        items.reduce((all, row) => all + minorOf(row[field]), 0n);
      return { sold: sum('base') + sum('tax'), refunded: sum('refundedBase') + sum('refundedTax') };
    };
    expect(await sums()).toEqual({ sold: minorOf(order.total), refunded: 777n });
    await send(shop, refund.failed());
    expect(await sums()).toEqual({ sold: minorOf(order.total), refunded: 0n });
    await expectRightCounts();
    await refundOrder(shop, order.id, { lines: order.items.map(({ id }) => ({ itemId: id, quantity: 1 })) });
    await refundOrder(shop, order.id, { shipping: true });
    expect(await sums()).toEqual({ sold: minorOf(order.total), refunded: minorOf(order.total) });
    const { items } = await getTaxes(shop, { from: '2027-08-01', to: '2027-09-01' });
    for (const row of items) expect([row.refundedBase, row.refundedTax]).toEqual([row.base, row.tax]);
    await expectRightCounts();
  });

  it('are no business of storefront keys', async () => {
    const shop = await newSeller();
    const seen: Context = { ...shop, actor: { type: 'apiKey', id: 'storefront', isPublic: true } };
    await expect(getTaxes(seen)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(getTaxes(shop, { from: '2001-01-01', to: '2027-01-01' })).rejects.toMatchObject({
      details: [{ field: 'from' }],
    });
  });
});
