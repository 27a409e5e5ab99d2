import {
  createOrder,
  createWithdrawal,
  getOrder,
  getWithdrawal,
  listRefunds,
  matchWithdrawals,
  recordPayment,
  scopePresets,
  updateSettings,
  updateWithdrawal,
} from '@commerce/core';
import { keyWith, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { axeFindings, heading, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { runTransaction } from '../packages/core/src/storage/run.ts';

// Withdrawals in the dashboard: from the overview to the refund.

const evil = '<img src=x onerror="window.hacked=1">';
const day = 86_400_000;

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const toast = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).waitFor();

forOneStorage('withdrawals in the dashboard', 'sqlite', (database) => {
  const at = useDashboard(database);

  /** A shop with a paid order of Ada: two mugs and a bowl, with shipping. */
  async function soldShop() {
    const { commerce } = at();
    const shop = await newShop(commerce);
    await updateSettings(shop, { manualPayments: true, shippingMethods: [{ name: 'Post', price: '4.90' }] });
    const ids = { storeId: shop.store.id, key: await keyWith(shop, scopePresets.full) };
    const mug = await newProduct(shop, { title: 'Mug', sku: 'MUG', price: '10' });
    const bowl = await newProduct(shop, { title: evil, sku: 'BOWL', price: '20' });
    const order = await createOrder(shop, {
      items: [
        { productId: mug.id, quantity: 2 },
        { productId: bowl.id, quantity: 1 },
      ],
      shipping: '4.90',
      customer: { email: 'ada@shop.test', name: 'Ada' },
      shippingAddress: { firstName: 'Ada', lastName: 'Lovelace', city: 'London', country: 'GB' },
    });
    await recordPayment(shop, order.id, { method: 'cash', amount: order.total });
    return { shop, ids, mug, bowl, order: await getOrder(shop, order.id) };
  }

  const match = () => matchWithdrawals(at().commerce.engine);

  describe('a withdrawal', () => {
    it('leads from the overview to its order, whose refund is proposed, and is closed', async () => {
      const { shop, ids, mug, order } = await soldShop();
      const { id } = await createWithdrawal(shop, {
        name: `Ada ${evil}`,
        email: 'ada@shop.test',
        orderNumber: order.orderNumber,
        items: [{ productId: mug.id, quantity: 1 }],
        note: evil,
      });
      await match();
      const { page, faults } = await at().pages.signedIn(ids, '');
      const waiting = page.getByRole('link', { name: /^1 withdrawal to settle/ });
      await waiting.getByText(/^Refund the next one by/).waitFor();
      await waiting.click();
      await heading(page, 'Withdrawals');
      const row = page.getByRole('row', { name: /Ada/ });
      await row.getByText('To refund').waitFor();
      expect(await row.getByText('Late').count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      await row.getByRole('link').click();
      await heading(page, `Withdrawal of Ada ${evil}`);
      await page.locator('.withdrawn').getByText('Mug').waitFor();
      await page.getByRole('link', { name: order.orderNumber }).waitFor();
      expect(await axeFindings(page)).toEqual([]);

      await press(page, 'Refund…');
      const layer = page.getByRole('dialog');
      const pieces = layer
        .locator('.piece', { hasText: 'Mug' })
        .getByRole('textbox')
        .or(layer.locator('.piece', { hasText: 'Mug' }).getByRole('spinbutton'));
      await expect.poll(() => pieces.inputValue()).toBe('1');
      expect(await layer.getByLabel('Shipping').isChecked()).toBe(false);
      await layer
        .getByText(/10\.00 goes back|10\.00/)
        .first()
        .waitFor();
      await layer.getByRole('button', { name: 'Record refund' }).click();
      await expect
        .poll(async () => (await listRefunds(shop, order.id)).items.map(({ amount }) => amount))
        .toEqual(['10.00']);

      const note = page.getByLabel('Note, which customers do not see');
      await note.fill('The parcel is back.');
      await press(page, 'Save note');
      await toast(page, 'Note saved.');
      // Somebody else writes a note meanwhile.
      await note.fill('Mine');
      await updateWithdrawal(shop, id, { merchantNote: 'Theirs' });
      await press(page, 'Save note');
      await page.getByRole('heading', { name: 'Someone else saved changes' }).waitFor();
      await layer.getByRole('button', { name: 'Save this version' }).click();
      await expect.poll(async () => (await getWithdrawal(shop, id)).merchantNote).toBe('Mine');
      await press(page, 'Close withdrawal');
      await toast(page, 'Withdrawal closed.');
      expect(await getWithdrawal(shop, id)).toMatchObject({
        status: 'closed',
        merchantNote: 'Mine',
        orderId: order.id,
      });
      await press(page, 'Open again');
      await toast(page, 'Withdrawal opened again.');
      expect((await getWithdrawal(shop, id)).status).toBe('matched');

      await page.getByRole('link', { name: order.orderNumber }).click();
      await page
        .locator('.timeline')
        .getByText(/^Withdrawal by Ada/)
        .waitFor();
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect(faults).toEqual([]);
    });

    it('of a whole order without its number is late, is given its order, and proposes all with shipping', async () => {
      const { shop, ids, order } = await soldShop();
      const { id } = await createWithdrawal(shop, { name: 'Ada', email: 'other@shop.test', orderNumber: '#1001' });
      await match();
      expect((await getWithdrawal(shop, id)).status).toBe('received');
      const { page, faults } = await at().pages.signedIn(ids, 'withdrawals');
      await page.getByRole('row', { name: /Ada/ }).getByText('No order yet').waitFor();
      // As if it had come long ago.
      const before = await getWithdrawal(shop, id);
      const dueAt = new Date(Date.now() - day).toISOString();
      await runTransaction(shop.engine.storage, (db) =>
        db
          .updateTable('withdrawals')
          .set({ json: JSON.stringify({ ...before, dueAt }) })
          .where('id', '=', id)
          .execute(),
      );
      await page.goto(`${at().url}/dashboard/withdrawals`);
      await page.getByRole('row', { name: /Ada/ }).getByText('Late').waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      await page.getByRole('link', { name: 'Ada' }).click();
      await page.getByText('The time for the refund is over.').waitFor();
      await page.getByText('The whole order', { exact: true }).waitFor();
      await press(page, 'Choose the order…');
      const layer = page.getByRole('dialog');
      const number = layer.getByLabel('Order number');
      expect(await number.inputValue()).toBe('1001');
      await number.fill('9999');
      await layer.getByRole('button', { name: 'Find' }).click();
      await layer.getByText('There is no order with this number.').waitFor();
      await number.fill('1001');
      await layer.getByRole('button', { name: 'Find' }).click();
      const found = layer.getByRole('button', { name: new RegExp(order.orderNumber) });
      await found.waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await found.click();
      await toast(page, 'Order chosen.');
      expect(await getWithdrawal(shop, id)).toMatchObject({ status: 'matched', orderId: order.id });
      await page.getByText('All goods are withdrawn: shipping is chosen, too.', { exact: false }).waitFor();
      await press(page, 'Refund…');
      await expect.poll(() => layer.getByLabel('Shipping').isChecked()).toBe(true);
      await layer
        .getByText(/44\.90/)
        .first()
        .waitFor();
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      await layer.getByRole('button', { name: 'Record refund' }).click();
      await page.getByText('Everything of this order has been refunded.').waitFor();
      expect((await getOrder(shop, order.id)).refundedAmount).toBe('44.90');
      expect(faults).toEqual([]);
    });

    it('is only shown to a key that may read it', async () => {
      const { shop } = await soldShop();
      const { id } = await createWithdrawal(shop, { name: 'Ada', email: 'ada@shop.test', orderNumber: '1001' });
      const key = await keyWith(shop, ['withdrawal.read']);
      const { page, faults } = await at().pages.signedIn({ storeId: shop.store.id, key }, `withdrawals/${id}`);
      await heading(page, 'Withdrawal of Ada');
      await page.getByText('ada@shop.test').waitFor();
      expect(
        await page
          .locator('main')
          .getByRole('button', { name: /Close|Choose|Refund|Save/ })
          .count(),
      ).toBe(0);
      expect(faults).toEqual([]);
    });
  });
});
