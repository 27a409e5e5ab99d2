import {
  configureProvider,
  createCustomer,
  createOrder,
  getOrder,
  listOrders,
  recordPayment,
  updateOrder,
  updateSettings,
} from '@commerce/core';
import { fakeClock, type RunningStub, startProviderStub } from '@commerce/core/testing';
import { createServer } from '@commerce/server';
import { newOrder, openAt, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { stripeDispute } from '@commerce/test-support/fixtures/disputes';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { axeFindings, heading, signIn, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const toast = (page: Page, text: string) => page.locator('.toasts').getByText(text).first().waitFor();
const address = { firstName: 'Ada', lastName: 'Lovelace', address1: 'Rue 1', city: 'Paris', postalCode: '75001' };

forOneStorage('orders in the dashboard', 'sqlite', (database) => {
  const clock = fakeClock(new Date().toISOString());
  const at = useDashboard(database, { clock });

  describe('an order', () => {
    it('shows totals of lines, names of countries, ways to pay in words, and its history with signs', async () => {
      const { shop } = at();
      const product = await newProduct(shop, { title: 'Bowl', price: '12.50' });
      const order = await createOrder(shop, {
        items: [{ productId: product.id, quantity: 3, lineDiscount: '2.50' }],
        shippingAddress: { ...address, country: 'FR' },
      });
      await recordPayment(shop, order.id, { method: 'transfer', amount: order.total });
      await updateOrder(shop, order.id, { merchantNote: 'Regular' });
      const { page, faults } = await openAt(at(), `orders/${order.id}`);
      await page.locator('.lines .price').getByText('€35.00').waitFor();
      await page.locator('.lines').getByText('− €2.50 discount').waitFor();
      await page.locator('.aside').getByText('France').waitFor();
      await page.getByRole('region', { name: 'Payment' }).getByText('Bank transfer').waitFor();
      await page.getByRole('button', { name: 'Copy the payment ID' }).waitFor();
      const history = page.locator('.timeline > li');
      await expect.poll(() => history.count()).toBeGreaterThan(3);
      expect(await history.first().textContent()).toContain('Note changed');
      expect(await history.last().textContent()).toContain('Order created');
      expect(await axeFindings(page)).toEqual([]);

      await press(page, 'Mark as shipped');
      await page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click();
      await press(page, 'Add tracking');
      await page.getByRole('textbox', { name: 'Tracking number' }).fill('0034');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await toast(page, 'Tracking saved.');
      await page.getByText('0034').waitFor();
      expect(await getOrder(shop, order.id)).toMatchObject({ status: 'fulfilled', tracking: { number: '0034' } });
      await press(page, 'Edit tracking');
      await page.getByRole('textbox', { name: 'Tracking number' }).fill('');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Add tracking' }).waitFor();
      expect((await getOrder(shop, order.id)).tracking).toBeNull();
      expect(faults).toEqual([]);
    });

    it('shows disputes with what to do until when, from the overview to the refund', async () => {
      const { shop } = at();
      await configureStripe(shop);
      const order = await createOrder(shop, {
        items: [{ productId: (await newProduct(shop, { title: 'Plate', price: '50' })).id, quantity: 1 }],
      });
      const paid = payment(order.id, 5000);
      await send(shop, paid.chargeSucceeded());
      const dispute = stripeDispute(paid, 5000);
      await send(shop, dispute.created());
      const { page, faults } = await openAt(at(), '');
      const line = page.getByRole('link', { name: /^1 disputed payment Answer the next one by/ });
      await line.waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await line.click();
      await heading(page, 'Payments');
      const row = page.getByRole('row', { name: /The buyer says that the goods did not arrive/ });
      await row.waitFor();
      await row.getByRole('link').first().click();
      const section = page.getByRole('region', { name: 'Disputes' });
      await section.getByText(/Answer at the payment provider by/).waitFor();
      expect(await axeFindings(page)).toEqual([]);

      await page.getByRole('link', { name: order.orderNumber }).click();
      await section.getByText('€50.00').waitFor();
      await send(shop, dispute.withdrawn());
      await send(shop, dispute.lost());
      await page.reload();
      await section.getByText('The buyer has the money back. Items are not returned to stock.').waitFor();
      await page.getByRole('region', { name: 'Refunds' }).getByText('Dispute', { exact: true }).waitFor();
      await page.getByText('€50.00 taken back because of a dispute').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(faults).toEqual([]);
    });

    it('is listed with its first item and country, up to and with the last day, and when it is to be refunded', async () => {
      const { shop } = at();
      const order = await newOrder(shop, { title: 'Teapot', shippingAddress: { ...address, country: 'AT' } });
      await updateOrder(shop, order.id, { status: 'cancelled' });
      const today = new Date(clock.now()).toISOString().slice(0, 10);
      const { page, faults } = await openAt(at(), `orders?tab=all&from=${today}&until=${today}`);
      const row = page.getByRole('row', { name: new RegExp(order.orderNumber) });
      await row.getByText('Teapot').waitFor();
      await row.getByText('Austria').waitFor();
      await page.getByRole('button', { name: /^To refund/ }).click();
      await row.getByText('Cancelled').waitFor();
      expect(page.url()).toContain('tab=refund');
      await page.getByRole('button', { name: /^To ship/ }).click();
      await expect.poll(() => page.getByRole('columnheader', { name: 'Payment' }).count()).toBe(0);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${at().url}/dashboard/orders?tab=refund`);
      await row.getByText(/· Paid ·/).waitFor();
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
    });
  });

  describe('a new order', () => {
    let stub: RunningStub;
    beforeAll(async () => {
      stub = await startProviderStub({ clock, retryDelays: [], ticks: false });
    });
    afterAll(() => stub.close());
    /** A shop that can send payment links. */
    const sellByLink = async () => {
      const { shop } = at();
      await updateSettings(shop, {
        returnUrls: ['https://shop.example'],
        shippingMethods: [{ name: 'Post', price: '4.9', countries: ['FR'] }],
      });
      await configureProvider(shop, 'stripe', stub.account('stripe', async () => 200) as never);
    };

    it('says what is missing, until a provider can open a payment page', async () => {
      const { page, faults } = await openAt(at(), 'orders');
      await page.getByRole('link', { name: 'New order' }).click();
      await heading(page, 'New order');
      await page.getByText('--orders-api').waitFor();
      await page.getByRole('link', { name: 'Set up a provider' }).click();
      await heading(page, 'Payment providers');
      expect(faults).toEqual([]);
    });

    it('becomes a payment link at the prices of the catalogue, or a payment that was received', async () => {
      const { shop } = at();
      await updateSettings(shop, {
        returnUrls: ['https://shop.example'],
        shippingMethods: [{ name: 'Post', price: '4.9', countries: ['FR'] }],
      });
      await configureProvider(shop, 'stripe', stub.account('stripe', async () => 200) as never);
      await newProduct(shop, { title: 'Vase', price: '30', status: 'published' });
      await createCustomer(shop, {
        email: 'grace@shop.test',
        name: 'Grace Hopper',
        addresses: [{ ...address, country: 'FR' }],
      });
      const { page, faults } = await openAt(at(), 'orders/new');
      await press(page, 'Create payment link');
      await page.getByText('Add at least one product.').waitFor();
      await page.getByRole('combobox', { name: 'Add a product' }).fill('vas');
      await page.getByRole('option', { name: /Vase/ }).click();
      await page.getByLabel('Quantity of Vase').fill('0');
      await press(page, 'Create payment link');
      await page.getByText('Enter a whole number').waitFor();
      await page.getByLabel('Quantity of Vase').fill('2');
      await page.getByRole('combobox', { name: 'Existing customer' }).fill('grace');
      await page.getByRole('option', { name: /Grace Hopper/ }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('combobox', { name: 'Existing customer' }).press('Enter');
      expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('grace@shop.test');
      expect(await page.getByLabel('Country').inputValue()).toBe('FR');
      await page.getByText('€60.00').first().waitFor();
      await press(page, 'Create payment link');
      const layer = page.getByRole('dialog');
      await layer.getByText('The payment link is ready').waitFor();
      expect(await layer.locator('code').textContent()).toMatch(/^http/);
      await layer.getByRole('button', { name: 'Go to the order' }).click();
      await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor();
      const [made] = (await listOrders(shop, { limit: 1 })).items;
      expect(made).toMatchObject({
        status: 'pending',
        subtotal: '60.00',
        shipping: '4.90',
        shippingAddress: { city: 'Paris', country: 'FR' },
        items: [{ titleSnapshot: 'Vase', quantity: 2 }],
      });

      await page.goto(`${at().url}/dashboard/orders/new`);
      await page.getByRole('combobox', { name: 'Add a product' }).fill('vas');
      await page.getByRole('option', { name: /Vase/ }).click();
      await page.getByRole('textbox', { name: 'Email' }).fill('alan@shop.test');
      await page.getByLabel('Country').selectOption({ label: 'France' });
      await page.setViewportSize({ width: 320, height: 740 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      await press(page, 'Record payment');
      await layer.getByRole('button', { name: 'Record payment' }).click();
      await toast(page, 'recorded');
      const [paid] = (await listOrders(shop, { limit: 1 })).items;
      expect(paid).toMatchObject({ status: 'paid', total: '34.90', paymentProvider: 'manual' });
      expect(faults).toEqual([]);
    });

    it('keeps what was typed, has prices of its own, and waits unpaid, if the service takes orders', async () => {
      const { commerce, shop, ids, pages } = at();
      await sellByLink();
      const open = createServer(commerce, { dashboard: true, ordersApi: true });
      const { url } = await open.listen({ port: 0 });
      try {
        await newProduct(shop, { title: 'Jug', price: '20', status: 'draft' });
        const { page, faults } = await pages.open();
        await page.goto(`${url}/dashboard/orders/new`);
        await signIn(page, ids.storeId, ids.key);
        await page.getByRole('combobox', { name: 'Add a product' }).fill('jug');
        await page.getByRole('option', { name: /Jug/ }).click();
        await page.getByLabel('Price of Jug').fill('25');
        await press(page, 'Save as unpaid');
        await page.getByText(/cannot be above that of the catalogue/).waitFor();
        await page.getByLabel('Price of Jug').fill('15.5');
        await page.getByText('Instead of').waitFor();
        await press(page, 'Create payment link');
        await page.getByText(/A payment link uses the price of the catalogue/).waitFor();
        await page.getByRole('link', { name: 'Customers' }).click();
        await press(page, 'Leave');
        await heading(page, 'Customers');
        await page.goBack();
        await press(page, 'Restore');
        expect(await page.getByLabel('Price of Jug').inputValue()).toBe('15.5');
        await page.getByLabel('Discount in EUR').fill('1');
        await page.getByLabel('Shipping method').selectOption({ label: 'No shipping' });
        await press(page, 'Save as unpaid');
        await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor();
        const [made] = (await listOrders(shop, { limit: 1 })).items;
        expect(made).toMatchObject({
          status: 'pending',
          discount: '1.00',
          items: [{ titleSnapshot: 'Jug', lineDiscount: '4.50' }],
        });
        expect(faults).toEqual([]);
      } finally {
        await open.stop();
      }
    });
  });
});
