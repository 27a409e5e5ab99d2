import { createCustomer, createOrder, getCustomer, listOrders, updateSettings } from '@commerce/core';
import { createServer } from '@commerce/server';
import { openAt, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { axeFindings, signIn, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

const evil = '<img src=x onerror="window.hacked=1">';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const rate = (country: string, fraction: string, more: object = {}) => ({ country, rate: fraction, ...more });

forOneStorage('tax in the dashboard', 'sqlite', (database) => {
  const at = useDashboard(database);

  describe('orders', () => {
    it('show each tax with its name, rate and country, an exemption with its reason, and a VAT number', async () => {
      const { shop } = at();
      const rates = [
        rate('DE', '0.19', { name: evil }),
        rate('DE', '0.07', { class: 'reduced' }),
        rate('US', '0.0725', { region: 'CA' }),
      ];
      await updateSettings(shop, { country: 'DE', taxIncluded: true, taxes: { scope: 'destination', rates } });
      const mug = await newProduct(shop, { title: 'Mug', price: '119' });
      const book = await newProduct(shop, { title: 'Book', price: '10.70', taxClass: 'reduced' });
      const items = [mug, book].map(({ id }) => ({ productId: id, quantity: 1 }));
      const order = await createOrder(shop, { items, shippingAddress: { country: 'DE' } });
      const { page, faults } = await openAt(at(), `orders/${order.id}`);
      const facts = page.locator('.facts');
      await facts.getByText(`${evil} 19% (included) · Germany`).waitFor();
      await facts.getByText('Tax 7% (included) · Germany').waitFor();
      expect(await facts.first().textContent()).toMatch(/Germany.19\.00.*Germany.0\.70/);

      const exempt = await createOrder(shop, {
        items,
        customer: { email: 'buyer@shop.test', vatId: 'ATU12345675' },
        shippingAddress: { country: 'AT' },
        taxExempt: { reason: 'intraCommunity', note: evil },
      });
      await page.goto(page.url().replace(order.id, exempt.id));
      await facts.getByText('Goods to a business in another EU country').waitFor();
      await facts.getByText('ATU12345675').waitFor();
      await facts.getByText(evil).waitFor();
      expect(await facts.first().textContent()).toMatch(/Tax \(included\).0\.00/);
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 740 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
    });

    it('are taken by hand with an exemption, a VAT number and a region, whose refusals are said at their fields', async () => {
      const { commerce, shop, ids, pages } = at();
      const open = createServer(commerce, { dashboard: true, ordersApi: true });
      const { url } = await open.listen({ port: 0 });
      try {
        const rates = [rate('DE', '0.19'), rate('US', '0.0725', { region: 'CA' })];
        await updateSettings(shop, { country: 'DE', taxIncluded: true, taxes: { scope: 'destination', rates } });
        await newProduct(shop, { title: 'Teapot', price: '119' });
        await createCustomer(shop, {
          email: `far-${Date.now()}@shop.test`,
          addresses: [{ address1: 'A 1', city: 'Linz', country: 'Autriche', postalCode: '4020' }],
        });
        const { page, faults } = await pages.open();
        await page.goto(`${url}/dashboard/orders/new`);
        await signIn(page, ids.storeId, ids.key);
        await page.getByRole('combobox', { name: 'Add a product' }).fill('Teapot');
        await page
          .getByRole('option', { name: /Teapot/ })
          .first()
          .click();
        await page.getByRole('combobox', { name: 'Existing customer' }).fill('far-');
        await page.getByRole('option', { name: /far-/ }).first().click();
        // What somebody has typed as a country is still there.
        await expect.poll(() => page.getByLabel('Country').inputValue()).toBe('Autriche');
        await page.getByLabel('Country').selectOption('United States');
        await page.getByLabel('VAT number').fill('ATU1');
        await page.getByLabel('Region').fill('');
        await press(page, 'Save as unpaid');
        await page.getByText('Check this number. Enter it with the letters of its country').waitFor();
        await page.getByLabel('VAT number').fill('ATU 12345675');
        await press(page, 'Save as unpaid');
        await page.getByText(/Taxes in this country depend on the region/).waitFor();
        await page.getByLabel('Region').fill('Californium');
        await press(page, 'Save as unpaid');
        await page.getByText('Enter the code of a region of this country').waitFor();
        await page.getByLabel('Region').fill('CA');
        await page.getByLabel('Tax exemption').selectOption('Export out of the EU');
        await page.getByLabel('Text on the invoice about the exemption').fill('Export, see customs form');
        expect(await axeFindings(page)).toEqual([]);
        await press(page, 'Save as unpaid');
        await page.getByText('Export out of the EU').waitFor();
        const [order] = (await listOrders(shop, { limit: 1 })).items;
        expect(order).toMatchObject({
          ...{ vatId: 'ATU12345675', taxExempt: { reason: 'export', note: 'Export, see customs form' }, tax: '0.00' },
          shippingAddress: { country: 'US', region: 'CA' },
        });
        expect(faults).toEqual([]);
      } finally {
        await open.stop();
      }
    });
  });

  it('Customers have a VAT number and a country that is chosen by name', async () => {
    const { shop } = at();
    const customer = await createCustomer(shop, { email: `business-${Date.now()}@shop.test` });
    const { page, faults } = await openAt(at(), `customers/${customer.id}/edit`);
    await page.getByLabel('VAT number').fill('DE1');
    await press(page, 'Save');
    await page.getByText('Check this number. Enter it with the letters of its country').waitFor();
    expect(await page.getByLabel('VAT number').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('VAT number').fill('ATU12345675');
    await press(page, 'Add an address');
    await page.getByLabel('Street and number').fill('A 1');
    await page.getByLabel('City').fill('Linz');
    await page.getByLabel('Postal code').fill('4020');
    await page.getByLabel('Country', { exact: true }).selectOption('Austria');
    expect(await axeFindings(page)).toEqual([]);
    await press(page, 'Save');
    await page.getByText('ATU12345675').waitFor();
    expect(await getCustomer(shop, customer.id)).toMatchObject({
      vatId: 'ATU12345675',
      addresses: [{ country: 'AT' }],
    });
    expect(faults).toEqual([]);
  });
});
