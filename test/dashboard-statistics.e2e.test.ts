import { readFile } from 'node:fs/promises';
import {
  type Context,
  createOrder,
  deleteProduct,
  recordPayment,
  refundOrder,
  scopePresets,
  updateSettings,
} from '@commerce/core';
import { type DashboardShop, keyWith, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { browserNote, chromiumPath } from '@commerce/test-support/harness/chromium';
import { heading, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

// The statistics, in a browser against a real service. Orders are dated by hand, so that the figures of each interval are known.

const address = { firstName: 'Ada', address1: 'Street 1', city: 'City', postalCode: '1' };

interface Sale {
  productId: string;
  quantity: number;
  paidAt: string;
  country?: string;
}

async function sell(shop: Context, { productId, quantity, paidAt, country }: Sale): Promise<string> {
  const order = await createOrder(shop, {
    items: [{ productId, quantity }],
    ...(country ? { shippingAddress: { ...address, country } } : {}),
  });
  await recordPayment(shop, order.id, { method: 'cash', amount: order.total, paidAt });
  return order.id;
}

/** A shop that sold in three months of 2025, in two countries, a product named like a formula, and one that is gone. */
async function soldShop({ commerce }: DashboardShop): Promise<{ ids: DashboardShop['ids']; mugId: string }> {
  const shop = await newShop(commerce);
  await updateSettings(shop, { manualPayments: true, timeZone: 'Europe/Berlin' });
  const mug = await newProduct(shop, { title: '=1+1', sku: 'MUG', price: '10' });
  const gone = await newProduct(shop, { title: 'Gone', sku: 'GONE', price: '30' });
  // In Berlin, this is the first of February.
  await sell(shop, { productId: mug.id, quantity: 2, paidAt: '2025-01-31T23:30:00Z', country: 'DE' });
  const id = await sell(shop, { productId: mug.id, quantity: 1, paidAt: '2025-02-10T12:00:00Z', country: 'FR' });
  await sell(shop, { productId: gone.id, quantity: 1, paidAt: '2025-05-05T12:00:00Z' });
  await refundOrder(shop, id, { amount: '4.00', refundId: 'r-1' });
  await deleteProduct(shop, gone.id);
  return { ids: { storeId: shop.store.id, key: await keyWith(shop, scopePresets.full) }, mugId: mug.id };
}

const year = 'period=custom&from=2025-01-01&to=2025-12-31';

/** The text of the file that the button saves, without its byte order mark, and its name. */
async function csvOf(page: Page): Promise<[name: string, lines: string[]]> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await saved;
  const text = await readFile(await file.path(), 'utf8');
  return [file.suggestedFilename(), text.replace('\uFEFF', '').trimEnd().split('\r\n')];
}

describe.skipIf(chromiumPath === undefined)(`the statistics of the dashboard${browserNote}`, () => {
  forOneStorage('used by a browser', 'sqlite', (database) => {
    const at = useDashboard(database);

    it('divide the sales of a period into intervals, and save them as CSV', async () => {
      const { ids } = await soldShop(at());
      const { page, faults } = await at().pages.signedIn(ids, `statistics?${year}`);
      await heading(page, 'Statistics');
      const rows = page.locator('.numbers tbody tr');
      const row = (name: string) => rows.filter({ hasText: name });
      await expect.poll(() => rows.count()).toBe(12);
      expect(await row('February 2025').textContent()).toBe('February 20252€30.00€0.00€30.00');
      expect(await row('January 2025').textContent()).toBe('January 20250€0.00€0.00€0.00');
      const by = page.getByLabel('By', { exact: true });
      await by.selectOption('Quarter');
      await page.waitForURL(/by=quarter/);
      await expect
        .poll(() => rows.allTextContents())
        .toEqual([
          'Q4 20250€0.00€0.00€0.00',
          'Q3 20250€0.00€0.00€0.00',
          'Q2 20251€30.00€0.00€30.00',
          'Q1 20252€30.00€0.00€30.00',
        ]);
      expect(await csvOf(page)).toEqual([
        'sales-2025-01-01-2025-12-31.csv',
        [
          'From,Orders,Gross sales,Refunds,Net sales',
          '2025-01-01,2,30.00,0.00,30.00',
          '2025-04-01,1,30.00,0.00,30.00',
          '2025-07-01,0,0.00,0.00,0.00',
          '2025-10-01,0,0.00,0.00,0.00',
        ],
      ]);
      await by.selectOption('Week');
      await expect.poll(() => rows.count()).toBe(53);
      await by.selectOption('Day');
      await expect.poll(() => row('Feb 1, 2025').textContent()).toBe('Feb 1, 20251€20.00€0.00€20.00');
      // The zone of the browser changes nothing.
      const west = await at().pages.signedIn(ids, `statistics?${year}`, { timezoneId: 'America/Los_Angeles' });
      await west.page.getByRole('rowheader', { name: 'February 2025' }).waitFor();
      expect([...faults, ...west.faults]).toEqual([]);
    });

    it('name products and countries, and the files run nothing in a spreadsheet', async () => {
      const { ids, mugId } = await soldShop(at());
      const { page, faults } = await at().pages.signedIn(ids, `statistics?view=products&${year}`);
      await page.getByText('2 products', { exact: true }).waitFor();
      const rows = page.locator('tbody tr[data-id]');
      expect(await rows.nth(1).textContent()).toBe('GoneGONE1€30.00');
      expect(await csvOf(page)).toEqual([
        'products-2025-01-01-2025-12-31.csv',
        ['Product,SKU,Items sold,Gross sales', "'=1+1,MUG,3,30.00", 'Gone,GONE,1,30.00'],
      ]);
      await rows.first().getByRole('link').click();
      await page.waitForURL(new RegExp(mugId));
      await page.goBack();
      await page.getByRole('button', { name: 'Countries' }).click();
      await page.getByRole('rowheader', { name: 'Germany' }).waitFor();
      expect(await page.locator('.numbers tbody tr').allTextContents()).toEqual([
        'No address1€30.00€0.00€30.00',
        'Germany1€20.00€0.00€20.00',
        'France1€10.00€0.00€10.00',
      ]);
      expect((await csvOf(page))[1]).toEqual([
        'Country,Country code,Orders,Gross sales,Refunds,Net sales',
        'No address,,1,30.00,0.00,30.00',
        'Germany,DE,1,20.00,0.00,20.00',
        'France,FR,1,10.00,0.00,10.00',
      ]);
      await page.getByRole('button', { name: '7 days' }).click();
      await expect.poll(() => page.locator('.numbers tbody tr').allTextContents()).toEqual(['France0€0.00€4.00-€4.00']);
      expect((await csvOf(page))[1]?.[1]).toBe('France,FR,0,0.00,4.00,-4.00');
      expect(faults).toEqual([]);
    });

    it('fit into 360 pixels in German', async () => {
      const { ids } = await soldShop(at());
      const { page, faults } = await at().pages.signedIn(ids, '', { viewport: { width: 360, height: 740 } });
      await page.evaluate(`localStorage.setItem('commerce.language', 'de')`);
      for (const [path, ready] of Object.entries({
        '': '.sales-figures .change, .sales-figures .before',
        [`statistics?${year}`]: '.numbers td',
        [`statistics?view=products&${year}`]: 'tbody tr[data-id]',
        [`statistics?view=countries&${year}`]: '.numbers td',
      })) {
        await page.goto(`${at().url}/dashboard/${path}`);
        await page.locator(ready).first().waitFor();
        expect(await widerBy(page), path).toBeLessThanOrEqual(0);
      }
      await heading(page, 'Statistik');
      expect(faults).toEqual([]);
    });

    it('say what is wrong when they cannot be loaded, and load again', async () => {
      const { ids } = await soldShop(at());
      const { page, faults } = await at().pages.signedIn(ids, 'settings');
      await page.route('**/statistics/sales?*', (route) => route.fulfill({ status: 500, json: {} }));
      await page.goto(`${at().url}/dashboard/statistics?${year}`);
      await page.getByText('Could not load the sales').waitFor();
      await page.unroute('**/statistics/sales?*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('rowheader', { name: 'February 2025' }).waitFor();
      expect(await page.locator('main').getByRole('alert').count()).toBe(0);
      expect(faults).toEqual([]);
    });
  });
});
