import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { examine } from '../doctor/doctor.ts';
import {
  anonymiseCustomer,
  type Context,
  createOrder,
  eraseOrder,
  getOrder,
  type Order,
  type OrderInput,
  refundOrder,
  type SalesQueryInput,
  updateOrder,
  updateSettings,
} from '../index.ts';
import { writing } from '../storage/run.ts';
import { fakeClock } from '../testing/index.ts';
import { getBestSellers } from './best-sellers.ts';
import { getSalesByCountry } from './countries.ts';
import { getSales } from './sales.ts';

forEachStorage('statistics of sales', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  const at = (time: string) => clock.advance(Date.parse(time) - clock.now());

  async function newSeller() {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const mug = await newProduct(shop, { price: '10', sku: 'MUG', title: 'Mug' });
    return { shop, mug };
  }

  /** An order that its notification pays immediately. */
  async function sell(shop: Context, productId: string, quantity = 1): Promise<{ order: Order; refunds: Refunds }> {
    const order = await createOrder(shop, { items: [{ productId, quantity }], customer: { email: 'ada@example.org' } });
    const told = payment(order.id, quantity * 1000);
    await send(shop, told.intentSucceeded());
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid' });
    return { order, refunds: refundsOf(told) };
  }
  type Refunds = ReturnType<typeof refundsOf>;

  /** The intervals with any activity, and the sum. */
  async function read(shop: Context, query: SalesQueryInput) {
    const { items, total, sum } = await getSales(shop, query);
    expect(items.length).toBe(total);
    const some = items.filter(({ orders, gross, refunded }) => orders > 0 || gross !== '0.00' || refunded !== '0.00');
    return [...some, sum].map((one) => [
      'from' in one ? one.from : 'sum',
      one.orders,
      one.gross,
      one.refunded,
      one.net,
    ]);
  }

  const expectRightCounts = async () => {
    const findings = await examine(commerce().engine);
    expect(findings.find(({ check }) => check === 'counts')).toMatchObject({ status: 'ok' });
  };

  it('count orders when they are paid and refunds when they are recorded, by days of a zone', async () => {
    const { shop, mug } = await newSeller();
    at('2027-03-01T22:59:59.999Z');
    const first = await sell(shop, mug.id, 2);
    at('2027-03-01T23:00:00Z');
    await sell(shop, mug.id);
    at('2027-03-04T12:00:00Z');
    await refundOrder(shop, first.order.id, { amount: '5' });
    const week = { from: '2027-03-01', to: '2027-03-08' };
    expect(await read(shop, { ...week, timeZone: 'Europe/Berlin' })).toEqual([
      ['2027-03-01', 1, '20.00', '0.00', '20.00'],
      ['2027-03-02', 1, '10.00', '0.00', '10.00'],
      ['2027-03-04', 0, '0.00', '5.00', '-5.00'],
      ['sum', 2, '30.00', '5.00', '25.00'],
    ]);
    expect(await read(shop, week)).toEqual([
      ['2027-03-01', 2, '30.00', '0.00', '30.00'],
      ['2027-03-04', 0, '0.00', '5.00', '-5.00'],
      ['sum', 2, '30.00', '5.00', '25.00'],
    ]);
    expect(await read(shop, { ...week, timeZone: 'Asia/Kathmandu' })).toEqual([
      ['2027-03-02', 2, '30.00', '0.00', '30.00'],
      ['2027-03-04', 0, '0.00', '5.00', '-5.00'],
      ['sum', 2, '30.00', '5.00', '25.00'],
    ]);
    expect((await getSales(shop, { ...week })).items).toHaveLength(7);
    await expectRightCounts();
  });

  it('count a cancelled order until it is refunded, one that costs nothing, and none that is not paid', async () => {
    const { shop, mug } = await newSeller();
    at('2027-04-01T10:00:00Z');
    const { order } = await sell(shop, mug.id);
    await updateOrder(shop, order.id, { status: 'cancelled' });
    const free = await newProduct(shop, { price: '0' });
    await createOrder(shop, { items: [{ productId: free.id, quantity: 3 }] });
    await createOrder(shop, { items: [{ productId: mug.id, quantity: 1 }] });
    const day = { from: '2027-04-01', to: '2027-04-02' };
    expect(await read(shop, day)).toEqual([
      ['2027-04-01', 2, '10.00', '0.00', '10.00'],
      ['sum', 2, '10.00', '0.00', '10.00'],
    ]);
    await anonymiseCustomer(shop, order.customerId ?? '');
    await refundOrder(shop, order.id, { amount: '10' });
    expect(await read(shop, day)).toMatchObject([
      ['2027-04-01', 2, '10.00', '10.00', '0.00'],
      ['sum', 2, '10.00', '10.00', '0.00'],
    ]);
    expect(await getBestSellers(shop, day)).toMatchObject({
      items: [
        { productId: free.id, quantity: 3, gross: '0.00' },
        { productId: mug.id, title: 'Mug', sku: 'MUG', quantity: 1, gross: '10.00' },
      ],
      total: 2,
    });
    await expectRightCounts();
  });

  it('count the refunds that providers tell of once, whatever they tell first, and take off those that fail', async () => {
    const { shop, mug } = await newSeller();
    at('2027-05-01T10:00:00Z');
    const { order, refunds } = await sell(shop, mug.id, 5);
    const whole = { from: '2027-05-01', to: '2027-06-01' };
    at('2027-05-02T10:00:00Z');
    const one = refunds.one(2000);
    await send(shop, one.created());
    await send(shop, one.created());
    await send(shop, refunds.total(2000));
    expect(await read(shop, whole)).toEqual([
      ['2027-05-01', 1, '50.00', '0.00', '50.00'],
      ['2027-05-02', 0, '0.00', '20.00', '-20.00'],
      ['sum', 1, '50.00', '20.00', '30.00'],
    ]);
    at('2027-05-03T10:00:00Z');
    await refundOrder(shop, order.id, { amount: '7.50' });
    at('2027-05-03T10:20:00Z');
    // The provider's report of the same refund.
    await send(shop, refunds.one(750).created());
    expect(await read(shop, whole)).toMatchObject([
      ['2027-05-01', 1, '50.00', '0.00', '50.00'],
      ['2027-05-02', 0, '0.00', '20.00', '-20.00'],
      ['2027-05-03', 0, '0.00', '7.50', '-7.50'],
      ['sum', 1, '50.00', '27.50', '22.50'],
    ]);
    at('2027-05-05T10:00:00Z');
    await send(shop, one.failed());
    expect((await getOrder(shop, order.id)).refundedAmount).toBe((await getSales(shop, whole)).sum.refunded);
    await expectRightCounts();
  });

  it('count a refund that came before its payment, and never more than the total', async () => {
    const { shop, mug } = await newSeller();
    at('2027-06-01T10:00:00Z');
    const order = await createOrder(shop, { items: [{ productId: mug.id, quantity: 5 }] });
    const told = payment(order.id, 5000);
    await send(shop, refundsOf(told).one(1000).created());
    at('2027-06-01T12:00:00Z');
    await send(shop, told.intentSucceeded());
    await send(shop, told.chargeSucceeded());
    const whole = { from: '2027-06-01', to: '2027-06-02' };
    expect((await getSales(shop, whole)).sum).toMatchObject({ orders: 1, gross: '50.00', refunded: '10.00' });
    await send(shop, refundsOf(told).total(9000));
    expect((await getSales(shop, whole)).sum).toMatchObject({ refunded: '50.00', net: '0.00' });
    await expectRightCounts();
  });

  it('forget an order that is erased, with its refunds', async () => {
    const { shop, mug } = await newSeller();
    at('2027-07-01T10:00:00Z');
    const { order } = await sell(shop, mug.id, 5);
    await refundOrder(shop, order.id, { amount: '5' });
    await eraseOrder(shop, order.id);
    expect(await read(shop, { from: '2027-07-01', to: '2027-07-02' })).toEqual([['sum', 0, '0.00', '0.00', '0.00']]);
    expect(await getBestSellers(shop)).toEqual({ items: [], total: 0 });
    await expectRightCounts();
  });

  it('tell sales by country of the shipping address, else of the billing address', async () => {
    const { shop, mug } = await newSeller();
    const { shop: other } = await newSeller();
    at('2027-11-01T22:30:00Z');
    const sellTo = async (quantity: number, addresses: Pick<OrderInput, 'shippingAddress' | 'billingAddress'>) => {
      const customer = { email: 'ada@example.org' };
      const order = await createOrder(shop, { items: [{ productId: mug.id, quantity }], customer, ...addresses });
      await send(shop, payment(order.id, quantity * 1000).intentSucceeded());
      return order;
    };
    const german = await sellTo(3, { shippingAddress: { country: 'DE' }, billingAddress: { country: 'AT' } });
    await sellTo(1, { shippingAddress: { city: 'Berlin' }, billingAddress: { country: ' de' } });
    await sellTo(2, { billingAddress: { country: 'Austria' } });
    await sellTo(1, {});
    await createOrder(shop, { items: [{ productId: mug.id, quantity: 9 }], shippingAddress: { country: 'FR' } });
    at('2027-11-03T10:00:00Z');
    await refundOrder(shop, german.id, { amount: '5' });
    const germany = { country: 'DE', orders: 2, gross: '40.00', refunded: '5.00', net: '35.00' };
    const austria = { country: 'Austria', orders: 1, gross: '20.00', refunded: '0.00', net: '20.00' };
    const nowhere = { country: null, orders: 1, gross: '10.00', refunded: '0.00', net: '10.00' };
    expect(await getSalesByCountry(shop)).toEqual({ items: [germany, austria, nowhere], total: 3 });
    expect(await getSalesByCountry(shop, { from: '2027-11-02', timeZone: 'Europe/Berlin' })).toEqual({
      items: [{ country: 'DE', orders: 0, gross: '0.00', refunded: '5.00', net: '-5.00' }],
      total: 1,
    });
    expect(await getSalesByCountry(shop, { to: '2027-11-02', timeZone: 'Europe/Berlin' })).toMatchObject({ total: 3 });
    expect(await getSalesByCountry(other)).toEqual({ items: [], total: 0 });
    await anonymiseCustomer(shop, german.customerId ?? '');
    expect((await getSalesByCountry(shop)).items).toEqual([germany, austria, nowhere]);
    await expectRightCounts();
    await eraseOrder(shop, german.id);
    expect((await getSalesByCountry(shop)).items).toEqual([
      austria,
      nowhere,
      { country: 'DE', orders: 1, gross: '10.00', refunded: '0.00', net: '10.00' },
    ]);
    await expectRightCounts();
    await expect(getSalesByCountry(shop, { from: '2010-01-01' })).rejects.toThrow('from: must be at most 3660 days');
  });

  it('tell the best sellers by pieces, of another store none', async () => {
    const { shop, mug } = await newSeller();
    const { shop: other } = await newSeller();
    at('2027-08-01T10:00:00Z');
    const cup = await newProduct(shop, { price: '10', title: 'Cup', sku: null });
    await sell(shop, mug.id, 1);
    await sell(shop, cup.id, 2);
    at('2027-08-02T10:00:00Z');
    await sell(shop, cup.id, 2);
    await sell(shop, mug.id, 1);
    expect(await getBestSellers(shop, { limit: 1 })).toEqual({
      items: [{ productId: cup.id, title: 'Cup', sku: null, primaryMediaId: null, quantity: 4, gross: '40.00' }],
      total: 2,
    });
    expect(await getBestSellers(shop, { limit: 1, offset: 1 })).toMatchObject({
      items: [{ productId: mug.id }],
      total: 2,
    });
    expect((await getBestSellers(shop, { from: '2027-08-02', to: '2027-08-03' })).items).toMatchObject([
      { quantity: 2 },
      { quantity: 1 },
    ]);
    expect(await getBestSellers(shop, { to: '2027-08-01' })).toEqual({ items: [], total: 0 });
    expect(await getBestSellers(other)).toEqual({ items: [], total: 0 });
    expect((await getSales(other)).sum.orders).toBe(0);
  });

  it('are of the days in which the shop counts, also with a context from before its zone changed', async () => {
    const { shop, mug } = await newSeller();
    const { timeZone } = await updateSettings(shop, { timeZone: 'Europe/Berlin' });
    expect(timeZone).toBe('Europe/Berlin');
    at('2027-08-01T22:30:00Z');
    await sell(shop, mug.id, 3);
    for (const [from, to, total] of [
      ['2027-08-01', '2027-08-02', 0],
      ['2027-08-02', '2027-08-03', 1],
    ] as const) {
      expect([from, (await getBestSellers(shop, { from, to })).total]).toEqual([from, total]);
      expect([from, (await getSales(shop, { from, to })).sum.orders]).toEqual([from, total]);
      expect([from, (await getSalesByCountry(shop, { from, to })).total]).toEqual([from, total]);
    }
    await expectRightCounts();
  });

  it('are set right by the doctor', async () => {
    const { shop, mug } = await newSeller();
    at('2027-09-01T10:05:00Z');
    await sell(shop, mug.id);
    const { storage } = commerce().engine;
    await storage.counts.foldAll?.();
    const forget = sql`delete from list_counts where store_id = ${shop.store.id} and list like 'sales.%'`;
    await writing(storage, (db) => forget.execute(db));
    expect((await getSales(shop)).sum.orders).toBe(0);
    const [finding] = (await examine(commerce().engine, { repair: true })).filter(({ check }) => check === 'counts');
    expect(finding).toMatchObject({
      status: 'repaired',
      message: expect.stringContaining('sales.orders 2027-09-01T10:00: 0, not 1'),
    });
    expect((await getSales(shop)).sum).toMatchObject({ orders: 1, gross: '10.00' });
    expect((await getBestSellers(shop)).total).toBe(1);
  });

  it('answer ranges whose sums are too many for the thread that serves', async () => {
    const { shop, mug } = await newSeller();
    at('2027-10-01T00:00:00Z');
    const { storage } = commerce().engine;
    const quarters = Array.from({ length: 1500 }, (_, i) => new Date(clock.now() - (i + 1) * 900_000).toISOString());
    const rows = quarters.flatMap((time) => [
      { store_id: shop.store.id, list: 'sales.gross' as const, value: time.slice(0, 16), n: 100 },
      { store_id: shop.store.id, list: 'sales.productQuantity' as const, value: `2027-09-01T00:00 ${time}`, n: 1 },
    ]);
    await writing(storage, (db) => db.insertInto('list_counts').values(rows).execute());
    expect((await getSales(shop)).sum.gross).toBe('1500.00');
    expect((await getSales(shop, { from: '2027-09-30' })).items).toMatchObject([{ gross: '96.00' }, { gross: '0.00' }]);
    expect(await getBestSellers(shop, { from: '2027-09-01' })).toMatchObject({ total: 1500, items: { length: 10 } });
    expect(mug.sku).toBe('MUG');
  });

  it.each<[SalesQueryInput, string]>([
    [
      { timeZone: '+02:00' },
      'timeZone: must be the name of a time zone, such as "Europe/Berlin" or "UTC", not "+02:00"',
    ],
    [{ timeZone: 'Mars/Base' }, 'timeZone: must be the name of a time zone'],
    [{ from: '2027-02-30' }, 'from: must be a date such as "2026-11-01" or a time'],
    [{ from: '1969-01-01' }, 'from: must be between'],
    [{ from: '2027-01-02', to: '2027-01-02' }, 'to: must be later than from'],
    [{ from: '2025-01-01', to: '2027-01-02' }, 'from: must be at most 400 intervals before to, not "2025-01-01"'],
    [{ interval: 'decade' as never }, 'interval: must be one of day, week, month, quarter, year'],
  ])('refuse %j: %s', async (query, message) => {
    const { shop } = await newSeller();
    await expect(getSales(shop, query)).rejects.toThrow(message);
  });
});
