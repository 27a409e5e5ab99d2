import { Readable } from 'node:stream';
import {
  type Commerce,
  type Context,
  createMedia,
  createProduct,
  getMedia,
  getProduct,
  listProducts,
  type Media,
  scopePresets,
  updateMedia,
} from '@commerce/core';
import { keyWith, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { folderPlace } from '@commerce/test-support/fixtures/media-places';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { browserNote, chromiumPath } from '@commerce/test-support/harness/chromium';
import { axeFindings, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

// Options and variants on the page of a product, in a browser; the results are checked in the database.

const toast = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).first().waitFor();

async function ownShop(commerce: Commerce): Promise<{ shop: Context; ids: { storeId: string; key: string } }> {
  const shop = await newShop(commerce);
  return { shop, ids: { storeId: shop.store.id, key: await keyWith(shop, scopePresets.full) } };
}

async function newMedia(shop: Context, altText: string): Promise<Media> {
  const content = Readable.from([await picture('png')]);
  const [media] = await createMedia(shop, [{ fileName: 'a.png', mimeType: 'image/png', content }]);
  if (!media) throw new Error('no picture was stored');
  return updateMedia(shop, media.id, { altText });
}

const section = (page: Page) => page.getByRole('region', { name: 'Options and variants' });

/** The attributes of the variants of a group, with their slugs. */
async function variantsOf(shop: Context, variantGroupId: string) {
  const { items } = await listProducts(shop, { variantGroupId, limit: 200 });
  return items
    .map(({ slug, status, price, stock, attributes }) => ({ slug, status, price, stock, attributes }))
    .reverse();
}

describe.skipIf(chromiumPath === undefined)(`variants in the dashboard${browserNote}`, () => {
  forOneStorage('used by a browser', 'sqlite', (database) => {
    const at = useDashboard(database, { media: { files: folderPlace().files(), url: '/media' } });

    it('are made of the values of options, and stored together', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const blue = await newMedia(shop, 'A blue shirt');
      await newMedia(shop, 'A hat');
      const { id } = await newProduct(shop, {
        title: 'Shirt',
        slug: 'shirt',
        price: '20',
        attributes: { cloth: 'wool' },
        trackStock: true,
        stock: 7,
      });
      const { page, faults } = await pages.signedIn(ids, `products/${id}`);
      const part = section(page);
      await part.getByRole('button', { name: 'Add options such as size or color' }).click();
      await part.getByLabel('Option name').fill('Color');
      await part.getByLabel('New value of Color').fill('Red, Blue');
      await page.keyboard.press('Enter');
      await part.getByRole('row', { name: /Blue/ }).waitFor();
      await part.getByRole('button', { name: 'Add another option' }).click();
      await part.getByLabel('Option name').nth(1).fill('Size');
      await part.getByLabel('New value of Size').fill('S');
      await page.keyboard.press('Enter');
      await part.getByRole('row', { name: /Blue · S/ }).waitFor();
      await page.keyboard.type('L');
      await page.keyboard.press('Enter');
      await part.getByRole('row', { name: /Blue · L/ }).waitFor();
      expect(await part.locator('tbody tr').count()).toBe(4);
      await part.getByText('3 new, 1 changed').waitFor();
      await part.getByRole('button', { name: 'Leave out Red · L' }).click();
      await part.getByLabel('Price of Blue · S').fill('22.5');
      await part.getByLabel('Stock of Blue · S').fill('3');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Stock of Blue · L');
      await page.keyboard.type('4');
      await part.getByLabel('SKU of Blue · L').fill('B-L');
      await part.getByRole('button', { name: 'Image of Blue · L' }).click();
      const layer = page.getByRole('dialog', { name: 'Choose an image' });
      await layer.getByRole('button', { name: 'A hat' }).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Space');
      expect(await layer.getByRole('button', { name: 'A blue shirt' }).getAttribute('aria-pressed')).toBe('true');
      expect(await axeFindings(page)).toEqual([]);
      await layer.getByRole('button', { name: 'Use 1 image' }).click();
      expect(await axeFindings(page)).toEqual([]);
      await part.getByRole('button', { name: 'Save variants' }).click();
      await toast(page, '3 variants saved.');
      await part.getByText('3 variants, 14 in stock').waitFor();
      expect(await variantsOf(shop, 'shirt')).toEqual([
        expect.objectContaining({ slug: 'shirt', stock: 7, attributes: { Color: 'Red', Size: 'S', cloth: 'wool' } }),
        expect.objectContaining({ price: '22.50', stock: 3, attributes: { Color: 'Blue', Size: 'S', cloth: 'wool' } }),
        expect.objectContaining({ slug: 'shirt-blue-l', price: '20.00', stock: 4 }),
      ]);
      const last = (await listProducts(shop, { sku: 'B-L' })).items[0];
      expect(last).toMatchObject({ title: 'Shirt', primaryMediaId: blue.id, mediaIds: [blue.id] });

      // The other attributes stay in the form of the product.
      const more = page.getByRole('region', { name: 'More attributes' });
      expect(await more.getByLabel('Value of cloth').inputValue()).toBe('wool');
      expect(await more.getByLabel('Value of Color').count()).toBe(0);
      await more.getByLabel('Value of cloth').fill('linen');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await toast(page, 'Product saved.');
      expect((await getProduct(shop, id)).attributes).toEqual({ Color: 'Red', Size: 'S', cloth: 'linen' });

      await part.getByRole('link', { name: 'Blue · L' }).click();
      await expect.poll(() => page.url()).toContain(last?.id);
      await part.getByRole('button', { name: 'Add 1 missing combination' }).click();
      await part.getByRole('button', { name: 'Save variants' }).click();
      await toast(page, '1 variant saved.');
      expect((await variantsOf(shop, 'shirt')).map(({ slug }) => slug)).toContain('shirt-red-l');
      expect(faults).toEqual([]);
    });

    it('have pictures of the media library, with their alternative texts', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const hat = await newMedia(shop, 'A hat');
      const cap = await newMedia(shop, 'A cap');
      const { id } = await newProduct(shop, { title: 'Hat' });
      const { page, faults } = await pages.signedIn(ids, `products/${id}`);
      await page.getByRole('button', { name: 'Choose from media' }).click();
      const layer = page.getByRole('dialog', { name: 'Choose images' });
      await layer.getByRole('searchbox').fill('hat');
      await layer.getByText('1 image', { exact: true }).waitFor();
      await layer.getByRole('button', { name: 'A hat' }).click();
      await layer.getByRole('searchbox').fill('');
      await layer.getByRole('button', { name: 'A cap' }).click();
      await layer.getByRole('button', { name: 'Use 2 images' }).click();
      await page.getByLabel('Alt text of image 1').fill('A felt hat');
      await page.keyboard.press('Enter');
      await toast(page, 'Alt text saved.');
      const star = page.getByRole('button', { name: 'Make image 2 the main image' });
      await page.mouse.move(0, 0);
      const opacity = () => page.evaluate(`getComputedStyle(document.querySelectorAll('.image-actions')[1]).opacity`);
      expect(await opacity()).toBe('0');
      await star.focus();
      await expect.poll(opacity).toBe('1');
      await star.click();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await toast(page, 'Product saved.');
      expect(await getProduct(shop, id)).toMatchObject({ mediaIds: [hat.id, cap.id], primaryMediaId: cap.id });
      expect((await getMedia(shop, hat.id)).altText).toBe('A felt hat');
      expect(faults).toEqual([]);
    });

    it('are archived with their value, come back with it, and say what is in the way', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const shared = { title: 'Cup', variantGroupId: 'cup', trackStock: true, stock: 2 };
      const red = await newProduct(shop, { ...shared, slug: 'cup', attributes: { color: 'red' } });
      const blue = await newProduct(shop, { ...shared, slug: 'cup-blue', attributes: { color: 'blue' } });
      await newProduct(shop, { title: 'Other', sku: 'TAKEN' });
      const { page, faults } = await pages.signedIn(ids, `products/${red.id}`);
      const part = section(page);
      await part.getByText('2 variants, 4 in stock').waitFor();
      await part.getByRole('button', { name: 'Remove blue' }).click();
      const question = page.getByRole('dialog', { name: 'Remove blue?' });
      await question.getByText('1 variant is archived when you save.').waitFor();
      await question.getByRole('button', { name: 'Remove value' }).click();
      await part.getByText('1 to archive').waitFor();
      await part.getByRole('button', { name: 'Save variants' }).click();
      await toast(page, '1 variant saved.');
      expect((await getProduct(shop, blue.id)).status).toBe('archived');

      await page.reload();
      await part.getByRole('button', { name: 'Add options such as size or color' }).click();
      await part.getByLabel('Option name').fill('color');
      await part.getByLabel('Option name').blur();
      expect(await part.getByLabel('Value 1 of color').inputValue()).toBe('red');
      await part.getByLabel('New value of color').fill('blue, green');
      await page.keyboard.press('Enter');
      await part.getByLabel('SKU of green').fill('TAKEN');
      await part.getByLabel('Stock of green').fill('many');
      await part.getByRole('button', { name: 'Save variants' }).click();
      await toast(page, /whole number, such as 12, instead of “many”/);
      await part.getByLabel('Stock of green').fill('1');
      await part.getByRole('button', { name: 'Save variants' }).click();
      await toast(page, '1 saved, 1 failed.');
      const refused = part.getByRole('row', { name: /green/ });
      await refused.locator('.reason').waitFor();
      expect(await getProduct(shop, blue.id)).toMatchObject({ status: 'published', stock: 0 });
      await part.getByLabel('SKU of green').fill('FREE');
      await part.getByText('1 new').waitFor();
      await part.getByRole('button', { name: 'Save variants' }).click();
      await toast(page, '1 variant saved.');
      expect((await listProducts(shop, { sku: 'FREE' })).items[0]).toMatchObject({ slug: 'cup-green', stock: 1 });
      expect(faults).toEqual([]);
    });

    it('stay usable when there are many, and fit on a phone', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      let first = '';
      for (let i = 0; i < 120; i++) {
        const attributes = { color: `Color ${i % 12}`, size: `${Math.floor(i / 12)} cm` };
        const made = await createProduct(shop, {
          title: 'Ribbon',
          slug: `ribbon-${i}`,
          price: '3',
          status: 'published',
          variantGroupId: 'ribbon',
          attributes,
        });
        first ||= made.id;
      }
      const { page, faults } = await pages.signedIn(ids, `products/${first}`);
      const part = section(page);
      await part.getByText('120 variants', { exact: true }).waitFor();
      expect(await part.locator('tbody tr').count()).toBe(50);
      await part.getByRole('button', { name: 'Next' }).click();
      await part.getByText('51–100 of 120').waitFor();
      await page.setViewportSize({ width: 390, height: 740 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      expect(await axeFindings(page)).toEqual([]);
      await part
        .getByLabel(/^SKU of/)
        .first()
        .fill('R-1');
      await part.getByRole('button', { name: 'Save variants' }).click();
      await toast(page, '1 variant saved.');
      expect((await listProducts(shop, { sku: 'R-1' })).total).toBe(1);
      expect(faults).toEqual([]);
    });
  });
});
