import { readFile } from 'node:fs/promises';
import {
  type Commerce,
  type Context,
  createCategory,
  getProduct,
  type Product,
  scopePresets,
  updateSettings,
} from '@commerce/core';
import { keyWith, newOrder, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { browserNote, chromiumPath } from '@commerce/test-support/harness/chromium';
import { axeFindings, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { writing } from '../packages/core/src/storage/run.ts';

// The list of products in a browser: its orders, filters and search; and how many products a category has.

async function ownShop(commerce: Commerce): Promise<{ shop: Context; ids: { storeId: string; key: string } }> {
  const shop = await newShop(commerce);
  await updateSettings(shop, { manualPayments: true });
  return { shop, ids: { storeId: shop.store.id, key: await keyWith(shop, scopePresets.full) } };
}

const titles = (page: Page) =>
  page.evaluate('[...document.querySelectorAll("tbody .product-name bdi:first-child")].map((one) => one.textContent)');

async function fits(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  expect(await widerBy(page)).toBeLessThanOrEqual(0);
}

describe.skipIf(chromiumPath === undefined)(`the list of products in the dashboard${browserNote}`, () => {
  forOneStorage('used by a browser', 'sqlite', (database) => {
    const at = useDashboard(database);

    it('is ordered by headings and by a choice', async () => {
      const { commerce, pages } = at();
      const { shop, ids: key } = await ownShop(commerce);
      await newProduct(shop, { title: 'Élan', price: '30' });
      await newProduct(shop, { title: 'azure', price: '20' });
      const sold = await newOrder(shop, { title: 'Fig' });
      const ids = JSON.stringify(sold.items.map(({ productId }) => productId));
      await writing(shop.engine.storage, (db) =>
        db.insertInto('best_sellers').values({ store_id: shop.store.id, ids, reckoned_at: 0 }).execute(),
      );
      await newProduct(shop, { title: 'Zebra', price: '5' });
      const { page, faults } = await pages.signedIn(key, 'products');
      const shows = (...expected: string[]) => expect.poll(() => titles(page)).toEqual(expected);
      await shows('Zebra', 'Fig', 'azure', 'Élan');
      const heading = (name: string) => page.getByRole('columnheader', { name, exact: true });
      const sortedBy = async () => [
        await heading('Product').getAttribute('aria-sort'),
        await heading('Price').getAttribute('aria-sort'),
      ];
      expect(await sortedBy()).toEqual(['none', 'none']);
      await heading('Product').getByRole('button').click();
      await shows('azure', 'Élan', 'Fig', 'Zebra');
      expect(await sortedBy()).toEqual(['ascending', 'none']);
      await heading('Product').getByRole('button').click();
      await shows('Zebra', 'Fig', 'Élan', 'azure');
      await heading('Price').getByRole('button').click();
      await shows('Élan', 'azure', 'Fig', 'Zebra');
      expect(await sortedBy()).toEqual(['none', 'descending']);
      expect(page.url()).toContain('sort=-price');
      await page.reload();
      await shows('Élan', 'azure', 'Fig', 'Zebra');
      const choice = page.getByLabel('Sort by');
      expect(await choice.inputValue()).toBe('-price');
      await choice.selectOption('Oldest first');
      await shows('Élan', 'azure', 'Fig', 'Zebra');
      expect(await sortedBy()).toEqual(['none', 'none']);
      await choice.selectOption('Best sellers of 90 days');
      await shows('Fig', 'Zebra', 'azure', 'Élan');
      expect(page.url()).toContain('sort=bestselling');
      await fits(page);
      await choice.selectOption('Newest first');
      await shows('Zebra', 'Fig', 'azure', 'Élan');
      expect(page.url()).not.toContain('sort=');
      await page.setViewportSize({ width: 390, height: 740 });
      await page.getByLabel('Sort by').selectOption('Price, lowest first');
      await shows('Zebra', 'Fig', 'azure', 'Élan');
      await fits(page);
      expect(faults).toEqual([]);
    });

    it('has filters by price, offer, availability and category, which its export takes too', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const root = await createCategory(shop, { name: 'Cups', slug: 'cups' });
      const below = await createCategory(shop, { name: 'Tea cups', slug: 'tea-cups', parentId: root.id });
      await newProduct(shop, { title: 'Cheap', price: '4', compareAtPrice: '6' });
      await newProduct(shop, { title: 'Gone', price: '12.50', trackStock: true, stock: 0 });
      await newProduct(shop, { title: 'Tea cup', price: '20', categoryIds: [below.id], barcode: '4006-381' });
      const { page, faults } = await pages.signedIn(ids, 'products');
      const shows = (...expected: string[]) => expect.poll(() => titles(page)).toEqual(expected);
      await shows('Tea cup', 'Gone', 'Cheap');
      await fits(page);
      const box = (name: string) => page.getByRole('textbox', { name });
      await box('Price from').fill('12,5x');
      await box('Price from').press('Enter');
      await page.getByText('Enter an amount such as 48.50.').waitFor();
      await shows('Tea cup', 'Gone', 'Cheap');
      await fits(page);
      await box('Price from').fill('12.5');
      await box('Price from').press('Enter');
      await shows('Tea cup', 'Gone');
      expect(page.url()).toContain('minPrice=12.5');
      await box('Price to').fill('15');
      await box('Price to').press('Enter');
      await shows('Gone');
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export these' }).click(),
      ]);
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
      expect([lines.length, lines[1]?.includes('Gone')]).toEqual([2, true]);
      await page.getByRole('button', { name: 'Clear' }).click();
      await shows('Tea cup', 'Gone', 'Cheap');
      expect(await box('Price from').inputValue()).toBe('');
      await page.getByRole('combobox', { name: 'Available' }).selectOption('Can be bought now');
      await shows('Tea cup', 'Cheap');
      await page.getByRole('combobox', { name: 'Sale' }).selectOption('On sale');
      await shows('Cheap');
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByRole('combobox', { name: 'Category' }).selectOption({ label: 'Cups' });
      await shows('Tea cup');
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByRole('searchbox', { name: 'Title, SKU, barcode…' }).fill('4006381 TÉA');
      await shows('Tea cup');
      await page.setViewportSize({ width: 390, height: 740 });
      await fits(page);
      expect(faults).toEqual([]);
    });

    it('changes everything that its filters match', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const cheap = await newProduct(shop, { title: 'Cheap', price: '4' });
      const matching: Product[] = [];
      for (let i = 0; i < 60; i++) matching.push(await newProduct(shop, { title: `Cup ${i}`, price: '20' }));
      const { page, faults } = await pages.signedIn(ids, 'products?minPrice=10&sort=title');
      await page.getByRole('checkbox', { name: 'Select all loaded products' }).check();
      await page.getByRole('button', { name: 'Select all 60 products that match' }).click();
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      const layer = page.getByRole('dialog', { name: 'Edit 60 products' });
      await layer.getByLabel('Status').selectOption('draft');
      await layer.getByRole('button', { name: 'Apply' }).click();
      const statuses = async () =>
        new Set(await Promise.all(matching.map(async ({ id }) => (await getProduct(shop, id)).status)));
      await expect.poll(statuses).toEqual(new Set(['draft']));
      expect((await getProduct(shop, cheap.id)).status).toBe('published');
      expect(faults).toEqual([]);
    });

    it('is led to by the number of products of each category', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const root = await createCategory(shop, { name: 'Cups', slug: 'cups' });
      const below = await createCategory(shop, { name: 'Tea cups', slug: 'tea-cups', parentId: root.id });
      await createCategory(shop, { name: 'Plates', slug: 'plates' });
      await newProduct(shop, { title: 'Cup', categoryIds: [root.id] });
      await newProduct(shop, { title: 'Tea cup', categoryIds: [below.id], status: 'draft' });
      const { page, faults } = await pages.signedIn(ids, 'categories');
      const counts = () =>
        page.evaluate('[...document.querySelectorAll(".tree .products")].map((one) => one.textContent)');
      await expect.poll(counts).toEqual(['2 products', '1 product', '0 products']);
      await fits(page);
      await page.setViewportSize({ width: 390, height: 740 });
      await fits(page);
      await page.getByRole('link', { name: '2 products' }).click();
      await expect.poll(() => titles(page)).toEqual(['Tea cup', 'Cup']);
      expect(faults).toEqual([]);
    });
  });
});
