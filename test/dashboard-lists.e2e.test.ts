import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  type Commerce,
  type Context,
  createCustomer,
  createMedia,
  deleteProduct,
  getProduct,
  listOrders,
  listProducts,
  type Media,
  type Product,
  scopePresets,
  updateSettings,
} from '@commerce/core';
import { keyWith, newOrder, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { folderPlace } from '@commerce/test-support/fixtures/media-places';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { browserNote, chromiumPath } from '@commerce/test-support/harness/chromium';
import { axeFindings, openKeyForm, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

// Lists of the dashboard in a browser: their order, their exports, and the pictures of their rows.

/** A separate shop in the same file, with a key that has all permissions. */
async function ownShop(commerce: Commerce): Promise<{ shop: Context; ids: { storeId: string; key: string } }> {
  const shop = await newShop(commerce);
  await updateSettings(shop, { manualPayments: true });
  return { shop, ids: { storeId: shop.store.id, key: await keyWith(shop, scopePresets.full) } };
}

async function newMedia(shop: Context): Promise<Media> {
  const content = Readable.from([await picture('png')]);
  const [media] = await createMedia(shop, [{ fileName: 'a.png', mimeType: 'image/png', content }]);
  if (!media) throw new Error('no picture was stored');
  return media;
}

/** The first cells of the rows. */
/** The names of the rows, without the initials of people beside them. */
const names = (page: Page) =>
  page.evaluate(
    '[...document.querySelectorAll("tbody a[data-row]")].map((row) => (row.querySelector(".person bdi") ?? row).textContent)',
  ) as Promise<string[]>;

async function saved(page: Page, button: string, role: 'button' | 'menuitem' = 'button'): Promise<string[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole(role, { name: button }).click()]);
  return (await readFile(await file.path(), 'utf8')).trim().split('\n');
}

