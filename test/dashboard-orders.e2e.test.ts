import {
  configureProvider,
  createCheckout,
  createCustomer,
  createOrder,
  getOrder,
  getProduct,
  listOrders,
  recordPayment,
  refundOrder,
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

  describe('parcels', () => {
    it('leave with the chosen pieces and a link of the carrier, are delivered, and are removed', async () => {
      const { shop } = at();
      const bowl = await newProduct(shop, { title: 'Bowl', price: '12.50' });
      const cup = await newProduct(shop, { title: 'Cup', price: '5' });
      const order = await createOrder(shop, {
        items: [
          { productId: bowl.id, quantity: 3 },
          { productId: cup.id, quantity: 1 },
        ],
        shippingAddress: { ...address, country: 'FR' },
      });
      await recordPayment(shop, order.id, { method: 'transfer', amount: order.total });
      const { page, faults } = await openAt(at(), `orders/${order.id}`);
      await press(page, 'Mark as shipped');
      const layer = page.getByRole('dialog');
      expect(await layer.getByRole('textbox', { name: 'Bowl' }).inputValue()).toBe('3');
      await layer.getByRole('textbox', { name: 'Bowl' }).fill('4');
      await layer.getByRole('button', { name: 'Mark as shipped' }).click();
      await layer.getByText('Enter a whole number from 0 to 3.').waitFor();
      await layer.getByRole('textbox', { name: 'Bowl' }).fill('0');
      await layer.getByRole('textbox', { name: 'Cup' }).fill('0');
      await layer.getByRole('button', { name: 'Mark as shipped' }).click();
      await layer.getByText('Put at least one piece into the parcel.').waitFor();
      await layer.getByRole('textbox', { name: 'Bowl' }).fill('2');
      await layer.getByLabel('Tracking number').fill('0034 0434');
      expect(await layer.getByLabel('Tracking link').inputValue()).toBe('');
      await layer.getByLabel('Carrier').fill('dhl');
      expect(await layer.getByLabel('Tracking link').inputValue()).toMatch(/^https:\/\/www\.dhl\.de\/.*00340434$/);
      await layer.getByLabel('Tracking link').fill('https://follow.example/1');
      await layer.getByLabel('Tracking number').fill('00340435');
      expect(await layer.getByLabel('Tracking link').inputValue()).toBe('https://follow.example/1');
      expect(await axeFindings(page), 'the dialog').toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      await layer.getByRole('button', { name: 'Mark as shipped' }).click();
      await toast(page, 'Parcel added.');
      await page.locator('.page-head').getByText('Partly shipped').waitFor();
      expect(await getOrder(shop, order.id)).toMatchObject({
        status: 'paid',
        fulfilments: [{ lines: [{ itemId: order.items[0]?.id, quantity: 2 }], tracking: { number: '00340435' } }],
      });
      const parcels = page.locator('.parcels > li');
      await parcels.getByText('2 ×').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1280, height: 844 });

      await press(page, 'Mark as shipped');
      expect(await layer.getByRole('textbox', { name: 'Bowl' }).inputValue()).toBe('1');
      await layer.getByRole('button', { name: 'Mark as shipped' }).click();
      await toast(page, 'marked as shipped');
      await expect.poll(() => parcels.count()).toBe(2);
      await parcels.nth(0).getByRole('link', { name: 'Packing slip' }).click();
      await page.getByText('Parcel 1 of 2').waitFor();
      expect(await page.locator('.slip tbody tr').count()).toBe(1);
      expect(await page.locator('.slip tbody tr').textContent()).toContain('Bowl');
      await page.goBack();

      clock.advance(60_000);
      await parcels.nth(0).getByRole('button', { name: 'Mark as delivered' }).click();
      await toast(page, 'Parcel marked as delivered.');
      await parcels
        .nth(0)
        .getByText(/Delivered/)
        .waitFor();
      await parcels.nth(1).getByRole('button', { name: 'More actions for this parcel' }).click();
      await page.getByRole('menuitem', { name: 'Remove parcel' }).click();
      await layer.getByRole('button', { name: 'Remove parcel' }).click();
      await toast(page, 'Parcel removed.');
      await expect.poll(() => parcels.count()).toBe(1);
      await page.locator('.timeline').getByText('Parcel removed').waitFor();
      await page.locator('.timeline').getByText('Parcel shipped').first().waitFor();
      await parcels.nth(0).getByRole('button', { name: 'More actions for this parcel' }).click();
      await page.getByRole('menuitem', { name: 'Not delivered' }).click();
      await toast(page, 'The delivery was removed.');
      await page.locator('.timeline').getByText('Delivery removed').waitFor();
      expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', fulfilments: [{ deliveredAt: null }] });

      await refundOrder(shop, order.id, { lines: [{ itemId: order.items[0]?.id ?? '', quantity: 1 }] });
      await page.reload();
      await press(page, 'Mark as shipped');
      await layer.getByRole('textbox', { name: 'Cup' }).waitFor();
      expect(await layer.getByRole('textbox', { name: 'Bowl' }).count()).toBe(0);
      await layer.getByRole('button', { name: 'Mark as shipped' }).click();
      await toast(page, 'marked as shipped');
      expect(await getOrder(shop, order.id)).toMatchObject({ status: 'fulfilled', fulfilmentStatus: 'fulfilled' });
      expect(faults).toEqual([]);
    });
  });

  describe('an order to pay without a provider', () => {
    const kinds = ['transfer', 'cash_on_delivery', 'on_pickup', 'invoice'] as const;
    let buyers = 0;
    const placed = async (paymentMethodId: (typeof kinds)[number]) => {
      const { shop } = at();
      await updateSettings(shop, {
        returnUrls: ['https://shop.example'],
        shippingMethods: [],
        manualPayments: false,
        paymentMethods: kinds.map((kind) => ({ id: kind, name: `By ${kind}`, kind })),
      });
      const product = await newProduct(shop, {
        title: 'Jar',
        price: '10',
        trackStock: true,
        stock: 5,
        status: 'published',
      });
      const { orderId } = await createCheckout(shop, {
        items: [{ productId: product.id, quantity: 2 }],
        customer: { email: `jar${++buyers}@shop.test` },
        shippingAddress: { ...address, country: 'FR' },
        successUrl: 'https://shop.example/thanks',
        cancelUrl: 'https://shop.example/cart',
        paymentMethodId,
      });
      return { order: await getOrder(shop, orderId), product };
    };
    afterAll(async () => {
      await updateSettings(at().shop, { manualPayments: true, paymentMethods: [] });
    });

    it('is sent before it is paid, then marked as paid, and listed under both until then', async () => {
      const { shop } = at();
      const { order } = await placed('cash_on_delivery');
      const { page, faults } = await openAt(at(), 'orders');
      const row = page.getByRole('row', { name: new RegExp(order.orderNumber) });
      await row.getByText('To be paid on delivery').waitFor();
      await page.getByRole('button', { name: /^Awaiting payment/ }).click();
      await row.getByText('To be paid on delivery').waitFor();
      await row.getByRole('link').first().click();
      await heading(page, `Order ${order.orderNumber}`);
      await page.locator('.page-head').getByText('To be paid on delivery').waitFor();
      await page.getByText('By cash_on_delivery').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      const layer = page.getByRole('dialog');
      await press(page, 'Mark as shipped');
      await layer.getByText('This order is not paid yet.').waitFor();
      await layer.getByRole('button', { name: 'Mark as shipped' }).click();
      await toast(page, 'marked as shipped');
      await page.locator('.page-head').getByText('Shipped', { exact: true }).waitFor();
      await page.locator('.page-head').getByText('To be paid on delivery').waitFor();
      await press(page, 'Mark as paid');
      expect(await layer.getByLabel('Payment method').inputValue()).toBe('cash');
      await layer.getByLabel('Paid on').fill('2035-01-01T10:00');
      await layer.getByRole('button', { name: 'Mark as paid' }).click();
      await layer.getByText('Choose an earlier time, not in the future.').waitFor();
      await layer.getByLabel('Paid on').fill('');
      expect(await axeFindings(page), 'the dialog').toEqual([]);
      await layer.getByRole('button', { name: 'Mark as paid' }).click();
      await toast(page, 'recorded');
      await expect.poll(() => page.locator('.page-head').getByText('To be paid on delivery').count()).toBe(0);
      expect(await getOrder(shop, order.id)).toMatchObject({
        status: 'fulfilled',
        paymentMethod: 'cash',
        total: '20.00',
      });
      expect(faults).toEqual([]);
    });

    it('is cancelled when the buyer has refused it, and its goods are back', async () => {
      const { shop } = at();
      const { order, product } = await placed('invoice');
      await updateOrder(shop, order.id, { status: 'fulfilled' });
      expect((await getProduct(shop, product.id)).stock).toBe(3);
      const { page, faults } = await openAt(at(), `orders/${order.id}`);
      await page.locator('.page-head').getByText('To be paid by invoice').waitFor();
      await page.getByRole('button', { name: 'More actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Cancel order' }).click();
      await page.getByText(/has refused the parcel/).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
      await toast(page, 'cancelled');
      expect((await getOrder(shop, order.id)).status).toBe('cancelled');
      expect((await getProduct(shop, product.id)).stock).toBe(5);
      expect(faults).toEqual([]);
    });

    it('waits for a transfer, and cannot be sent before it', async () => {
      const { order } = await placed('transfer');
      const { page, faults } = await openAt(at(), 'orders?tab=money');
      const row = page.getByRole('row', { name: new RegExp(order.orderNumber) });
      await row.getByText('To be paid by transfer').waitFor();
      await page.getByRole('button', { name: /^To ship/ }).click();
      await expect.poll(() => row.count()).toBe(0);
      await page.goto(`${at().url}/dashboard/orders/${order.id}`);
      await page.getByText('Stock is held until').waitFor();
      await page.getByRole('button', { name: 'Mark as paid' }).waitFor();
      expect(await page.getByRole('button', { name: 'Mark as shipped' }).count()).toBe(0);
      await page.goto(`${at().url}/dashboard/`);
      await page.getByRole('link', { name: /awaits? .* payment/ }).click();
      await row.getByText('To be paid by transfer').waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
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
