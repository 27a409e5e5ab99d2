import { type Context, createApiKey, createOrder, recordPayment, updateSettings } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { type App, createApp } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectRefused, newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';

forEachStorage('statistics over HTTP', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let app: App;
  let shop: Context;
  let key: string;
  let productId: string;
  const get = (path: string) => ask(app, `GET /stores/${shop.store.id}${path}`, { key });

  beforeAll(async () => {
    app = createApp(commerce());
    const made = await newShop(commerce());
    await updateSettings(made, { manualPayments: true, timeZone: 'America/New_York' });
    shop = await commerce().store(made.store.id);
    key = await newKey(shop, 'order.read', 'product.read');
    clock.advance(Date.parse('2027-01-31T03:30:00Z') - clock.now());
    ({ id: productId } = await newProduct(shop, { price: '10', sku: 'MUG', title: 'Mug' }));
    const { id } = await createOrder(shop, { items: [{ productId, quantity: 2 }] });
    await recordPayment(shop, id, { method: 'cash', amount: '20' });
  });

  it('answer the intervals of the shop’s time zone, the last thirty days unless a time is given', async () => {
    const { status, json } = await get('/statistics/sales');
    const { items, total, sum } = json as { items: { from: string }[]; total: number; sum: object };
    expect([status, items.length, total]).toEqual([200, 30, 30]);
    expect(items[0]?.from).toBe('2027-01-01');
    const sold = { orders: 1, gross: '20.00', refunded: '0.00', net: '20.00' };
    expect(items.at(-1)).toEqual({ from: '2027-01-30', ...sold });
    expect(sum).toEqual(sold);
    const month = '/statistics/sales?from=2027-01-01&to=2027-03-01&interval=month&timeZone=utc';
    expect((await get(month)).json).toMatchObject({
      items: [
        { from: '2027-01-01', orders: 1 },
        { from: '2027-02-01', orders: 0, net: '0.00' },
      ],
      total: 2,
    });
  });

  it('answer the best sellers', async () => {
    expect(await get('/statistics/products?from=2027-01-30&limit=1')).toMatchObject({
      status: 200,
      json: {
        items: [{ productId, title: 'Mug', sku: 'MUG', primaryMediaId: null, quantity: 2, gross: '20.00' }],
        total: 1,
      },
    });
    expect((await get('/statistics/products?to=2027-01-30')).json).toEqual({ items: [], total: 0 });
  });

  it('answer the work that waits, and 304 to those who know it', async () => {
    const desk = await get('/desk');
    expect(desk).toMatchObject({
      status: 200,
      json: { item: { toSend: 1, toRefund: 0, failedPayments: 0, lowStock: 0, unmatchedPayments: null } },
    });
    const headers = { 'if-none-match': desk.headers.ETag ?? '' };
    const again = () => ask(app, `GET /stores/${shop.store.id}/desk`, { key, headers });
    expect((await again()).status).toBe(304);
    const { id } = await createOrder(shop, { items: [{ productId, quantity: 1 }] });
    expect((await again()).status).toBe(304);
    await recordPayment(shop, id, { method: 'cash', amount: '10' });
    expect(await again()).toMatchObject({ status: 200, json: { item: { toSend: 2 } } });
    const { key: storefront } = await createApiKey(shop, { name: 'shop', kind: 'storefront' });
    const seen = () => ask(app, `GET /stores/${shop.store.id}/desk`, { key: storefront });
    await expectRefused(commerce(), seen, { status: 403, code: 'FORBIDDEN' });
  });

  it('answer sales by country', async () => {
    expect(await get('/statistics/countries?from=2027-01-30')).toMatchObject({
      status: 200,
      json: { items: [{ country: null, refunded: '0.00' }], total: 1 },
    });
    expect((await get('/statistics/countries?to=2027-01-30')).json).toEqual({ items: [], total: 0 });
  });

  it('filter orders and products by what a shop looks for', async () => {
    const found = async (path: string) => ((await get(path)).json as { total: number }).total;
    expect(
      await found('/orders?search=ord-1001&toRefund=false&from=2027-01-30&to=2027-01-31&paymentStatus=succeeded'),
    ).toBe(1);
    expect(await found('/orders?from=2027-01-31')).toBe(0);
    expect(await found('/orders?toRefund=true')).toBe(0);
    expect(await found('/orders?toShip=true&search=ord-1001')).toBe(1);
    expect(await found('/orders?unpaidOffline=true')).toBe(0);
    expect(await found('/products?lowStock=true')).toBe(0);
    expect(await found('/products?lowStock=false')).toBe(1);
  });

  it.each([
    ['/statistics/sales?timeZone=Mars', ['timeZone']],
    ['/statistics/sales?from=2027-1-1&interval=decade', ['from', 'interval']],
    ['/statistics/sales?from=2020-01-01', ['from']],
    ['/statistics/products?limit=101', ['limit']],
    ['/statistics/countries?timeZone=Mars&to=x', ['to', 'timeZone']],
    ['/statistics/products?from=2001-01-01', ['from']],
    ['/orders?from=x', ['from']],
    ['/products?lowStock=1', ['lowStock']],
    ['/orders?toRefund=1', ['toRefund']],
    ['/orders?toShip=1&unpaidOffline=yes', ['toShip', 'unpaidOffline']],
  ])('refuse %s', async (path, fields) => {
    await expectRefused(commerce(), () => get(path), { status: 400, code: 'VALIDATION_ERROR', fields });
  });
});
