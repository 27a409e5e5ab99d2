import { configureProvider, createProduct, getProduct, getSettings, updateSettings } from '@commerce/core';
import { keyWith, openAt, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { axeFindings, heading, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const evil = '<img src=x onerror="window.hacked=1">';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const toast = (page: Page, text: string) => page.locator('.toasts').getByText(text).waitFor();
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Settings pages' }).getByRole('button', { name }).click();

forOneStorage('settings in the dashboard', 'sqlite', (database) => {
  const at = useDashboard(database);

  describe('pages of settings', () => {
    it('save only their own fields, keep what was typed, and show both versions when another user has changed the same', async () => {
      const { shop } = at();
      await updateSettings(shop, { taxRate: '0.19', timeZone: 'UTC' });
      const { page, faults } = await openAt(at(), 'settings');
      await page.getByLabel('Time zone').fill('Europe/Berlin');
      await press(page, 'Save');
      await toast(page, 'Settings saved.');
      await page.locator('footer').getByText('Europe/Berlin').waitFor();

      await tab(page, 'Tax');
      expect(page.url()).toMatch(/settings\?tab=taxes$/);
      const tax = page.getByLabel('Tax rate in %');
      await expect.poll(() => tax.inputValue()).toBe('19');
      await tax.fill('much');
      await press(page, 'Save');
      await page.getByText('Enter a percentage from 0 to 100.').waitFor();
      await tax.fill('8,1');
      await tab(page, 'Shop');
      await page.getByLabel('Time zone').waitFor();
      await page.goBack();
      await press(page, 'Restore');
      await expect.poll(() => tax.inputValue()).toBe('8,1');
      await updateSettings(shop, { reservationMinutes: 60 });
      await press(page, 'Save');
      await expect.poll(async () => (await getSettings(shop)).taxRate).toBe('0.081');
      expect(await getSettings(shop)).toMatchObject({ reservationMinutes: 60, timeZone: 'Europe/Berlin' });

      await tax.fill('9');
      await updateSettings(shop, { taxRate: '0.07' });
      await press(page, 'Save');
      await page.getByRole('heading', { name: 'Someone else saved changes' }).waitFor();
      await page
        .getByRole('group', { name: 'Tax rate in %' })
        .getByLabel(/Theirs/)
        .check();
      await page.getByRole('dialog').getByRole('button', { name: 'Save this version' }).click();
      await expect.poll(() => tax.inputValue()).toBe('7');
      expect((await getSettings(shop)).taxRate).toBe('0.07');
      expect(faults).toEqual([]);
    });

    it('are shipping methods with prices by weight, countries by name or in groups, and what an order pays where', async () => {
      const { shop } = at();
      await updateSettings(shop, {
        country: 'DE',
        shippingMethods: [{ name: 'Post', price: '4.9', countries: ['FR'] }],
      });
      const methods = async () => (await getSettings(shop)).shippingMethods;
      const { page, faults } = await openAt(at(), 'settings?tab=shipping');
      const layer = page.getByRole('dialog');
      const rows = page.locator('.ways > li');
      const names = () => rows.locator('strong').allTextContents();
      await rows.getByText(/4\.90 · Only France$/).waitFor();
      await press(page, 'Add a shipping method');
      await layer.getByLabel('Name').fill(evil);
      await layer.getByLabel('Price', { exact: true }).selectOption('weight');
      await layer.getByLabel('Row 1: Up to (kg)').fill('2');
      await layer.getByLabel('Row 1: Price').fill('5');
      await layer.getByRole('button', { name: 'Add a row' }).click();
      await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Row 2: Up to (kg)');
      await layer.getByLabel('Row 2: Up to (kg)').fill('0,5');
      await layer.getByRole('button', { name: 'Save' }).click();
      await layer.getByText('Enter more than in the row before.').waitFor();
      await layer.getByText('This field is required.').waitFor();
      expect(await layer.getByLabel('Row 2: Price').getAttribute('aria-invalid')).toBe('true');
      await layer.getByLabel('Row 2: Up to (kg)').fill('31,5');
      await layer.getByLabel('Row 2: Price').fill('9,90');
      await layer.getByLabel('Free from').fill('free');
      await layer.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => layer.getByLabel('Free from').getAttribute('aria-invalid')).toBe('true');
      await layer.getByLabel('Free from').fill('50');
      const countries = layer.getByRole('combobox', { name: 'Countries' });
      await countries.fill('Nowhere');
      await layer.getByText('No country has this name.').waitFor();
      await countries.fill('germ');
      expect(await axeFindings(page), 'the dialog').toEqual([]);
      await layer.getByRole('option', { name: 'Germany', exact: true }).click();
      await countries.fill('european');
      await countries.press('Enter');
      await layer.getByText('European Union (27 countries)').waitFor();
      await layer.getByRole('button', { name: 'List the countries: European Union' }).click();
      await layer.getByRole('button', { name: 'Remove Malta' }).click();
      await countries.fill('ch');
      await layer.getByRole('option', { name: 'Switzerland', exact: true }).click();
      await layer.getByLabel('Not these postal codes').fill('18, kw 17');
      await layer.getByLabel('Delivery days, at least').fill('3');
      await layer.getByLabel('Delivery days, at most').fill('2');
      await layer.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => layer.getByLabel('Delivery days, at most').getAttribute('aria-invalid')).toBe('true');
      await layer.getByLabel('Delivery days, at most').fill('4');
      await layer.getByRole('button', { name: 'Save' }).click();
      await toast(page, 'Shipping methods saved.');
      await expect.poll(names).toEqual(['Post', evil]);
      expect((await methods())[1]).toMatchObject({
        name: evil,
        kind: 'ship',
        price: '5.00',
        rates: [
          { upToWeight: 2000, price: '5.00' },
          { upToWeight: 31_500, price: '9.90' },
        ],
        freeFrom: '50.00',
        postalPrefixes: { include: null, exclude: ['18', 'KW17'] },
        deliveryDays: { min: 3, max: 4 },
        active: true,
      });
      const served = (await methods())[1]?.countries ?? [];
      expect([served.length, served.includes('MT'), served.includes('CH')]).toEqual([27, false, true]);

      await page.getByRole('button', { name: `Move ${evil} up` }).click();
      await expect.poll(async () => (await methods()).map(({ name }) => name)).toEqual([evil, 'Post']);
      const priceIn = (country: RegExp) => page.getByRole('row', { name: country }).getByRole('cell').textContent();
      await page.getByLabel('Weight in kg').fill('2.001');
      await expect.poll(() => priceIn(/European Union/)).toMatch(/9\.90depends on the postal code$/);
      await page.getByLabel('Postal code').fill('18 055');
      await expect.poll(() => priceIn(/European Union/)).toBe('No method: customers there cannot order');
      await expect.poll(() => priceIn(/^France/)).toMatch(/^Post.*4\.90$/);
      await page.getByLabel('Postal code').fill('10115');
      await page.getByLabel(/^Order value/).fill('50');
      await expect.poll(() => priceIn(/European Union/)).toMatch(/Free$/);
      await page.getByLabel('Weight in kg').fill('heavy');
      await page.getByText('Enter a weight and an amount.').waitFor();
      await page.getByLabel(`Offer ${evil}`).uncheck();
      await expect.poll(async () => (await methods()).map(({ active }) => active)).toEqual([false, true]);
      await page.getByLabel('Weight in kg').fill('1');
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 740 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);

      // A pickup has no postal codes and no days.
      await page.getByRole('button', { name: `Edit ${evil}` }).click();
      await layer.getByLabel('Type').selectOption('Pickup');
      await layer.getByLabel('Price', { exact: true }).selectOption('One price');
      await layer.getByLabel('Price in').fill('0');
      expect(await layer.getByLabel('Not these postal codes').count()).toBe(0);
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      await layer.getByRole('button', { name: 'Save' }).click();
      await expect.poll(async () => (await methods())[0]).toMatchObject({ kind: 'pickup', price: '0.00', rates: null });
      expect(faults).toEqual([]);
    });

    it('are taxes by country and kind of goods, proposed rates, and what an order pays by unsaved rates', async () => {
      const { shop } = at();
      await updateSettings(shop, { country: null, taxRate: '0.19', taxIncluded: true, shippingMethods: [] });
      const { page, faults } = await openAt(at(), 'settings?tab=taxes');
      await page.getByLabel('By country and kind of goods').check();
      await page.getByText('Choose it under Shop').waitFor();
      await updateSettings(shop, { country: 'DE' });
      await page.reload();
      const taxes = async () => (await getSettings(shop)).taxes;
      const rows = page.locator('.rate:not(.head)');
      await page.getByLabel('By country and kind of goods').check();
      await page.getByText('Germany has no rate in the list.').waitFor();
      await press(page, 'Propose standard rates');
      await page.getByText(/^Filled in: the standard rates of .* Check them with your tax adviser/).waitFor();
      expect(await rows.count()).toBe(27);
      expect(await taxes()).toBeNull();
      const sums = (name: RegExp) => page.getByRole('row', { name }).textContent();
      expect(await sums(/^Germany/)).toMatch(/19%.*88\.24.*16\.76.*105\.00$/);
      expect(await sums(/^Hungary/)).toMatch(/27%.*105\.00$/);
      expect(await sums(/^All other countries/)).toMatch(/No tax.*105\.00.*0\.00.*105\.00$/);

      await press(page, 'Add a rate');
      await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Rate 28: Country');
      await page.getByLabel('Rate 28: Country').selectOption('Germany');
      await page.getByLabel('Rate 28: Region').fill('CA');
      await page.getByLabel('Rate 28: Kind of goods').fill('Books & maps');
      await page.getByLabel('Rate 28: Rate in %').fill('much');
      await press(page, 'Save');
      await page.getByText('Enter a percentage from 0 to 100.').waitFor();
      expect(await page.getByLabel('Rate 28: Rate in %').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('Rate 28: Rate in %').fill('7,5');
      await page.getByLabel('Rate 28: Name of the tax').fill(evil);
      await press(page, 'Save');
      await page.getByText('This country has no region with this code.').waitFor();
      await page.getByLabel('Rate 28: Region').fill('');
      await page.getByLabel('Kind of goods', { exact: true }).selectOption('books-maps');
      await expect.poll(() => sums(/^Germany/)).toContain(`${evil} 7.5%`);
      await page.getByLabel('Your own (Germany), everywhere in the EU').check();
      await expect.poll(() => sums(/^Hungary/)).toContain('7.5%');
      await page.getByLabel('Tax of shipping').selectOption('No tax on shipping');
      expect(await axeFindings(page)).toEqual([]);
      await press(page, 'Save');
      await toast(page, 'Settings saved.');
      expect(await taxes()).toMatchObject({ scope: 'origin', shipping: 'none' });
      expect((await taxes())?.rates).toHaveLength(28);
      expect((await taxes())?.rates.at(-1)).toEqual({
        ...{ country: 'DE', region: null, class: 'books-maps', rate: '0.075', name: evil },
      });
      await page.setViewportSize({ width: 320, height: 740 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      await page.getByLabel('The same rate for everything').check();
      await page.getByText('When you save, the rates by country are removed.').waitFor();
      await press(page, 'Save');
      await expect.poll(taxes).toBeNull();
      expect((await getSettings(shop)).taxRate).toBe('0.19');
      expect(faults).toEqual([]);
    });

    it('are invoices with their numbers, which need a seller, and the kind of goods and the weight of a product', async () => {
      const { shop } = at();
      await updateSettings(shop, { country: 'DE', timeZone: 'UTC', seller: null, invoices: { enabled: false } });
      const { page, faults } = await openAt(at(), 'settings?tab=invoices');
      await page.getByLabel('Write an invoice for each order').check();
      await page.getByRole('link', { name: 'Seller' }).waitFor();
      await press(page, 'Save');
      await page.locator('.reason, .notice.bad').first().waitFor();
      await updateSettings(shop, { seller: { name: 'Kiln Ltd', address: '12 Mill Lane', email: 'a@kiln.test' } });
      await page.reload();
      await page.getByLabel('Write an invoice for each order').check();
      const year = new Date().getUTCFullYear();
      await page.getByText(`Looks like INV-${year}-0001`).waitFor();
      await page.getByLabel('Invoices begin with').fill('R {year}');
      await page.getByLabel('Digits at least').fill('6');
      await page.getByText(`Looks like R ${year}000001`).waitFor();
      await press(page, 'Save');
      await page.getByText('Use no blanks, and no braces other than {year}.').waitFor();
      await page.getByLabel('Invoices begin with').fill('R{year}/');
      await page.getByLabel('When').selectOption('When the order is shipped');
      expect(await axeFindings(page)).toEqual([]);
      await press(page, 'Save');
      await toast(page, 'Settings saved.');
      expect((await getSettings(shop)).invoices).toMatchObject({
        ...{ enabled: true, on: 'fulfilled', prefix: 'R{year}/', creditPrefix: 'CN-{year}-', digits: 6, note: null },
      });
      await page.setViewportSize({ width: 320, height: 740 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);

      const rate = (taxClass: string, fraction: string) => ({ country: 'DE', class: taxClass, rate: fraction });
      await updateSettings(shop, {
        taxes: { scope: 'destination', rates: [rate('standard', '0.19'), rate('reduced', '0.07')] },
      });
      const product = await createProduct(shop, { title: 'Atlas', slug: 'atlas', price: '20' });
      const goods = await openAt(at(), `products/${product.id}`);
      await goods.page.getByLabel('Kind of goods for tax').fill('Tins');
      await goods.page.getByText('Your settings have no rate for this kind of goods').waitFor();
      await goods.page.getByLabel('Kind of goods for tax').fill('Reduced');
      await goods.page.getByLabel('Weight in g').fill('heavy');
      await press(goods.page, 'Save');
      await goods.page.getByText('Enter a whole number.').waitFor();
      await goods.page.getByLabel('Weight in g').fill('1,250');
      await press(goods.page, 'Save');
      await toast(goods.page, 'Product saved.');
      expect(await getProduct(shop, product.id)).toMatchObject({ taxClass: 'reduced', weight: 1250 });
      await goods.page.getByLabel('Has to be shipped').uncheck();
      expect(await goods.page.getByLabel('Weight in g').count()).toBe(0);
      await press(goods.page, 'Save');
      await expect.poll(async () => (await getProduct(shop, product.id)).requiresShipping).toBe(false);
      expect(await axeFindings(goods.page)).toEqual([]);
      await updateSettings(shop, { taxes: null, invoices: { enabled: false } });
      expect([...faults, ...goods.faults]).toEqual([]);
    });

    it('are ways to pay in an order, which are added, changed, moved, switched off and removed at once', async () => {
      const { shop } = at();
      await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_c2VjcmV0', secretKey: 'sk_test_ways' });
      const ways = async () => (await getSettings(shop)).paymentMethods;
      await updateSettings(shop, { paymentMethods: [] });
      const { page, faults } = await openAt(at(), 'settings?tab=ways');
      const layer = page.getByRole('dialog');
      const rows = page.locator('.ways > li');
      const names = () => rows.locator('strong').allTextContents();
      await page.getByText('Each payment provider that you have connected is offered automatically.').waitFor();
      await press(page, 'Add a way to pay');
      // Otherwise the first entry would replace what is offered without any.
      await layer.getByText(/^Also added to the list: Stripe/).waitFor();
      expect(await layer.getByLabel('Name').inputValue()).toBe('Bank transfer');
      await layer.getByLabel('Instructions').fill('Pay {total} {currency}, reference {orderNumber}');
      await layer.getByLabel('Days until an unpaid order expires').fill('31');
      await layer.getByRole('button', { name: 'Save' }).click();
      await layer.getByText('Enter 30 or less.').waitFor();
      await layer.getByLabel('Days until an unpaid order expires').fill('soon');
      await layer.getByRole('button', { name: 'Save' }).click();
      await layer.getByText('Enter a whole number.').waitFor();
      await layer.getByLabel('Days until an unpaid order expires').fill('10');
      await layer.getByLabel('Maximum total').fill('much');
      await layer.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => layer.getByLabel('Maximum total').getAttribute('aria-invalid')).toBe('true');
      await layer.getByLabel('Maximum total').fill('500');
      await layer.getByRole('combobox', { name: 'Countries' }).fill('germ');
      expect(await axeFindings(page), 'the dialog').toEqual([]);
      await layer.getByRole('combobox', { name: 'Countries' }).press('Enter');
      await layer.getByRole('button', { name: 'Save' }).click();
      await toast(page, 'Ways to pay saved.');
      await expect.poll(names).toEqual(['Stripe', 'Bank transfer']);
      await rows
        .nth(1)
        .getByText(/Only Germany · up to .500/)
        .waitFor();
      expect(await ways()).toMatchObject([
        { kind: 'provider', provider: 'stripe', name: 'Stripe', active: true },
        { kind: 'transfer', holdDays: 10, maxTotal: '500.00', countries: ['DE'], active: true },
      ]);

      // Somebody else changes another setting meanwhile.
      await press(page, 'Add a way to pay');
      await layer.getByLabel('Type').selectOption('cash_on_delivery');
      expect(await layer.getByLabel('Name').inputValue()).toBe('Cash on delivery');
      await layer.getByLabel('Name').fill(evil);
      await layer.getByLabel('Type').selectOption('on_pickup');
      expect(await layer.getByLabel('Name').inputValue()).toBe(evil);
      await updateSettings(shop, { maxOpenOffline: 7 });
      await layer.getByRole('button', { name: 'Save' }).click();
      await expect.poll(names).toEqual(['Stripe', 'Bank transfer', evil]);
      await expect.poll(() => page.getByLabel('Unpaid orders at a time').inputValue()).toBe('7');

      const up = page.getByRole('button', { name: `Move ${evil} up` });
      await up.press('Enter');
      await expect.poll(names).toEqual(['Stripe', evil, 'Bank transfer']);
      await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe(`Move ${evil} up`);
      await expect.poll(async () => (await ways()).map(({ name }) => name)).toEqual(['Stripe', evil, 'Bank transfer']);
      await rows.nth(2).locator('strong').dragTo(rows.nth(0).locator('strong'));
      await expect.poll(names).toEqual(['Bank transfer', 'Stripe', evil]);
      await expect.poll(async () => (await ways()).map(({ name }) => name)).toEqual(['Bank transfer', 'Stripe', evil]);
      await page.getByLabel('Offer Stripe').uncheck();
      await expect.poll(async () => (await ways()).map(({ active }) => active)).toEqual([true, false, true]);
      await page.getByRole('button', { name: 'Edit Bank transfer' }).click();
      expect(await layer.getByLabel('Instructions').inputValue()).toContain('{orderNumber}');
      await layer.getByLabel('Name').fill('SEPA');
      await layer.getByRole('button', { name: 'Save' }).click();
      await expect.poll(names).toEqual(['SEPA', 'Stripe', evil]);
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      await page.getByRole('button', { name: `Remove ${evil}` }).click();
      await layer.getByRole('button', { name: 'Remove' }).click();
      await expect.poll(names).toEqual(['SEPA', 'Stripe']);

      // A key that may only read sees them.
      const key = await keyWith(shop, ['settings.read']);
      const reader = await at().pages.signedIn({ storeId: at().ids.storeId, key }, 'settings?tab=ways');
      await reader.page.getByText('SEPA').waitFor();
      await reader.page.getByText('Stripe (Not offered)').waitFor();
      await updateSettings(shop, { paymentMethods: [] });
      expect([...faults, ...reader.faults]).toEqual([]);
    });

    it('show their values to a key that may only read them', async () => {
      const { shop, pages, ids } = at();
      await updateSettings(shop, {
        taxRate: '0.19',
        returnUrls: ['https://shop.example'],
        shippingMethods: [{ name: 'Post', price: '4.9', countries: ['DE'] }],
      });
      const key = await keyWith(shop, ['settings.read']);
      const { page, faults } = await pages.signedIn({ storeId: ids.storeId, key }, 'settings');
      await heading(page, 'Settings');
      await tab(page, 'Shipping');
      await page.locator('main').getByText('Germany').waitFor();
      await tab(page, 'Checkout and payments');
      await page.getByText('https://shop.example').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
      expect(faults).toEqual([]);
    });
  });
});
