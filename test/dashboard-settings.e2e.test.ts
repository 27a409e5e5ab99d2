import { getSettings, updateSettings } from '@commerce/core';
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