describe.skipIf(chromiumPath === undefined)(`lists in the dashboard${browserNote}`, () => {
  forOneStorage('used by a browser', 'sqlite', (database) => {
    const at = useDashboard(database, { media: { files: folderPlace().files(), url: '/media' } });

    it('are ordered by the headings of their columns, on a phone by a choice', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      for (const name of ['Bea', 'Ann', 'Cid']) await createCustomer(shop, { name, email: `${name}@example.com` });
      const { page, faults } = await pages.signedIn(ids, 'customers');
      await expect.poll(() => names(page)).toEqual(['Cid', 'Ann', 'Bea']);
      const heading = (name: string) => page.getByRole('columnheader', { name });
      expect(await heading('Since').getAttribute('aria-sort')).toBe('descending');
      await heading('Name').getByRole('button').click();
      await expect.poll(() => names(page)).toEqual(['Ann', 'Bea', 'Cid']);
      expect(await heading('Name').getAttribute('aria-sort')).toBe('ascending');
      expect(await heading('Since').getAttribute('aria-sort')).toBe('none');
      await heading('Name').getByRole('button').click();
      await expect.poll(() => names(page)).toEqual(['Cid', 'Bea', 'Ann']);
      expect(page.url()).toContain('sort=-name');
      await page.reload();
      await expect.poll(() => names(page)).toEqual(['Cid', 'Bea', 'Ann']);
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 740 });
      await page.getByLabel('Sort by').selectOption('Name, A to Z');
      await expect.poll(() => names(page)).toEqual(['Ann', 'Bea', 'Cid']);
      expect(await axeFindings(page)).toEqual([]);
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      await page.goBack();
      await expect.poll(() => names(page)).toEqual(['Cid', 'Bea', 'Ann']);
      expect(faults).toEqual([]);
    });

    it('are exported as they are filtered, orders also with a row for each item', async () => {
      const { commerce, pages, url } = at();
      const { shop, ids } = await ownShop(commerce);
      await newProduct(shop, { title: 'Plate', slug: 'plate', status: 'draft' });
      await newOrder(shop, { title: 'Mug' });
      const pending = await newOrder(shop, { title: 'Cup', paid: false });
      const { page, faults } = await pages.signedIn(ids, 'products');
      await expect.poll(() => names(page)).toHaveLength(3);
      expect(await saved(page, 'Export all')).toHaveLength(4);
      await page.getByRole('combobox', { name: 'Status' }).selectOption('draft');
      await expect.poll(() => names(page)).toHaveLength(1);
      expect((await saved(page, 'Export these'))[1]).toContain('plate');
      await page.goto(`${url}/dashboard/orders?tab=pending`);
      await expect.poll(() => names(page)).toEqual([pending.orderNumber]);
      const lines = await saved(page, 'Export these');
      expect(lines).toHaveLength(2);
      expect(lines[1]).toContain(pending.orderNumber);
      await page.getByRole('button', { name: 'More ways to export' }).click();
      const rows = await saved(page, 'Export with one row per item', 'menuitem');
      expect(rows).toHaveLength(2);
      expect(rows[1]).toContain('Cup');
      expect(faults).toEqual([]);
    });

    it('change everything that matches, part by part, and report what failed', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      await newProduct(shop, { title: 'Plate', status: 'draft', price: '10' });
      const made: Product[] = [];
      for (let i = 0; i < 230; i++) made.push(await newProduct(shop, { title: `Cup ${i}`, price: '10' }));
      const { page, faults } = await pages.signedIn(ids, 'products?status=published');
      await page.getByRole('checkbox', { name: 'Select all loaded products' }).check();
      await page.getByText('50 selected').waitFor();
      await page.getByRole('button', { name: 'Select all 230 products that match' }).click();
      await page.getByText('All 230 products selected').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      const layer = page.getByRole('dialog', { name: 'Edit 230 products' });
      await layer.getByLabel('Price', { exact: true }).selectOption('percent');
      await layer.getByLabel('Percentage').fill('-10 %');
      await layer.getByText('Lowers prices of 230 products by 10%.').waitFor();
      await layer.getByLabel('Show the old price as compare-at price').check();
      await layer.getByLabel('Attributes').selectOption('set');
      await layer.getByLabel('Name of attribute 1').fill('season');
      await layer.getByLabel('Value of season').fill('winter');
      expect(await axeFindings(page)).toEqual([]);
      // One of them is deleted after it was found.
      let isFirst = true;
      await page.route('**/products/bulk', async (route) => {
        if (isFirst) await deleteProduct(shop, made[100]?.id ?? '');
        isFirst = false;
        await route.continue();
      });
      await layer.getByRole('button', { name: 'Apply' }).click();
      const report = page.getByRole('dialog', { name: 'Edit: report' });
      await report.waitFor();
      expect(await report.locator('.facts').textContent()).toBe('Done229Failed1');
      await report.getByText('Cup 100').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await report.getByRole('button', { name: 'Close' }).last().click();
      await page.getByText('229 products', { exact: true }).waitFor();
      const changed = { price: '9.00', compareAtPrice: '10.00', attributes: { season: 'winter' } };
      for (const i of [0, 99, 229]) expect(await getProduct(shop, made[i]?.id ?? '')).toMatchObject(changed);
      expect((await listProducts(shop, { search: 'Plate' })).items[0]).toMatchObject({ price: '10.00' });
      expect(faults).toEqual([]);
    });

    it('stop a change in the middle, and ask before it is left', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      for (let i = 0; i < 60; i++) await newOrder(shop, { title: `Mug ${i}` });
      const { page, faults } = await pages.signedIn(ids);
      await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Orders' }).click();
      await page.getByRole('checkbox', { name: 'Select all loaded orders' }).check();
      await page.getByRole('button', { name: 'Select all 60 orders that match' }).click();
      let go = () => {};
      const halted = new Promise<void>((resolve) => {
        go = resolve;
      });
      let sent = 0;
      await page.route('**/orders/*', async (route) => {
        if (route.request().method() === 'PUT' && ++sent > 30) await halted;
        await route.continue();
      });
      const section = page.getByRole('region', { name: 'Actions for the selected orders' });
      await section.getByRole('button', { name: 'Mark as shipped' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click();
      const layer = page.getByRole('dialog', { name: 'Mark as shipped' });
      await layer.getByText('20 of 60').waitFor();
      await page.evaluate('history.back()');
      await page.getByRole('dialog', { name: 'Stop and leave?' }).getByRole('button', { name: 'Stay' }).click();
      await layer.getByRole('button', { name: 'Cancel' }).click();
      await layer.getByRole('button', { name: 'Stopping…' }).waitFor();
      go();
      const report = page.getByRole('dialog', { name: 'Mark as shipped: report' });
      await report.waitFor();
      expect(await report.locator('.facts').textContent()).toBe('Done40Failed0Not reached20');
      await report.getByRole('button', { name: 'Close' }).last().click();
      await page.getByText('20 orders', { exact: true }).waitFor();
      expect((await listOrders(shop, { status: 'fulfilled' })).total).toBe(40);
      expect(faults).toEqual([]);
    });

    it('fold the variants of a product, and change them together', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const tracked = { title: 'Shirt', variantGroupId: 'shirt', trackStock: true, stock: 4 };
      const made = [];
      for (const [i, size] of ['S', 'M', 'L'].entries()) {
        made.push((await newProduct(shop, { ...tracked, price: String(20 + i), attributes: { size } })).id);
      }
      await newProduct(shop, { title: 'Hat' });
      const { page, faults } = await pages.signedIn(ids, 'products');
      await expect.poll(() => names(page)).toEqual(['Hat', 'Shirt3 variants, 12 in stock']);
      await page.getByText('4 products', { exact: true }).waitFor();
      await page.getByRole('row', { name: /€20.00 – €22.00/ }).waitFor();
      await page.getByRole('button', { name: 'Show variants of Shirt' }).click();
      await expect
        .poll(() => names(page))
        .toEqual(['Hat', 'Shirt3 variants, 12 in stock', 'ShirtS', 'ShirtM', 'ShirtL']);
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 740 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole('button', { name: 'Hide variants of Shirt' }).click();
      await expect.poll(() => names(page)).toHaveLength(2);
      await page.getByLabel('Select Shirt, 3 variants').check();
      await page.getByText('3 selected').waitFor();
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      const layer = page.getByRole('dialog', { name: 'Edit 3 products' });
      await layer.getByLabel('Price', { exact: true }).selectOption('set');
      await layer.getByLabel('New price in EUR').fill('30');
      await layer.getByRole('button', { name: 'Apply' }).click();
      await page.getByRole('row', { name: /€30.00/ }).waitFor();
      for (const id of made) expect((await getProduct(shop, id)).price).toBe('30.00');
      expect(faults).toEqual([]);
    });

    it('load the pictures of their rows with one request', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      for (const title of ['A', 'B', 'C']) {
        await newProduct(shop, { title, mediaIds: [(await newMedia(shop)).id] });
      }
      const { page, faults } = await pages.open('products', {});
      const asked: string[] = [];
      page.on('request', (request) => {
        if (/\/media[?/]/.test(request.url()) && request.url().includes('/stores/')) asked.push(request.url());
      });
      await openKeyForm(page);
      await page.getByLabel('Store ID').fill(ids.storeId);
      await page.getByLabel('API key').fill(ids.key);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect.poll(() => page.locator('.thumb img').count()).toBe(3);
      expect(asked).toHaveLength(1);
      expect(faults).toEqual([]);
    });
  });
});
