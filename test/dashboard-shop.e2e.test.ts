import { createPage, deletePage, getSettings, getShop, updateSettings } from '@commerce/core';
import { keyWith, openAt, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { axeFindings, heading, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const evil = '<img src=x onerror="window.hacked=1">';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const saved = (page: Page) => page.locator('.toasts').getByText('Settings saved.').waitFor();
const errorAt = (page: Page, label: string) =>
  expect.poll(() => page.getByLabel(label, { exact: true }).getAttribute('aria-invalid')).toBe('true');

/** The page on a phone and on a wide screen has no fault for people who cannot see it, and nothing is cut off. */
async function expectUsable(page: Page): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await axeFindings(page)).toEqual([]);
    expect(await widerBy(page)).toBeLessThanOrEqual(0);
  }
}

forOneStorage('what a website must know of a shop, in the dashboard', 'sqlite', (database) => {
  const at = useDashboard(database);

  describe('the settings', () => {
    it('say where the shop is, in which language, and where its products are shown', async () => {
      const { shop } = at();
      await updateSettings(shop, { locale: 'gsw-CH' });
      const { page, faults } = await openAt(at(), 'settings');
      const language = page.getByLabel('Language', { exact: true });
      await expect.poll(() => language.inputValue()).toBe('gsw-CH');
      await page.getByLabel('Country', { exact: true }).selectOption({ label: 'Austria' });
      await language.selectOption({ label: 'Austrian German' });
      const product = page.getByLabel('Address of a product', { exact: true });
      await product.fill('https://shop.example/p');
      await press(page, 'Save');
      await page.getByText('Enter a web address that contains {slug} or {id}').waitFor();
      await errorAt(page, 'Address of a product');
      expect(await getSettings(shop)).toMatchObject({ country: null, productUrl: null });
      await product.fill('https://shop.example/p/{slug}');
      await page.getByLabel('Address of a page', { exact: true }).fill('https://shop.example/pages/{id}');
      await expectUsable(page);
      await press(page, 'Save');
      await saved(page);
      expect(await getSettings(shop)).toMatchObject({
        country: 'AT',
        locale: 'de-AT',
        productUrl: 'https://shop.example/p/{slug}',
        pageUrl: 'https://shop.example/pages/{id}',
      });
      await page.getByLabel('Country', { exact: true }).selectOption({ label: 'Not chosen' });
      await product.fill('');
      await press(page, 'Save');
      await expect.poll(() => getSettings(shop)).toMatchObject({ country: null, productUrl: null });
      expect(faults).toEqual([]);
    });

    it('name the seller, and the pages that the law asks for', async () => {
      const { shop } = at();
      const terms = await createPage(shop, { title: evil, slug: 'terms', status: 'published' });
      const imprint = await createPage(shop, { title: 'Who we are', slug: 'imprint', status: 'published' });
      await createPage(shop, { title: 'Data', slug: 'data' });
      const { page, faults } = await openAt(at(), 'settings?tab=seller');
      await page.getByLabel('Name of the person or company').fill('Tea & Co');
      await page.getByLabel('Email for customers').fill('hello');
      await press(page, 'Save');
      await errorAt(page, 'Address');
      await errorAt(page, 'Email for customers');
      expect((await getSettings(shop)).seller).toBeNull();
      await page.getByLabel('Address', { exact: true }).fill('Teichweg 1\n1010 Wien');
      await page.getByLabel('Email for customers').fill('hello@shop.example');
      await page.getByLabel('Tax number', { exact: true }).fill('12/345/67890');
      await page.getByLabel('Terms and conditions').selectOption({ label: evil });
      await page.getByLabel('Legal notice').selectOption({ label: 'Who we are' });
      await page.getByLabel('Privacy policy').selectOption({ label: 'Data (not published)' });
      await expectUsable(page);
      await press(page, 'Save');
      await saved(page);
      expect(await getShop(shop)).toMatchObject({
        seller: { name: 'Tea & Co', address: 'Teichweg 1\n1010 Wien', phone: null },
        pages: { terms: 'terms', privacy: null, imprint: 'imprint', withdrawal: null },
      });

      // One changed field leaves the others of its object.
      await deletePage(shop, terms.id);
      await page.reload();
      await expect
        .poll(() => page.getByLabel('Terms and conditions').locator('option:checked').textContent())
        .toBe('A page that is not in the list');
      await page.getByLabel('Phone').fill('+43 1');
      await page.getByLabel('Privacy policy').selectOption({ label: 'Not chosen' });
      await press(page, 'Save');
      await saved(page);
      expect(await getSettings(shop)).toMatchObject({
        seller: { name: 'Tea & Co', phone: '+43 1', taxNumber: '12/345/67890' },
        pages: { terms: terms.id, imprint: imprint.id, privacy: null },
      });

      for (const label of ['Name of the person or company', 'Email for customers', 'Phone']) {
        await page.getByLabel(label).fill('');
      }
      for (const label of ['Address', 'Tax number']) await page.getByLabel(label, { exact: true }).fill('');
      await press(page, 'Save');
      await expect.poll(async () => (await getSettings(shop)).seller).toBeNull();
      expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
      expect(faults).toEqual([]);
    });

    it('have a smallest order beside the checkout', async () => {
      const { shop } = at();
      const { page, faults } = await openAt(at(), 'settings?tab=checkout');
      await page.getByLabel('Minimum order').fill('20');
      await press(page, 'Save');
      await saved(page);
      expect((await getSettings(shop)).minSubtotal).toBe('20.00');
      await page.getByLabel('Minimum order').fill('');
      await press(page, 'Save');
      await expect.poll(async () => (await getSettings(shop)).minSubtotal).toBeNull();
      expect(faults).toEqual([]);
    });

    it('are shown to a key that may only read them', async () => {
      const { shop, pages, ids } = at();
      await updateSettings(shop, {
        country: 'AT',
        locale: 'de-AT',
        seller: { name: evil, address: 'Teichweg 1', email: 'hello@shop.example' },
      });
      const key = await keyWith(shop, ['settings.read']);
      const { page, faults } = await pages.signedIn({ storeId: ids.storeId, key }, 'settings?tab=seller');
      await heading(page, 'Settings');
      await page.getByText(evil).waitFor();
      await expectUsable(page);
      await page.getByRole('navigation', { name: 'Settings pages' }).getByRole('button', { name: 'Shop' }).click();
      await page.getByText('Austrian German').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
      expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
      expect(faults).toEqual([]);
    });
  });
});
