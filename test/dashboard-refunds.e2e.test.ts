import {
  configureProvider,
  createCheckout,
  createFulfilment,
  getOrder,
  getProduct,
  listPayments,
  listRefunds,
  type Order,
  type Product,
  updateOrder,
  updateSettings,
} from '@commerce/core';
import { fakeClock, type RunningStub, startProviderStub } from '@commerce/core/testing';
import { keyWith, newOrder, openAt, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { axeFindings, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const toast = (page: Page, text: string) => page.locator('.toasts').getByText(text).first().waitFor();
const address = { firstName: 'Ada', lastName: 'Lovelace', address1: 'Rue 1', city: 'Paris', postalCode: '75001' };

forOneStorage('refunds in the dashboard', 'sqlite', (database) => {
  const clock = fakeClock(new Date().toISOString());
  const at = useDashboard(database, { clock, publicUrl: 'https://api.example' });
  let stub: RunningStub;
  beforeAll(async () => {
    stub = await startProviderStub({ clock, retryDelays: [], ticks: false });
  });
  afterAll(() => stub.close());

  /** An order of two mugs at 10.00 and a plate at 20.00 with shipping of 4.90 that Stripe was paid for. */
  async function sold(before = async (_: string) => {}): Promise<{ order: Order; mug: Product }> {
    const { commerce, shop } = at();
    const { shippingMethods } = await updateSettings(shop, {
      returnUrls: ['https://shop.example'],
      shippingMethods: [{ name: 'Post', price: '4.9' }],
    });
    const account = stub.account('stripe', async ({ body, headers }) => {
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      await commerce.receiveNotification(
        'stripe',
        { body: Buffer.from(body), headers: lower },
        { storeId: shop.store.id },
      );
      return 200;
    });
    await configureProvider(shop, 'stripe', account as never);
    const mug = await newProduct(shop, { title: 'Mug', price: '10', trackStock: true, stock: 10 });
    const plate = await newProduct(shop, { title: 'Plate', price: '20', trackStock: true, stock: 10 });
    const checkout = await createCheckout(shop, {
      items: [
        { productId: mug.id, quantity: 2 },
        { productId: plate.id, quantity: 1 },
      ],
      shippingAddress: { ...address, country: 'FR' },
      shippingMethodId: shippingMethods[0]?.id ?? '',
      customer: { email: 'ada@shop.test', name: 'Ada Lovelace' },
      successUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
    });
    const rows = shop.engine.storage.db.selectFrom('checkouts').select('page_id');
    const { page_id } = await rows
      .where('store_id', '=', shop.store.id)
      .where('id', '=', checkout.id)
      .executeTakeFirstOrThrow();
    await before(checkout.orderId);
    await stub.act('stripe', page_id ?? '', 'pay');
    await stub.settled();
    return { order: await getOrder(shop, checkout.orderId), mug };
  }
  const refundsIn = (page: Page) => page.getByRole('region', { name: 'Refunds' });
  const stockOf = async ({ id }: Product) => (await getProduct(at().shop, id)).stock;

  describe('of an order', () => {
    it('go back by pieces and shipping through the provider, at the sum that is shown', async () => {
      const { shop } = at();
      const { order, mug } = await sold();
      const { page, faults } = await openAt(at(), `orders/${order.id}`);
      await press(page, 'Refund');
      const layer = page.getByRole('dialog');
      await layer.getByText('The buyer gets back €0.00.').waitFor();
      await layer.getByRole('button', { name: 'Refund', exact: true }).click();
      await layer.getByText('Choose what is refunded, or enter another amount.').waitFor();
      await layer.getByRole('textbox', { name: 'Mug' }).fill('3');
      await layer.getByRole('button', { name: 'Refund', exact: true }).click();
      await layer.getByText('Enter a whole number from 0 to 2.').waitFor();
      await layer.getByRole('textbox', { name: 'Mug' }).fill('0');
      await layer.getByRole('button', { name: 'One more of Mug' }).click();
      await layer.getByText('The buyer gets back €10.00.').waitFor();
      // Not sent yet, so the item is still here.
      expect(await layer.getByLabel('Return these items to stock').isChecked()).toBe(true);
      await layer.getByLabel('Shipping').check();
      await layer.getByText('Stripe keeps its fees for the payment.').waitFor();
      await layer.getByRole('textbox', { name: 'Reason' }).fill('One mug was chipped.');
      expect(await axeFindings(page)).toEqual([]);
      await layer.getByRole('button', { name: 'Refund €14.90' }).click();
      await toast(page, '€14.90 refunded.');
      expect(await getOrder(shop, order.id)).toMatchObject({ refundedAmount: '14.90', status: 'paid' });
      expect(stub.refunds('stripe').at(-1)).toMatchObject({ amount: 1490n, status: 'succeeded' });
      expect(await stockOf(mug)).toBe(9);
      const one = refundsIn(page).getByRole('listitem').first();
      for (const text of ['€14.90', 'Done', '1 × Mug', 'Shipping', 'One mug was chipped.']) {
        await one.getByText(text, { exact: false }).first().waitFor();
      }
      await page.locator('.timeline').getByText('Refund requested').waitFor();
      expect(await axeFindings(page)).toEqual([]);

      // What went back is not offered again.
      await updateOrder(shop, order.id, { status: 'fulfilled' });
      await page.reload();
      await press(page, 'Refund');
      await layer.getByText('of 1', { exact: true }).first().waitFor();
      expect(await layer.getByLabel('Shipping').count()).toBe(0);
      await layer.getByRole('button', { name: 'One more of Plate' }).click();
      expect(await layer.getByLabel('Return these items to stock').isChecked()).toBe(false);
      await layer.getByRole('button', { name: 'Refund everything' }).click();
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      expect(await axeFindings(page)).toEqual([]);
      await layer.getByRole('button', { name: 'Refund €30.00' }).click();
      await toast(page, '€30.00 refunded.');
      expect(await getOrder(shop, order.id)).toMatchObject({ refundedAmount: '44.90', status: 'refunded' });
      expect(await stockOf(mug)).toBe(9);
      await refundsIn(page).getByText('Refunded in total: €44.90').waitFor();
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
    });

    it('whose answer is lost are made once, although the page has seen them meanwhile', async () => {
      const { shop } = at();
      const { order, mug } = await sold();
      const lines = [{ itemId: order.items[0]?.id ?? '', quantity: 1 }];
      await createFulfilment(shop, order.id, { lines });
      const { page } = await openAt(at(), `orders/${order.id}`);
      await press(page, 'Refund');
      const layer = page.getByRole('dialog');
      await layer.getByRole('button', { name: 'One more of Mug' }).click();
      expect(await layer.getByLabel('Return these items to stock').isChecked()).toBe(true);
      let lost = 0;
      await page.route('**/refund', async (route) => {
        if (lost++ > 0) return route.continue();
        await route.fetch();
        await route.abort();
      });
      const before = stub.refunds('stripe').length;
      await layer.getByRole('button', { name: 'Refund €10.00' }).click();
      await layer.locator('.notice.bad').waitFor();
      await layer.getByText('of 1', { exact: true }).first().waitFor();
      await layer.getByRole('button', { name: 'Refund €10.00' }).click();
      await toast(page, '€10.00 refunded.');
      expect(stub.refunds('stripe').length - before).toBe(1);
      expect(await getOrder(shop, order.id)).toMatchObject({ refundedAmount: '10.00' });
      expect(await stockOf(mug)).toBe(9);
    });

    it('that fail say why in plain words, and are tried again as new ones', async () => {
      const { shop } = at();
      const { order } = await sold();
      const { page, faults } = await openAt(at(), `orders/${order.id}`);
      await press(page, 'Refund');
      const layer = page.getByRole('dialog');
      const before = stub.refunds('stripe').length;
      stub.fault('stripe.refund', { status: 400, body: { error: { code: 'charge_disputed', message: 'Raw words.' } } });
      await layer.getByRole('button', { name: 'One more of Plate' }).click();
      await layer.getByRole('button', { name: 'Refund €20.00' }).click();
      await layer.getByText(/The refund was not made. The buyer has disputed the payment/).waitFor();
      expect(await layer.getByText('Raw words.').count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      await layer.getByRole('button', { name: 'Close' }).click();
      await refundsIn(page).getByText('Failed', { exact: true }).waitFor();
      await refundsIn(page).getByText('The buyer has disputed the payment.', { exact: false }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await press(page, 'Try again');
      expect(await layer.getByRole('textbox', { name: 'Plate' }).inputValue()).toBe('1');
      await layer.getByRole('button', { name: 'Refund €20.00' }).click();
      await toast(page, '€20.00 refunded.');
      expect(stub.refunds('stripe').length).toBe(before + 1);
      expect((await listRefunds(shop, order.id)).items).toMatchObject([{ amount: '20.00', status: 'succeeded' }]);
      expect((await listRefunds(shop, order.id, { status: 'failed' })).items).toHaveLength(1);
      expect(faults).toEqual([]);
    });

    it('are asked for once, also if the answer is lost and the button is pressed again', async () => {
      const { shop } = at();
      const { order } = await sold();
      const { page } = await openAt(at(), `orders/${order.id}`);
      const before = stub.refunds('stripe').length;
      let lost = 0;
      await page.route('**/refund', async (route) => {
        if (lost++ > 0) return route.fallback();
        await route.fetch();
        return route.abort();
      });
      await press(page, 'Refund');
      const layer = page.getByRole('dialog');
      await layer.getByLabel('Another amount').check();
      await layer.getByLabel('Amount in EUR').fill('100');
      await layer.getByRole('button', { name: 'Refund €100.00' }).click();
      await layer.getByText('Enter at most €44.90.').waitFor();
      await layer.getByLabel('Amount in EUR').fill('5');
      await layer.getByRole('button', { name: 'Refund €5.00' }).click();
      await layer.getByText('No connection').waitFor();
      await layer.getByRole('button', { name: 'Refund €5.00' }).click();
      await toast(page, '€5.00 refunded.');
      expect(lost).toBe(2);
      expect(stub.refunds('stripe').length).toBe(before + 1);
      expect((await getOrder(shop, order.id)).refundedAmount).toBe('5.00');
    });

    it('that the provider decides later are under way until then', async () => {
      const { shop } = at();
      const { order } = await sold();
      stub.planRefunds('stripe', 'pending');
      const { page, faults } = await openAt(at(), `orders/${order.id}`);
      await press(page, 'Refund');
      const layer = page.getByRole('dialog');
      await layer.getByRole('button', { name: 'One more of Mug' }).click();
      await layer.getByRole('button', { name: 'Refund €10.00' }).click();
      await toast(page, 'Refund of €10.00 is under way.');
      await refundsIn(page).getByText('Under way', { exact: true }).waitFor();
      await page.locator('.timeline').getByText('Refund of €10.00 is under way').waitFor();
      await press(page, 'Refund');
      await layer.getByText('A refund of €10.00 is under way.', { exact: false }).waitFor();
      await layer.getByRole('button', { name: 'One more of Mug' }).click();
      await layer.getByRole('button', { name: 'Refund €10.00' }).click();
      await layer.getByText('Another refund is still under way.', { exact: false }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await stub.decideRefund('stripe', stub.refunds('stripe').at(-1)?.refund ?? '', 'failed');
      await stub.settled();
      await page.goto(`${at().url}/dashboard/orders/${order.id}`);
      await refundsIn(page).getByText('Failed', { exact: true }).waitFor();
      await page.locator('.timeline').getByText('Refund failed').first().waitFor();
      expect((await getOrder(shop, order.id)).refundedAmount).toBe('0.00');
      expect(faults).toEqual([]);
    });

    it('are only recorded without the right to move money, or if no provider was paid', async () => {
      const { shop, ids } = at();
      const { order } = await sold();
      const key = await keyWith(shop, ['order.read', 'order.write', 'product.read', 'settings.read']);
      const { page, faults } = await at().pages.signedIn({ ...ids, key }, `orders/${order.id}`);
      await press(page, 'Record refund');
      const layer = page.getByRole('dialog');
      await layer.getByText('you do not have the permission for that', { exact: false }).waitFor();
      await layer.getByRole('button', { name: 'One more of Plate' }).click();
      await layer.getByRole('button', { name: 'Record refund' }).click();
      await toast(page, 'recorded');
      expect((await getOrder(shop, order.id)).refundedAmount).toBe('20.00');
      expect(faults).toEqual([]);

      const cash = await newOrder(shop, { title: 'Bowl' });
      await updateOrder(shop, cash.id, { status: 'cancelled' });
      const own = await openAt(at(), `orders/${cash.id}`);
      await press(own.page, 'Record refund');
      const form = own.page.getByRole('dialog');
      await form.getByText('the order was not paid through a provider', { exact: false }).waitFor();
      // Of a cancelled order, everything is to be given back; its items have come back.
      await form.getByText('The buyer gets back €20.00.').waitFor();
      expect(await form.getByLabel(/Return .* to stock/).count()).toBe(0);
      expect(await axeFindings(own.page)).toEqual([]);
      await form.getByRole('button', { name: 'Record refund' }).click();
      await toast(own.page, 'recorded');
      expect(await getOrder(shop, cash.id)).toMatchObject({ refundedAmount: '20.00', status: 'cancelled' });
      expect(own.faults).toEqual([]);
    });
  });

  it('Money that paid no order is given back', async () => {
    const { shop } = at();
    // The shop cancels it while the buyer pays.
    const { order } = await sold(async (id) => void (await updateOrder(shop, id, { status: 'cancelled' })));
    const [late] = (await listPayments(shop, { unmatched: true })).items;
    expect(late).toMatchObject({ matched: 'cancelledOrder', orderId: order.id });
    const { page, faults } = await openAt(at(), `payments/${late?.id}`);
    stub.fault('stripe.refund', { status: 403, body: { error: { code: 'more_permissions_required' } } });
    await press(page, 'Give it back');
    const layer = page.getByRole('dialog');
    await layer.getByText('At most €44.90').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await layer.getByRole('button', { name: 'Give it back' }).click();
    await layer.getByText(/may not make refunds/).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await widerBy(page)).toBeLessThanOrEqual(0);
    await layer.getByRole('button', { name: 'Give it back' }).click();
    await toast(page, '€44.90 given back.');
    await page.getByText('It was given back in full.').waitFor();
    expect(await page.getByRole('button', { name: 'Give it back' }).count()).toBe(0);
    expect(stub.refunds('stripe').at(-1)).toMatchObject({ amount: 4490n, status: 'succeeded' });
    expect((await listPayments(shop, { unmatched: true })).items).toEqual([]);
    expect(faults).toEqual([]);
  });
});
