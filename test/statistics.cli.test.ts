import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrder, openCommerce, recordPayment, updateSettings } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { commerce, commerceJson } from '@commerce/test-support/harness/processes';
import { forOneStorage, openStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';

forOneStorage('commerce statistics', 'sqlite', (database) => {
  const db = ['--db', database.address];
  const folder = mkdtempSync(join(tmpdir(), 'commerce-statistics-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  beforeAll(async () => {
    const clock = fakeClock('2026-11-03T10:00:00Z');
    const opened = await openCommerce({ storage: openStorage(database.address), clock });
    try {
      const { id } = await opened.createStore({ name: 'Shop', currency: 'EUR' });
      await updateSettings(await opened.store(id), { manualPayments: true });
      const shop = await opened.store(id);
      await newProduct(shop, { sku: 'MUG', title: 'Mug', price: '10', trackStock: true, stock: 2 });
      await newProduct(shop, { sku: 'CUP', title: 'Cup', trackStock: true, stock: 2 });
      const order = await createOrder(shop, {
        items: [{ sku: 'MUG', quantity: 2 }],
        customer: { email: 'ada@shop.test', name: 'Ada Lovelace' },
        shippingAddress: { country: 'GB' },
      });
      await recordPayment(shop, order.id, { method: 'cash', amount: '20' });
      clock.advance(24 * 60 * 60_000);
      await createOrder(shop, { items: [{ sku: 'CUP', quantity: 1 }] });
    } finally {
      await opened.close();
    }
  });

  const time = ['--from', '2026-11-02', '--to', '2026-11-04'];

  it('sales prints what was sold, as a table and as JSON with the sum', async () => {
    const { stdout } = await commerce(['statistics', 'sales', ...time, ...db]);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/)),
    ).toEqual([
      ['from', 'orders', 'gross', 'refunded', 'net'],
      ['2026-11-02', '0', '0.00', '0.00', '0.00'],
      ['2026-11-03', '1', '20.00', '0.00', '20.00'],
    ]);
    const month = ['--interval', 'month', '--time-zone', 'Asia/Kathmandu'];
    expect(await commerceJson(['statistics', 'sales', ...time, ...month, ...db])).toEqual({
      items: [{ from: '2026-11-02', orders: 1, gross: '20.00', refunded: '0.00', net: '20.00' }],
      total: 1,
      sum: { orders: 1, gross: '20.00', refunded: '0.00', net: '20.00' },
    });
  });

  it('products prints the best sellers', async () => {
    expect(await commerceJson(['statistics', 'products', ...time, '--limit', '5', ...db])).toMatchObject({
      items: [{ title: 'Mug', sku: 'MUG', quantity: 2, gross: '20.00' }],
      total: 1,
    });
  });

  it('countries prints sales by country', async () => {
    expect(await commerceJson(['statistics', 'countries', ...time, ...db])).toEqual({
      items: [{ country: 'GB', orders: 1, gross: '20.00', refunded: '0.00', net: '20.00' }],
      total: 1,
    });
  });

  it('taxes prints them by country and rate, and as CSV', async () => {
    const row = { country: null, rate: '0', orders: 1, base: '20.00', tax: '0.00' };
    expect(await commerceJson(['statistics', 'taxes', ...time, ...db])).toEqual({
      items: [{ ...row, refundedBase: '0.00', refundedTax: '0.00' }],
      total: 1,
    });
    expect((await commerce(['statistics', 'taxes', ...time, ...db, '--csv'])).stdout).toBe(
      'country,rate,orders,base,tax,refundedBase,refundedTax\r\n,0,1,20.00,0.00,0.00,0.00\r\n',
    );
  });

  it('writes CSV to standard output or to a file', async () => {
    const csv = 'country,orders,gross,refunded,net\r\nGB,1,20.00,0.00,20.00\r\n';
    const countries = ['statistics', 'countries', ...time, ...db, '--csv'];
    expect((await commerce(countries)).stdout).toBe(csv);
    expect((await commerce([...countries, '-'])).stdout).toBe(csv);
    const file = join(folder, 'countries.csv');
    expect((await commerce([...countries, file])).stdout).toBe(`1 rows in ${file}\n`);
    expect(readFileSync(file, 'utf8')).toBe(csv);
  });

  it('desk prints the work that waits', async () => {
    expect(await commerceJson(['desk', ...db])).toEqual({
      item: {
        toSend: 1,
        toRefund: 0,
        unpaidOffline: 0,
        unmatchedPayments: 0,
        openDisputes: 0,
        nextDisputeDueAt: null,
        failedPayments: 0,
        failedDeliveries: 0,
        lowStock: 1,
        openWithdrawals: 0,
        nextWithdrawalDueAt: null,
        failedMails: 0,
        mailMissing: true,
        newestOrderAt: '2026-11-03T10:00:00.000Z',
      },
    });
    expect((await commerce(['desk', ...db])).stdout).toMatch(/^to send +1\n/);
  });

  it('orders and products are found by what a shop looks for', async () => {
    const found = async (...args: string[]) =>
      ((await commerceJson([...args, ...db])) as { items: { orderNumber?: string; sku?: string }[] }).items.map(
        ({ orderNumber, sku }) => orderNumber ?? sku,
      );
    expect(await found('orders', 'list', '--search', 'lovelace')).toEqual(['ORD-1001']);
    expect(await found('orders', 'list', '--search', 'ord')).toEqual(['ORD-1002', 'ORD-1001']);
    expect(await found('orders', 'list', '--from', '2026-11-04')).toEqual(['ORD-1002']);
    expect(await found('orders', 'list', '--to', '2026-11-04', '--payment-status', 'succeeded')).toEqual(['ORD-1001']);
    expect(await found('orders', 'list', '--to-refund')).toEqual([]);
    expect(await found('orders', 'list', '--to-ship')).toEqual(['ORD-1001']);
    expect(await found('orders', 'list', '--unpaid-offline')).toEqual([]);
    expect(await found('products', 'list', '--low-stock')).toEqual(['MUG']);
  });
});
