import {
  type Commerce,
  type Context,
  createCategory,
  createCustomer,
  createOrder,
  getCategory,
  getCustomer,
  getOrder,
  getProduct,
  getSettings,
  listOrders,
  listProducts,
  recordPayment,
  scopePresets,
  updateOrder,
  updateProduct,
  updateSettings,
} from '@commerce/core';
import { createServer } from '@commerce/server';
import { keyWith, newOrder, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { browserNote, chromiumPath } from '@commerce/test-support/harness/chromium';
import { axeFindings, heading, signIn, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';

// What a listing must say, and what buyers and other programs write, in a browser; the results are checked in the database.

const evil = `<img src=x onerror="window.hacked = 1">`;

const toast = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).first().waitFor();
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** A separate shop in the same file, with a key that has all permissions. */
async function ownShop(commerce: Commerce): Promise<{ shop: Context; ids: { storeId: string; key: string } }> {
  const shop = await newShop(commerce);
  await updateSettings(shop, { manualPayments: true });
  return { shop, ids: { storeId: shop.store.id, key: await keyWith(shop, scopePresets.full) } };
}

/** Opens the texts for other programs, and adds one. */
async function addMetadata(page: Page, name: string, text: string): Promise<void> {
  await page.locator('summary').filter({ hasText: 'For other programs' }).click();
  await page.getByRole('button', { name: 'Add an entry' }).click();
  await page.getByLabel('Name 1', { exact: true }).fill(name);
  await page.getByLabel(`Text of ${name}`).fill(text);
}

describe.skipIf(chromiumPath === undefined)(`what listings say, in the dashboard${browserNote}`, () => {
  forOneStorage('used by a browser', 'sqlite', (database) => {
    const at = useDashboard(database);

    it('names makers, and keeps one that products name', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const { id } = await newProduct(shop, { title: 'Cup' });
      const { page, faults } = await pages.signedIn(ids, `products/${id}`);
      const safety = section(page, 'Maker and safety');
      await safety.getByText('There are no manufacturers to choose from yet.').waitFor();
      expect(await safety.getByLabel('Manufacturer', { exact: true }).count()).toBe(0);
      await safety.getByRole('link', { name: 'Add it in the settings' }).click();
      await page.getByRole('button', { name: 'Add a maker or responsible person' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Morning Cups');
      await page.getByLabel('Postal address').fill('Teichweg 1\n10115 Berlin\nGermany');
      await save(page);
      await page.getByText('Enter an email or a web address: the law asks for one of them.').waitFor();
      await page.getByLabel('Web address').fill('maker.example');
      await save(page);
      await page.getByText('Enter a full web address').waitFor();
      await page.getByLabel('Web address').fill('https://maker.example');
      await save(page);
      await toast(page, 'Settings saved.');
      const [maker] = (await getSettings(shop)).parties;
      expect(maker).toMatchObject({
        name: 'Morning Cups',
        address: 'Teichweg 1\n10115 Berlin\nGermany',
        email: null,
        url: 'https://maker.example',
      });
      expect(await axeFindings(page)).toEqual([]);

      await page.goBack();
      await heading(page, 'Cup');
      await safety.getByLabel('Brand').fill('Morning');
      await safety.getByLabel('Manufacturer', { exact: true }).selectOption({ label: 'Morning Cups' });
      await safety.getByLabel('Safety notes').fill('Hot!');
      await save(page);
      await toast(page, 'Product saved.');
      expect(await getProduct(shop, id)).toMatchObject({
        brand: 'Morning',
        manufacturerId: maker?.id,
        responsiblePersonId: null,
        safetyNotes: 'Hot!',
      });

      await page.goto(`${at().url}/dashboard/settings?tab=parties`);
      await page.getByRole('button', { name: 'Remove Morning Cups' }).click();
      await save(page);
      await page
        .getByText('Morning Cups cannot be removed: 1 product names it. Choose another one there first.')
        .waitFor();
      expect((await getSettings(shop)).parties).toHaveLength(1);
      await updateProduct(shop, id, { manufacturerId: null });
      await save(page);
      await toast(page, 'Settings saved.');
      expect((await getSettings(shop)).parties).toEqual([]);
      expect(faults).toEqual([]);
    });

    it('reckons prices per unit, and tells prior prices and GTINs', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const { id } = await newProduct(shop, { title: 'Wine', price: '5.99' });
      const { page, faults } = await pages.signedIn(ids, `products/${id}`);
      const unit = section(page, 'Price per unit');
      await unit.getByLabel('Contents of one piece').fill('much');
      await save(page);
      await unit.getByText('Enter a number above 0').waitFor();
      await unit.getByLabel('Contents of one piece').fill('750');
      await unit.getByLabel('Unit of the contents').selectOption('ml');
      await expect.poll(() => unit.getByLabel('Unit of the price').inputValue()).toBe('l');
      expect(await unit.getByLabel('Unit of the price').locator('option').allTextContents()).toEqual(['ml', 'cl', 'l']);
      await unit.getByText('Buyers read: €7.99 per 1 l').waitFor();
      await page.getByLabel('Price in EUR').fill('6.00');
      await unit.getByText('Buyers read: €8.00 per 1 l').waitFor();
      await page.getByLabel('Compare-at price').fill('8');
      const barcode = page.getByLabel('Barcode', { exact: true });
      await barcode.fill('4006381333930');
      await page.getByText('Not a GTIN.').waitFor();
      await barcode.fill('4006381333931');
      await page.getByText('Valid GTIN').waitFor();
      await addMetadata(page, 'größe', 'x');
      await save(page);
      await page.getByText('“größe” cannot be a name.').waitFor();
      await page.getByLabel('Name 1', { exact: true }).fill('erp.id');
      await save(page);
      await toast(page, 'Product saved.');
      await page.getByText('There is no lowest price of the 30 days before the reduction').waitFor();
      const stored = await getProduct(shop, id);
      expect(stored).toMatchObject({
        unitPricing: { measure: '750 ml', base: '1 l', price: '8.00' },
        gtin: '4006381333931',
        metadata: { 'erp.id': 'x' },
        priorPrice: null,
      });
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);

      // A copy is another product to other programs.
      await page.goto(`${at().url}/dashboard/products/new?copy=${id}`);
      await page.getByLabel('Brand').fill('Hof');
      await page.getByRole('button', { name: 'Create product' }).click();
      await toast(page, 'Product created.');
      const copy = (await listProducts(shop, { slug: `${stored.slug}-copy` })).items[0];
      expect(copy).toMatchObject({ unitPricing: { measure: '750 ml', base: '1 l' }, metadata: {}, brand: 'Hof' });
      expect(faults).toEqual([]);
    });

    it('shows and changes tags and texts for other programs, and filters by tags', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      const tagged = await newOrder(shop, { title: 'Tagged cup' });
      const other = await newOrder(shop, { title: 'Other cup' });
      const { page, faults } = await pages.signedIn(ids, `orders/${tagged.id}`);
      const tags = page.getByLabel('Tags', { exact: true });
      await tags.fill('B2B');
      await tags.press('Enter');
      await tags.pressSequentially('late,');
      await tags.fill(evil);
      await addMetadata(page, 'erp.id', '4711');
      await page.getByRole('button', { name: 'Remove tag late' }).click();
      await page.keyboard.press('Control+s');
      await toast(page, 'Note and tags saved.');
      expect(await getOrder(shop, tagged.id)).toMatchObject({ tags: ['B2B', evil], metadata: { 'erp.id': '4711' } });
      expect(await axeFindings(page)).toEqual([]);

      await page.goto(`${at().url}/dashboard/orders?tab=all`);
      const row = (number: string) => page.getByRole('row', { name: new RegExp(number) });
      await row(other.orderNumber).waitFor();
      await page.getByLabel('Tag', { exact: true }).fill('B2B');
      await page.getByLabel('Tag', { exact: true }).press('Enter');
      await row(other.orderNumber).waitFor({ state: 'detached' });
      await row(tagged.orderNumber).waitFor();
      expect(page.url()).toContain('tag=B2B');

      const customer = await createCustomer(shop, { email: 'ada@shop.test', name: 'Ada' });
      await createCustomer(shop, { email: 'bob@shop.test', name: 'Bob' });
      await page.goto(`${at().url}/dashboard/customers/${customer.id}/edit`);
      await page.getByLabel('Tags', { exact: true }).fill('wholesale & more');
      await addMetadata(page, 'crm', '7');
      await save(page);
      await toast(page, 'Customer saved.');
      expect(await getCustomer(shop, customer.id)).toMatchObject({
        tags: ['wholesale & more'],
        metadata: { crm: '7' },
      });
      await heading(page, 'Ada');
      await page.getByRole('link', { name: 'wholesale & more' }).click();
      await heading(page, 'Customers');
      await row('ada@shop.test').waitFor();
      expect(await row('bob@shop.test').count()).toBe(0);
      expect(await page.getByLabel('Tag', { exact: true }).inputValue()).toBe('wholesale & more');

      const category = await createCategory(shop, { name: 'Cups', slug: 'cups' });
      await page.goto(`${at().url}/dashboard/categories/${category.id}`);
      await addMetadata(page, 'shelf', '3');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(async () => (await getCategory(shop, category.id)).metadata).toEqual({ shelf: '3' });
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect(faults).toEqual([]);
    });

    it('takes and shows the options of lines, and the gift note', async () => {
      const { commerce, pages, ids, shop } = at();
      await newProduct(shop, { title: 'Engraved ring', price: '50' });
      const server = createServer(commerce, { dashboard: true, ordersApi: true });
      onTestFinished(() => server.stop());
      const { url } = await server.listen({ port: 0 });
      const { page, faults } = await pages.open();
      await page.goto(`${url}/dashboard/orders/new`);
      await signIn(page, ids.storeId, ids.key);
      const find = page.getByRole('combobox', { name: 'Add a product' });
      const pick = async () => {
        await find.fill('Engraved');
        await page.getByRole('option', { name: /Engraved ring/ }).click();
      };
      await pick();
      await page.getByRole('button', { name: 'Add an option to Engraved ring' }).click();
      await page.getByLabel('Wish for option 1').fill(evil);
      await page.getByRole('button', { name: 'Save as unpaid' }).click();
      await page.getByText('Give each option a name').waitFor();
      await page.getByLabel('Name of option 1').fill('Engraving');
      // The same product without options is a line of its own.
      await pick();
      expect(await page.locator('.new-lines > li').count()).toBe(2);
      await page.getByLabel('Gift note').fill('All the best,\nAda');
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save as unpaid' }).click();
      await toast(page, 'Order created.');
      await heading(page, /^Order /);
      const [order] = (await listOrders(shop, { limit: 1 })).items;
      expect(order).toMatchObject({ giftNote: 'All the best,\nAda' });
      expect(order?.items.map(({ options }) => options)).toEqual([{ Engraving: evil }, {}]);
      await page.locator('.lines .options').getByText(evil).waitFor();
      // The two lines are told apart where pieces are chosen, too.
      await recordPayment(shop, order?.id ?? '', { method: 'cash', amount: order?.total ?? '' });
      await page.reload();
      await page.getByRole('button', { name: 'Mark as shipped' }).click();
      await page.getByRole('dialog').getByLabel(`Engraved ring Engraving: ${evil}`).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { name: 'Gift note' }).waitFor();
      await page.getByRole('link', { name: 'Packing slip' }).first().click();
      await heading(page, /^Packing slip for/);
      await page.locator('.slip .options').getByText('Engraving').waitFor();
      await page.locator('.slip').getByText('All the best,').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect(faults).toEqual([]);
    });

    it('offers the feed, renews its address, and tells what it leaves out', async () => {
      const { commerce, pages, url } = at();
      const { shop, ids } = await ownShop(commerce);
      const { id } = await newProduct(shop, { title: evil, price: '10', attributes: { Farbe: 'blue' } });
      const { page, faults } = await pages.signedIn(ids, 'settings?tab=feed');
      await page.getByText('The feed needs the address of a product on your website.').waitFor();
      await page.getByLabel('Offer the product feed').check();
      await save(page);
      await page.getByText('First enter the address of a product under Settings, Shop.').waitFor();
      await updateSettings(shop, { productUrl: 'https://shop.example/p/{slug}' });
      await page.getByRole('button', { name: 'Add a column' }).click();
      await page.getByLabel('Column 1', { exact: true }).selectOption('color');
      await page.getByLabel('Attribute for Color (color)').fill('Farbe');
      await page.getByLabel('Countries you sell to').fill('Austria');
      await page.getByRole('option', { name: 'Austria', exact: true }).click();
      await save(page);
      await toast(page, 'Settings saved.');
      const { feed } = await getSettings(shop);
      expect(feed).toMatchObject({ enabled: true, columns: { color: 'Farbe' }, targetCountries: ['AT'] });
      const address = `${url}/feeds/${shop.store.id}/${feed.token}/products.tsv`;
      await page.getByText(address, { exact: true }).waitFor();
      expect((await fetch(address)).status).toBe(200);
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1280, height: 900 });

      await page.getByRole('button', { name: 'Make a new address' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Make a new address' }).click();
      await toast(page, 'The feed has a new address.');
      await page.getByText(address, { exact: true }).waitFor({ state: 'detached' });
      expect((await fetch(address)).status).toBe(404);
      const { feed: renewed } = await getSettings(shop);
      await page.getByText(`${url}/feeds/${shop.store.id}/${renewed.token}/products.tsv`, { exact: true }).waitFor();

      await page.getByRole('link', { name: 'Products left out' }).click();
      await heading(page, 'Products left out of the feed');
      await page.getByText('0 of 1 published products are in the feed.').waitFor();
      await page.getByText('It has no brand. Enter one under “Maker and safety”.').waitFor();
      await page.getByText('It has no image that search engines can fetch from the web.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('link', { name: evil }).click();
      await heading(page, evil);
      expect(page.url()).toContain(id);

      await updateProduct(shop, id, { status: 'draft' });
      await page.goto(`${url}/dashboard/products/feed`);
      await page.getByText('No published products yet').waitFor();
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect(faults).toEqual([]);
    });

    it('lets AI assistants read the products, under a name that no other shop has', async () => {
      const { commerce, pages, url } = at();
      const { shop, ids } = await ownShop(commerce);
      const other = await ownShop(commerce);
      await updateSettings(other.shop, { ucp: { enabled: true, host: 'taken.example' } });
      const { page, faults } = await pages.signedIn(ids, 'settings?tab=agents');
      await page.getByText('Without the address of a product on your website').waitFor();
      await page.getByLabel('Let AI assistants read the products').check();
      const host = page.getByLabel('Name of the website');
      for (const [typed, refusal] of [
        ['https://shop.example/', 'without https:// and without a path.'],
        ['Taken.Example', 'Another shop of this service already has this name.'],
      ] as const) {
        await host.fill(typed);
        await save(page);
        await page.locator('.reason').getByText(refusal).waitFor();
        expect(await host.getAttribute('aria-invalid')).toBe('true');
        expect((await getSettings(shop)).ucp).toEqual({ enabled: false, host: null });
      }
      await host.fill(' Mine.Example ');
      await save(page);
      await toast(page, 'Settings saved.');
      expect((await getSettings(shop)).ucp).toEqual({ enabled: true, host: 'mine.example' });
      expect(await host.inputValue()).toBe('mine.example');
      const { status } = await fetch(`${url}/ucp/${shop.store.id}/catalog/lookup`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ids: ['nothing'] }),
      });
      expect(status).toBe(200);
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1280, height: 900 });
      await host.fill('');
      await save(page);
      await toast(page, 'Settings saved.');
      expect((await getSettings(shop)).ucp).toEqual({ enabled: true, host: null });
      expect(faults).toEqual([]);
    });

    it('pages through many products that the feed leaves out', async () => {
      const { commerce, pages } = at();
      const { shop, ids } = await ownShop(commerce);
      for (let n = 1; n <= 51; n++) await newProduct(shop, { title: `Cup ${n}`, barcode: n === 1 ? '123' : null });
      const { page, faults } = await pages.signedIn(ids, 'products/feed');
      await page.getByRole('link', { name: 'Cup 50' }).waitFor();
      expect(await page.getByRole('link', { name: 'Cup 51' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Show more than these 50' }).click();
      await page.getByRole('link', { name: 'Cup 51' }).waitFor();
      expect(await page.getByRole('button', { name: /Show more/ }).count()).toBe(0);
      expect(await page.locator('.feed-report > li').count()).toBe(51);
      expect(faults).toEqual([]);
    });

    it('says the same in German, and shows it to a key that only reads', async () => {
      const { commerce, pages, url } = at();
      const { shop, ids } = await ownShop(commerce);
      const settings = await updateSettings(shop, {
        parties: [{ name: 'Tassen GmbH', address: 'Teichweg 1', email: 'a@maker.example', url: null }],
      });
      const made = await newProduct(shop, {
        title: 'Tasse',
        price: '5.99',
        brand: 'Hof',
        manufacturerId: settings.parties[0]?.id ?? '',
        unitPricing: { measure: '0.75 l', base: '1 l' },
        metadata: { erp: '1' },
      });
      const order = await createOrder(shop, {
        items: [{ productId: made.id, quantity: 1, options: { Gravur: 'Ada' } }],
        giftNote: 'Alles Gute',
      });
      await updateOrder(shop, order.id, { tags: ['eilig'], metadata: { erp: '2' } });
      const german = await pages.open(`products/${made.id}`, { locale: 'de-DE' });
      await german.page.getByRole('button', { name: 'Mit API-Schlüssel anmelden' }).click();
      await german.page.getByLabel('Shop-ID').fill(ids.storeId);
      await german.page.getByLabel('API-Schlüssel').fill(ids.key);
      await german.page.getByRole('button', { name: 'Anmelden', exact: true }).click();
      await german.page.getByText('Käufer lesen: 7,99').waitFor();
      expect(await german.page.getByLabel('Inhalt eines Stücks').inputValue()).toBe('0,75');
      await german.page.getByLabel('Preis wird angegeben je').fill('0,1');
      await german.page.getByText('Käufer lesen: 0,80').waitFor();
      await german.page.getByRole('region', { name: 'Hersteller und Sicherheit' }).getByLabel('Hersteller').waitFor();
      await german.page.locator('summary').filter({ hasText: 'Für andere Programme' }).waitFor();

      const key = await keyWith(shop, ['product.read', 'order.read', 'settings.read', 'customer.read']);
      const reader = await pages.signedIn({ storeId: shop.store.id, key }, `products/${made.id}`);
      await reader.page.getByText('Tassen GmbH').waitFor();
      await reader.page.getByText('0.75 l, €7.99 per 1 l').waitFor();
      await reader.page.goto(`${url}/dashboard/orders/${order.id}`);
      await reader.page.getByText('Alles Gute').waitFor();
      await reader.page.getByRole('link', { name: 'eilig' }).waitFor();
      await reader.page.locator('summary').filter({ hasText: 'For other programs' }).click();
      await reader.page.getByText('erp', { exact: true }).waitFor();
      expect(await axeFindings(reader.page)).toEqual([]);
      for (const tab of ['parties', 'feed']) {
        await reader.page.goto(`${url}/dashboard/settings?tab=${tab}`);
        await reader.page.getByText(tab === 'feed' ? 'Offer the product feed' : 'Tassen GmbH').waitFor();
        expect(await reader.page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
      }
      expect([...german.faults, ...reader.faults]).toEqual([]);
    });
  });
});
