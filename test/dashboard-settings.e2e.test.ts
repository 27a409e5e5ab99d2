import { configureProvider, getSettings, updateSettings } from '@commerce/core';
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

    it('choose the countries of a shipping method by their names', async () => {
      const { shop } = at();
      await updateSettings(shop, { shippingMethods: [{ name: 'Post', price: '4.9', countries: ['FR'] }] });
      const { page, faults } = await openAt(at(), 'settings?tab=shipping');
      const rows = page.locator('.row-fields');
      await rows.nth(0).getByText('France').waitFor();
      await rows.nth(0).getByRole('button', { name: 'Remove France' }).click();
      await press(page, 'Add a shipping method');
      await rows.nth(1).getByLabel('Name').fill(evil);
      await rows.nth(1).getByLabel('Price').fill('free');
      await press(page, 'Save');
      await expect.poll(() => rows.nth(1).getByLabel('Price').getAttribute('aria-invalid')).toBe('true');
      await rows.nth(1).getByLabel('Price').fill('0');
      const countries = rows.nth(1).getByRole('combobox', { name: 'Countries' });
      await countries.fill('germ');
      expect(await axeFindings(page)).toEqual([]);
      await countries.press('Enter');
      await countries.fill('ia');
      await countries.press('ArrowDown');
      await countries.fill('Nowhere');
      await page.getByText('No country has this name.').waitFor();
      await countries.fill('at');
      await page.getByRole('option', { name: 'Austria', exact: true }).click();
      await page.getByRole('button', { name: `Move ${evil} up` }).click();
      await press(page, 'Save');
      await toast(page, 'Settings saved.');
      expect(await getSettings(shop)).toMatchObject({
        shippingMethods: [
          { name: evil, price: '0.00', countries: ['DE', 'AT'] },
          { name: 'Post', price: '4.90', countries: null },
        ],
      });
      await page.setViewportSize({ width: 320, height: 740 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
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
