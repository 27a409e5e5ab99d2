import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  adjustStock,
  type Commerce,
  type Context,
  createCategory,
  createMedia,
  deleteProduct,
  getCategory,
  getMedia,
  getProduct,
  listMedia,
  listProducts,
  type Media,
  scopePresets,
  updateMedia,
  updateProduct,
} from '@commerce/core';
import { keyWith, openAt, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { folderPlace } from '@commerce/test-support/fixtures/media-places';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { browserNote, chromiumPath } from '@commerce/test-support/harness/chromium';
import { axeFindings, heading, signIn, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

// Screens for a shop's goods, in a browser; the results are checked in the database.

const evil = `<img src=x onerror="window.hacked = 1">`;

const toast = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).first().waitFor();
const file = async (name: string) => ({ name, mimeType: 'image/png', buffer: await picture('png') });

/** A separate shop in the same file, with a key that has all permissions. */
async function ownShop(commerce: Commerce): Promise<{ shop: Context; ids: { storeId: string; key: string } }> {
  const shop = await newShop(commerce);
  return { shop, ids: { storeId: shop.store.id, key: await keyWith(shop, scopePresets.full) } };
}

async function newMedia(shop: Context, altText: string | null = null): Promise<Media> {
  const content = Readable.from([await picture('png')]);
  const [media] = await createMedia(shop, [{ fileName: 'a.png', mimeType: 'image/png', content }]);
  if (!media) throw new Error('no picture was stored');
  return updateMedia(shop, media.id, { altText });
}

/** Edits a value in its row. */
async function changeInPlace(row: Locator, label: RegExp, typed: string): Promise<void> {
  await row.getByRole('button', { name: label }).click();
  await row.getByRole('textbox', { name: label }).fill(typed);
  await row.getByRole('textbox', { name: label }).press('Enter');
}

describe.skipIf(chromiumPath === undefined)(`what a shop sells, in the dashboard${browserNote}`, () => {
  forOneStorage('used by a browser', 'sqlite', (database, dialect) => {
    const at = useDashboard(database, { media: { files: folderPlace().files(), url: '/media' } });

    it('makes a product with pictures, from an empty list', async () => {
      const { commerce, pages, url } = at();
      const { shop, ids } = await ownShop(commerce);
      const category = await createCategory(shop, { name: 'Cups', slug: 'cups' });
      const { page, faults, hosts } = await pages.signedIn(ids, 'products');
      await page.getByRole('link', { name: 'Add your first product' }).click();
      await heading(page, 'New product');
      await page.getByLabel('Title', { exact: true }).fill('Größe L – blue');
      expect(await page.getByLabel('URL slug').inputValue()).toBe('grosse-l-blue');
      await page.getByRole('button', { name: 'Create product' }).click();
      await expect.poll(() => page.getByLabel('Price in EUR').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('Price in EUR').fill('12.50');
      await page.getByLabel('In stock').fill('7');
      await page.getByLabel('Add to a category').selectOption({ label: 'Cups' });
      await page.getByRole('button', { name: 'Add attribute' }).click();
      await page.getByLabel('Name of attribute 1').fill('color');
      await page.getByLabel('Value of color').fill('blue');

      // One file is not an image, and one fails to arrive at first.
      let refusals = 1;
      await page.route('**/media', (route) =>
        route.request().method() === 'POST' && refusals-- > 0 ? route.abort() : route.continue(),
      );
      await page
        .locator('.drop input[type=file]')
        .setInputFiles([
          { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
          await file('first.png'),
        ]);
      await page.getByText('This file is not a JPEG, PNG, WebP, GIF or AVIF image.').waitFor();
      expect(await page.getByRole('listitem').filter({ hasText: 'note.txt' }).getByRole('button').count()).toBe(1);
      await page.getByRole('button', { name: 'Remove note.txt from the list' }).click();
      await page.getByText('did not answer').waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByLabel('Alt text of image 1').waitFor();
      await page.locator('.drop input[type=file]').setInputFiles([await file('second.png')]);
      await page.getByLabel('Alt text of image 2').fill('A cup');
      await page.keyboard.press('Enter');
      await toast(page, 'Alt text saved.');
      await page.getByRole('button', { name: 'Move image 2 forward' }).click();
      await page.getByText('Image 2 is now image 1 of 2.').waitFor();
      await expect
        .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
        .toBe('Move image 1 forward');
      await page.getByRole('button', { name: 'Create product' }).click();
      await toast(page, 'Product created.');
      await heading(page, 'Größe L – blue');

      const [made] = (await listProducts(shop)).items;
      expect(page.url()).toBe(`${url}/dashboard/products/${made?.id}`);
      expect(made).toMatchObject({
        slug: 'grosse-l-blue',
        price: '12.50',
        stock: 7,
        trackStock: true,
        attributes: { color: 'blue' },
        categoryIds: [category.id],
        status: 'draft',
      });
      expect(made?.mediaIds).toHaveLength(2);
      expect((await getMedia(shop, made?.mediaIds[0] ?? '')).altText).toBe('A cup');
      // The first image to arrive stays the main one, at any position.
      expect(made?.primaryMediaId).toBe(made?.mediaIds[1]);

      const [first, second] = await page.locator('.images li').all();
      await first?.dragTo(second as Locator);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await toast(page, 'Product saved.');
      expect((await getProduct(shop, made?.id ?? '')).mediaIds).toEqual([...(made?.mediaIds ?? [])].reverse());
      expect([...hosts]).toEqual([url]);
      expect(faults).toEqual([]);
    });

    it('keeps pictures in the order of the drop, and makes a slug of any title', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const { page, faults } = await pages.signedIn(ids, 'products/new');
      const slug = () => page.getByLabel('URL slug').inputValue();
      const title = page.getByLabel('Title', { exact: true });
      await title.fill('Чайник');
      expect(await slug()).toBe('chaynik');
      await title.fill('急須 青');
      expect(await slug()).toMatch(/^product-[a-z2-9]{6}$/);
      await page.getByLabel('SKU').fill('Kyusu 7');
      expect(await slug()).toBe('kyusu-7');
      await page.getByLabel('Price in EUR').fill('30');

      const stored: string[] = [];
      let sent = 0;
      await page.route('**/media', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        const n = sent++;
        const response = await route.fetch();
        stored[n] = (await response.json()).items[0].id;
        // The first picture is answered last.
        if (n === 0) await page.getByLabel('Alt text of image 2').waitFor();
        await route.fulfill({ response });
      });
      const names = ['a.png', 'b.png', 'c.png'];
      await page.locator('.drop input[type=file]').setInputFiles(await Promise.all(names.map(file)));
      await page.getByLabel('Alt text of image 3').waitFor();
      await page.getByRole('button', { name: 'Create product' }).click();
      await toast(page, 'Product created.');
      const [made] = (await listProducts(shop)).items;
      expect(made).toMatchObject({ slug: 'kyusu-7', mediaIds: stored, primaryMediaId: stored[0] });
      expect(faults).toEqual([]);
    });

    it('finds products by filters of the address, and those that run low', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const { id } = await createCategory(shop, { name: 'Cups', slug: 'cups' });
      await newProduct(shop, { title: 'Plate', status: 'draft', trackStock: true, stock: 50 });
      await newProduct(shop, { title: 'Red cup', categoryIds: [id], trackStock: true, stock: 2, lowStockThreshold: 3 });
      const { page, faults } = await pages.signedIn(ids, 'products');
      const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
      await row('Plate').waitFor();
      const only = async (text: string) => {
        await expect.poll(() => page.url()).toContain(text);
        await row('Plate').waitFor({ state: 'detached' });
        await row('Red cup').waitFor();
      };
      await page.getByRole('combobox', { name: 'Category' }).selectOption({ label: 'Cups' });
      await only(`categoryId=${id}`);
      await page.getByRole('button', { name: 'Clear' }).click();
      await row('Plate').waitFor();
      await page.getByRole('combobox', { name: 'Status' }).selectOption('published');
      await only('status=published');
      await page.getByRole('button', { name: 'Clear' }).click();
      await row('Plate').waitFor();
      await page.getByRole('combobox', { name: 'Stock' }).selectOption('true');
      await only('lowStock=true');
      await page.reload();
      await only('lowStock=true');
      await page.getByRole('searchbox', { name: 'Search: Title' }).fill('nothing such');
      await page.getByText('No products match').waitFor();
      expect(faults).toEqual([]);
    });

    it('changes price and stock in the list, onto what is there by then', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const { id } = await newProduct(shop, { title: 'Cup', trackStock: true, stock: 10 });
      const { page, faults } = await pages.signedIn(ids, 'products');
      const row = page.getByRole('row', { name: /Cup/ });
      await row.waitFor();
      // Three pieces are sold while the user counts two more than before.
      await adjustStock(shop, id, { adjustment: -3 });
      await changeInPlace(row, /^Stock of Cup/, '12');
      await toast(page, 'Cup: 9 in stock.');
      expect((await getProduct(shop, id)).stock).toBe(9);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(async () => (await getProduct(shop, id)).stock).toBe(7);

      await updateProduct(shop, id, { price: '11' });
      await changeInPlace(row, /^Price of Cup/, '9.50');
      await toast(page, /someone else changed the price to €11.00/i);
      expect((await getProduct(shop, id)).price).toBe('11.00');
      await row.getByRole('textbox', { name: /^Price of Cup/ }).press('Enter');
      await toast(page, 'Cup: €9.50.');
      expect((await getProduct(shop, id)).price).toBe('9.50');
      await changeInPlace(row, /^Price of Cup/, 'much');
      await expect
        .poll(() => row.getByRole('textbox', { name: /^Price of Cup/ }).getAttribute('aria-invalid'))
        .toBe('true');
      await row.getByRole('textbox', { name: /^Price of Cup/ }).press('Escape');
      await row.getByRole('button', { name: /^Price of Cup:\s+€9\.50/ }).waitFor();
      expect(faults).toEqual([]);
    });

    it('changes many prices at once, names what is in the way, and goes on with the rest', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const products = [];
      for (const title of ['Alpha', 'Beta', 'Gamma']) products.push(await newProduct(shop, { title, price: '10' }));
      const [alpha, beta, gamma] = products.map(({ id }) => id);
      const { page, faults } = await pages.signedIn(ids, 'products');
      for (const title of ['Alpha', 'Beta', 'Gamma']) await page.getByLabel(`Select ${title}`).check();
      await deleteProduct(shop, beta ?? '');
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      const layer = page.getByRole('dialog', { name: 'Edit 3 products' });
      await layer.getByRole('button', { name: 'Apply', exact: true }).click();
      await layer.getByText('Choose something to change.').waitFor();
      await layer.getByLabel('Price').selectOption('percent');
      await layer.getByLabel('Percentage').fill('much');
      await layer.getByRole('button', { name: 'Apply', exact: true }).click();
      await expect.poll(() => layer.getByLabel('Percentage').getAttribute('aria-invalid')).toBe('true');
      await layer.getByLabel('Percentage').fill('+7,5%');
      await layer.getByText('Raises prices of 3 products by 7.5%.').waitFor();
      await layer.getByLabel('Percentage').fill('-10 %');
      await layer.getByText('Lowers prices of 3 products by 10%.').waitFor();
      await layer.getByRole('button', { name: 'Apply', exact: true }).click();
      await layer.getByText('1 of 3 products can’t be changed').waitFor();
      await layer.locator('.results').getByText('Beta').waitFor();
      expect((await getProduct(shop, alpha ?? '')).price).toBe('10.00');
      await layer.getByRole('button', { name: 'Skip them and update the other 2' }).click();
      await page.getByRole('dialog', { name: '2 done, 1 failed' }).getByText('Beta').waitFor();
      for (const id of [alpha, gamma]) expect((await getProduct(shop, id ?? '')).price).toBe('9.00');
      expect(faults).toEqual([]);
    });

    it('shows two tabs that collide both versions, field by field', async () => {
      const { shop } = at();
      const { id } = await newProduct(shop, { title: 'Collided', price: '10' });
      const one = await openAt(at(), `products/${id}`);
      const other = await one.page.context().newPage();
      await one.page.getByLabel('Title', { exact: true }).waitFor();
      await other.goto(one.page.url());
      await signIn(other, at().ids.storeId, at().ids.key);
      await other.getByLabel('Title', { exact: true }).fill('Theirs');
      await other.getByLabel('Barcode').fill('4006381333931');
      await other.keyboard.press('Control+s');
      await toast(other, 'Product saved.');
      await one.page.getByLabel('Title', { exact: true }).fill('Mine');
      await one.page.getByLabel('Price in EUR').fill('11');
      await one.page.keyboard.press('Control+s');
      const layer = one.page.getByRole('dialog', { name: 'Someone else saved changes' });
      await layer.getByText('Also changed by them, and kept: Barcode.').waitFor();
      await layer.getByRole('group', { name: 'Title' }).getByText('Mine').waitFor();
      await layer.getByRole('group', { name: 'Title' }).getByText('Theirs', { exact: true }).last().waitFor();
      expect(await layer.getByRole('group').count()).toBe(1);
      await layer.getByLabel(/^Theirs/).check();
      await layer.getByRole('button', { name: 'Save this version' }).click();
      await toast(one.page, 'Product saved.');
      expect(await getProduct(shop, id)).toMatchObject({ title: 'Theirs', price: '11.00', barcode: '4006381333931' });
      expect(one.faults).toEqual([]);
    });

    it('saves what is typed as soon as the product is archived', async () => {
      const { shop } = at();
      const { id } = await newProduct(shop, { title: 'Typed', slug: 'typed' });
      const { page, faults } = await openAt(at(), `products/${id}`);
      await page.getByLabel('Barcode').focus();
      await page.evaluate(`{
        const field = document.activeElement;
        new MutationObserver((_, observer) => {
          if (!document.querySelector('.toasts').textContent.includes('Product archived')) return;
          observer.disconnect();
          field.value = '1';
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }).observe(document.body, { childList: true, subtree: true });
      }`);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Archive' }).click();
      await expect.poll(() => page.getByLabel('Barcode').inputValue()).toBe('1');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await toast(page, 'Product saved.');
      expect(await getProduct(shop, id)).toMatchObject({ status: 'archived', barcode: '1' });
      expect(faults).toEqual([]);
    });

    it('adjusts a stock with a reason beside a form that is being filled in, copies, archives and deletes', async () => {
      const { shop, url } = at();
      const { id } = await newProduct(shop, { title: 'Single', slug: 'single', sku: 'S1', trackStock: true, stock: 5 });
      const { page, faults } = await openAt(at(), `products/${id}`);
      await page.getByLabel('Description', { exact: true }).fill('half written');
      await page.getByRole('button', { name: 'Adjust' }).click();
      const layer = page.getByRole('dialog');
      await layer.getByLabel('Adjust by').fill('-9');
      await layer.getByRole('button', { name: 'Adjust' }).click();
      await layer
        .getByText(/would become -4/)
        .first()
        .waitFor({ state: 'attached' });
      await layer.getByLabel('Adjust by').fill('+4');
      await layer.getByText('5 in stock now, 9 after this.').waitFor();
      await layer.getByLabel('Reason').fill('delivery');
      await layer.getByRole('button', { name: 'Adjust' }).click();
      await toast(page, 'Stock adjusted.');
      await page.locator('.stock-number').getByText('9').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await toast(page, 'Product saved.');
      expect(await getProduct(shop, id)).toMatchObject({ stock: 9, description: 'half written' });

      const more = async (name: string) => {
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name }).click();
      };
      await more('Duplicate');
      await heading(page, 'Duplicate product');
      expect(page.url()).toBe(`${url}/dashboard/products/new?copy=${id}`);
      expect(await page.getByLabel('SKU').inputValue()).toBe('');
      await page.getByRole('button', { name: 'Save and add another' }).click();
      await heading(page, 'New product');
      expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('');
      const copy = (await listProducts(shop, { slug: 'single-copy' })).items[0];
      expect(copy).toMatchObject({ title: 'Single', status: 'draft', stock: 0, description: 'half written' });

      await page.goto(`${url}/dashboard/products/${copy?.id}`);
      await heading(page, 'Single');
      await more('Archive');
      await toast(page, 'Product archived');
      await page.getByLabel('Barcode').fill('1');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await toast(page, 'Product saved.');
      expect(await getProduct(shop, copy?.id ?? '')).toMatchObject({ status: 'archived', barcode: '1' });
      await more('Delete');
      await page.getByRole('dialog').getByText('Past orders keep it').waitFor();
      await page.getByRole('button', { name: 'Delete product' }).click();
      await heading(page, 'Products');
      expect((await listProducts(shop, { slug: 'single-copy' })).total).toBe(0);
      expect(faults).toEqual([]);
    });

    it('has categories as a tree: made, moved, and deleted after saying what becomes of the products', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const { page, faults } = await pages.signedIn(ids, 'categories');
      const make = async (name: string, parent?: string) => {
        await page.getByRole('link', { name: 'New category' }).click();
        await page.getByLabel('Name', { exact: true }).fill(name);
        if (parent) await page.getByLabel('Parent category').selectOption({ label: parent });
        await page.getByRole('button', { name: 'Create category' }).click();
        await heading(page, 'Categories');
        await page.locator('.tree').getByRole('link', { name }).waitFor();
      };
      await page.getByText('No categories yet').waitFor();
      await make('Kitchen');
      await make('Living room');
      await make('Cups', 'Kitchen');
      const names = () => page.locator('.tree li > a').allTextContents();
      expect(await names()).toEqual(['Kitchen', 'Cups (in Kitchen)', 'Living room']);
      const menu = async (of: string, item: string) => {
        await page.getByRole('button', { name: `Actions for ${of}` }).click();
        await page.getByRole('menuitem', { name: item }).click();
      };
      await menu('Kitchen', 'Move');
      await page.getByText('A category with subcategories').waitFor();
      await page.keyboard.press('Escape');
      await menu('Cups', 'Move');
      await page.getByLabel('Parent category').selectOption({ label: 'Living room' });
      await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
      await toast(page, 'Category moved.');
      await expect.poll(names).toEqual(['Kitchen', 'Living room', 'Cups (in Living room)']);

      await page.locator('.tree').getByRole('link', { name: 'Living room', exact: true }).click();
      await heading(page, 'Living room');
      const id = page.url().split('/').at(-1) ?? '';
      await newProduct(shop, { categoryIds: [id] });
      await page.getByLabel('Status', { exact: true }).selectOption('archived');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await toast(page, 'Category saved.');
      expect((await getCategory(shop, id)).status).toBe('archived');
      await page.getByRole('button', { name: 'Delete' }).click();
      await page
        .getByRole('dialog')
        .getByText('Its 1 product is kept. Its subcategory moves to the top level.')
        .waitFor();
      await page.getByRole('button', { name: 'Delete category' }).click();
      await heading(page, 'Categories');
      await expect.poll(names).toEqual(['Cups', 'Kitchen']);
      await page.getByRole('searchbox', { name: 'Search: Category name' }).fill('kit');
      await expect.poll(names).toEqual(['Kitchen']);
      expect(page.url()).toContain('search=kit');
      expect(faults).toEqual([]);
    });

    it('keeps pictures in a library: dropped, described, filtered, deleted', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const { page, faults } = await pages.signedIn(ids, 'media');
      await page.getByText('No images yet').waitFor();
      const bytes = (await picture('png')).toString('base64');
      const dropped = await page.evaluateHandle(`(() => {
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob(${JSON.stringify(bytes)}), (c) => c.charCodeAt(0));
        for (const name of ['a.png', 'b.png', 'c.png']) data.items.add(new File([bytes], name, { type: 'image/png' }));
        return data;
      })()`);
      await page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped });
      await page.getByText('3 images', { exact: true }).waitFor();
      await page.locator('.gallery button').first().click();
      await page.getByRole('textbox', { name: 'Alt text' }).fill(evil);
      await page.getByRole('button', { name: 'Save alt text' }).click();
      await toast(page, 'Alt text saved.');
      await page.keyboard.press('Escape');
      await page.getByRole('combobox', { name: 'Alt text' }).selectOption('missing');
      await page.getByText('2 images', { exact: true }).waitFor();
      await page.getByRole('combobox', { name: 'Alt text' }).selectOption('there');
      await page.locator('.gallery').getByText(evil).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Delete image' }).click();
      await page.getByText('No images match').waitFor();
      expect(await listMedia(shop)).toMatchObject({ total: 2 });
      expect(await page.evaluate('typeof window.hacked')).toBe('undefined');
      expect(faults).toEqual([]);
    });

    it('imports a file, shows the rows that were refused, and exports what is there', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const { page, faults } = await pages.signedIn(ids, 'imports');
      await page.getByRole('button', { name: 'Import', exact: true }).last().click();
      await page.getByText('Choose a file first.').waitFor();
      const csv = `slug,title,price\nmug,"${evil.replaceAll('"', '""')}",12.50\nplate,Plate,1800.55555\ncup,Cup,9\n`;
      await page
        .getByLabel('File to import')
        .setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
      await page.getByRole('button', { name: 'Import', exact: true }).last().click();
      await page.getByText('Done with errors').waitFor();
      const refused = page.getByRole('region', { name: 'Rejected rows (1)' });
      expect(await refused.locator('tbody td').allTextContents()).toEqual([
        '3',
        'price',
        '1800.55555',
        expect.stringMatching(/\w/),
      ]);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download rejected rows' }).click(),
      ]);
      expect(file.suggestedFilename()).toBe('rejected-rows.csv');
      expect(await readFile(await file.path(), 'utf8')).toMatch(
        /^\uFEFFLine,Column,Value,Reason\r\n3,price,1800\.55555,/,
      );
      const { items } = await listProducts(shop);
      expect(items.map(({ slug }) => slug).sort()).toEqual(['cup', 'mug']);
      const address = page.url();
      await page.getByRole('link', { name: 'View products' }).click();
      await page.getByRole('row', { name: /onerror/ }).waitFor();
      await page.goto(address);
      await page.getByRole('link', { name: 'Imports' }).click();
      await page.getByText('Done with errors').waitFor();
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Products as CSV' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('products.csv');
      const text = await readFile(await download.path(), 'utf8');
      expect(text).toContain('mug');
      expect(text.trim().split('\n')).toHaveLength(3);
      expect(faults).toEqual([]);
    });

    it('previews a description in HTML without what could do harm', async () => {
      const { shop } = at();
      const description = `<p onclick="hack()">Soft <b>wool</b></p>${evil}<script>window.hacked = 2</script>`;
      const { id } = await newProduct(shop, { title: 'In HTML', description, descriptionFormat: 'html' });
      const { page, faults } = await openAt(at(), `products/${id}`);
      const preview = page.getByRole('region', { name: 'Preview of Description' });
      await page.getByRole('button', { name: 'Preview', exact: true }).click();
      await preview.getByText('wool').waitFor();
      const harm = `document.querySelectorAll('.markup-preview :is(img, script, [onclick])').length`;
      expect(await page.evaluate(`[${harm}, typeof window.hacked]`)).toEqual([0, 'undefined']);
      await page.getByLabel('Format', { exact: true }).selectOption('text');
      await expect.poll(() => preview.count()).toBe(0);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await toast(page, 'Product saved.');
      expect(await getProduct(shop, id)).toMatchObject({ description, descriptionFormat: 'text' });
      // The policy already refuses handlers while DOMPurify parses them, which the browser reports.
      expect(faults.filter((fault) => !/inline event handler|script-src-attr inline/.test(fault))).toEqual([]);
    });

    it('shows what strangers have written as they wrote it', async () => {
      const { shop, url } = at();
      const media = await newMedia(shop, evil);
      const category = await createCategory(shop, { name: evil, slug: 'evil', description: evil });
      const { id } = await newProduct(shop, {
        title: evil,
        slug: 'evil',
        description: evil,
        sku: evil,
        attributes: { [evil]: evil },
        variantGroupId: evil,
        categoryIds: [category.id],
        mediaIds: [media.id],
      });
      const { page, faults } = await openAt(at(), `products?search=onerror`);
      const look = async (path: string, within: string) => {
        await page.goto(`${url}/dashboard/${path}`);
        await page.locator(within).getByText(evil).first().waitFor();
      };
      await page
        .getByRole('row', { name: /onerror/ })
        .getByText(evil)
        .first()
        .waitFor();
      await look(`products/${id}`, 'h1');
      await page.locator('.search-preview').getByText(evil).first().waitFor();
      await page.locator('.chips').getByText(evil).waitFor();
      expect(await page.getByLabel('Alt text of image 1').inputValue()).toBe(evil);
      await look('categories', '.tree');
      await look(`categories/${category.id}`, 'h1');
      await look('media', '.gallery');
      expect(await page.evaluate(`[document.querySelectorAll('img[src="x"]').length, typeof window.hacked]`)).toEqual([
        0,
        'undefined',
      ]);
      expect(faults).toEqual([]);
    });

    it('leaves out what the key may not do, and goes on by itself when the service is busy', async () => {
      const { shop, pages, ids } = at();
      const { id } = await newProduct(shop, { title: 'Only looked at' });
      const reader = { storeId: ids.storeId, key: await keyWith(shop, ['product.read']) };
      const { page, faults } = await pages.signedIn(reader, `products/${id}`);
      await page.getByRole('heading', { name: 'Product information' }).waitFor();
      for (const name of ['Save', 'More actions', 'Adjust']) {
        expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
      }
      const navigation = page.getByRole('navigation', { name: 'Main menu' });
      expect(await navigation.getByRole('link', { name: 'Media' }).count()).toBe(0);
      let refusals = 1;
      await page.route('**/products?*', (route) => {
        if (refusals-- <= 0) return route.continue();
        const error = { error: { code: 'UNAVAILABLE', message: 'too much to do' } };
        return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: error });
      });
      await navigation.getByRole('link', { name: 'Products' }).click();
      await page.getByText('The server is busy').waitFor();
      await page.getByRole('row', { name: /Only looked at/ }).waitFor();
      expect(await page.getByRole('link', { name: 'New product' }).count()).toBe(0);
      expect(await page.getByRole('checkbox').count()).toBe(0);
      await page.goto(`${at().url}/dashboard/products/new`);
      await page.getByText('product.write').waitFor();
      await page.goto(`${at().url}/dashboard/media`);
      await page.getByText('media.read').waitFor();
      expect(faults).toEqual([]);
    });

    // The look of a page does not depend on the storage.
    it.skipIf(dialect !== 'sqlite').each([390, 1280])(
      'has nothing that axe finds at %i pixels, in light and dark',
      async (width) => {
        const { commerce, pages, url } = at();
        const { shop, ids } = await ownShop(commerce);
        const media = await newMedia(shop);
        const category = await createCategory(shop, {
          name: 'A category with a rather long name for one',
          slug: 'long',
        });
        const { id } = await newProduct(shop, {
          title: 'A product with a title that is too long for one line of a telephone',
          attributes: { color: 'blue' },
          categoryIds: [category.id],
          mediaIds: [media.id],
          trackStock: true,
        });
        const { page, faults } = await pages.signedIn(ids, 'products', {
          viewport: { width, height: 740 },
        });
        const look = async (path: string, text: string | RegExp, narrow = false) => {
          await page.goto(`${url}/dashboard/${path}`);
          await page.locator('main').getByText(text).first().waitFor();
          expect(await axeFindings(page), path).toEqual([]);
          if (narrow && width === 390) await page.setViewportSize({ width: 360, height: 740 });
          expect(await widerBy(page), path).toBeLessThanOrEqual(0);
          await page.setViewportSize({ width, height: 740 });
        };
        await look('products', '1 product', true);
        await look('products?search=zzz', 'No products match');
        await look(`products/${id}`, 'Warn below', true);
        await look('products/new', 'In stock', true);
        await look('categories', '1 category', true);
        await look(`categories/${category.id}`, 'Status and position', true);
        await look('media', '1 image', true);
        await page.locator('.gallery button').click();
        await page.getByText('Save alt text').waitFor();
        expect(await axeFindings(page), 'a picture').toEqual([]);
        await look('imports', 'Rows with errors', true);
        await look('imports?tab=out', 'CSV opens in spreadsheets', true);
        await look('imports?tab=former', 'No products imported yet', true);
        await look('products/00000000-0000-4000-8000-000000000000', 'Not found');
        expect(faults).toEqual([]);
      },
      120_000,
    );
  });
});
