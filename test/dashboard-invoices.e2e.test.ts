import { readFile } from 'node:fs/promises';
import {
  type Context,
  createOrder,
  getOrder,
  issueInvoice,
  listInvoices,
  type Order,
  recordPayment,
  refundOrder,
  scopePresets,
  updateOrder,
  updateSettings,
} from '@commerce/core';
import { type DashboardShop, keyWith, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { axeFindings, goByKeys, heading, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Download, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

// Invoices and taxes in the dashboard: those of an order, the list of all, and what a tax return asks for.

const evil = '<img src=x onerror="window.hacked=1">';

const seller = { name: 'Tea & Co Ltd', address: '12 St James Square\nLondon', email: 'hello@shop.test' };

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const toast = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).waitFor();

/** The file that a button saves. */
async function saved(page: Page, name: string): Promise<Download> {
  const download = page.waitForEvent('download');
  await press(page, name);
  return download;
}

/** The lines of a CSV file, without its byte order mark. */
async function linesOf(file: Download): Promise<string[]> {
  return (await readFile(await file.path(), 'utf8')).replace('\uFEFF', '').trimEnd().split('\r\n');
}

/** The middle of the quarter that is so many quarters before that of today, in UTC. */
function quarterBefore(count: number): { name: string; days: string; middle: string } {
  const now = new Date();
  const first = new Date(Date.UTC(now.getUTCFullYear(), (Math.floor(now.getUTCMonth() / 3) - count) * 3, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 3, 0));
  const middle = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 15, 12));
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return {
    name: `Q${first.getUTCMonth() / 3 + 1} ${first.getUTCFullYear()}`,
    days: `${day(first)}-${day(last)}`,
    middle: middle.toISOString(),
  };
}

forOneStorage('invoices in the dashboard', 'sqlite', (database) => {
  const at = useDashboard(database);

  /** A shop that sells at 19 % in Germany and 20 % in Austria. */
  async function taxedShop(currency = 'EUR') {
    const shop = await newShop(at().commerce, currency);
    await updateSettings(shop, {
      ...{ country: 'DE', timeZone: 'UTC', taxIncluded: true, manualPayments: true },
      taxes: {
        scope: 'destination',
        rates: [
          { country: 'DE', rate: '0.19', name: 'VAT' },
          { country: 'AT', rate: '0.2', name: 'VAT' },
        ],
      },
    });
    const ids: DashboardShop['ids'] = { storeId: shop.store.id, key: await keyWith(shop, scopePresets.full) };
    return { shop, ids };
  }

  async function newOrder(shop: Context, country = 'DE'): Promise<Order> {
    const product = await newProduct(shop, { title: 'Teapot', price: country === 'AT' ? '12' : '119' });
    return createOrder(shop, {
      items: [{ productId: product.id, quantity: 1 }],
      customer: { email: 'ada@shop.test', name: 'Ada' },
      billingAddress: { firstName: evil, address1: 'Am Markt 1', city: 'Berlin', country },
      shippingAddress: { firstName: 'Ada', address1: 'Am Markt 1', city: 'Berlin', country },
    });
  }

  async function paidOrder(shop: Context, country?: string, paidAt?: string): Promise<Order> {
    const order = await newOrder(shop, country);
    await recordPayment(shop, order.id, { method: 'cash', amount: order.total, ...(paidAt ? { paidAt } : {}) });
    return getOrder(shop, order.id);
  }

  describe('of an order', () => {
    it('are written by hand, saved as PDF, and refused in words', async () => {
      const { shop, ids } = await taxedShop();
      const order = await paidOrder(shop);
      const { page, faults } = await at().pages.signedIn(ids, `orders/${order.id}`);
      const section = page.getByRole('region', { name: 'Invoices', exact: true });
      await page.getByRole('region', { name: 'History' }).getByText('Payment of').first().waitFor();
      expect(await section.count(), 'a shop without a seller has nothing to do with invoices').toBe(0);

      await updateSettings(shop, { seller });
      await page.reload();
      await section.getByText('This order has no invoice yet.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      // Someone else cancels the order first.
      const other = await paidOrder(shop);
      const late = await at().pages.signedIn(ids, `orders/${other.id}`);
      await late.page.getByRole('button', { name: 'Write the invoice now' }).waitFor();
      await updateOrder(shop, other.id, { status: 'cancelled' });
      await press(late.page, 'Write the invoice now');
      await toast(late.page, /Only an order that is paid or placed gets an invoice/);
      await expect.poll(() => late.page.getByRole('button', { name: 'Write the invoice now' }).count()).toBe(0);

      await press(page, 'Write the invoice now');
      await section.locator('li').waitFor();
      const number = (await listInvoices(shop)).items[0]?.number ?? '';
      await toast(page, `Invoice ${number} written.`);
      await section.getByText(number).waitFor();
      expect(await section.textContent()).toContain('€119.00');
      await page.getByRole('region', { name: 'History' }).getByText(`Invoice ${number} of €119.00 written`).waitFor();
      const file = await saved(page, `PDF of ${number}`);
      expect(file.suggestedFilename()).toBe(`${number}.pdf`);
      expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');

      await refundOrder(shop, order.id, { amount: '19.00', refundId: 'r-1' });
      await page.reload();
      const lines = section.locator('li');
      await expect.poll(() => lines.count()).toBe(2);
      expect(await lines.first().textContent()).toMatch(new RegExp(`Credit note.*for ${number}.*€19\\.00`));
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 740 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      expect([...faults, ...late.faults]).toEqual([]);
    });

    it('are only read by a key that only reads', async () => {
      const { shop, ids } = await taxedShop();
      await updateSettings(shop, { seller });
      const order = await paidOrder(shop);
      const reader = { ...ids, key: await keyWith(shop, scopePresets.read) };
      const { page, faults } = await at().pages.signedIn(reader, `orders/${order.id}`);
      await page.getByRole('region', { name: 'History' }).getByText('Payment of').first().waitFor();
      expect(await page.getByRole('region', { name: 'Invoices', exact: true }).count()).toBe(0);
      await issueInvoice(shop, order.id);
      await page.reload();
      await page.getByRole('button', { name: 'PDF of' }).waitFor();
      expect(await page.getByRole('button', { name: 'Write the invoice now' }).count()).toBe(0);
      expect(faults).toEqual([]);
    });
  });

  it('are listed by kind, day and number, and saved as one CSV file', async () => {
    const { shop, ids } = await taxedShop();
    const { page, faults } = await at().pages.signedIn(ids, 'orders');
    await goByKeys(page, 'v', 'Invoices');
    await page.getByText('No invoices yet').waitFor();
    await page.getByRole('link', { name: 'Set up invoices' }).waitFor();
    await page.getByText('commerce invoices export invoices.zip').waitFor();

    await updateSettings(shop, { seller, invoices: { enabled: true } });
    const german = await paidOrder(shop);
    const austrian = await paidOrder(shop, 'AT');
    await refundOrder(shop, german.id, { amount: '19.00', refundId: 'r-1' });
    await page.reload();
    const rows = page.locator('tbody tr[data-id]');
    await expect.poll(() => rows.count()).toBe(3);
    const { items } = await listInvoices(shop);
    const [note, second, first] = items.map(({ number }) => number);
    expect(await rows.first().textContent()).toContain('Credit note');
    expect(await rows.first().textContent()).toContain('€19.00');
    expect(await page.locator('img[onerror]').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    const file = await saved(page, `PDF of ${second}`);
    expect(file.suggestedFilename()).toBe(`${second}.pdf`);

    await page.getByLabel('Kind').selectOption('Credit note');
    await expect.poll(() => rows.count()).toBe(1);
    const csv = await saved(page, 'Download CSV');
    expect(csv.suggestedFilename()).toBe('invoices.csv');
    const lines = await linesOf(csv);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(
      new RegExp(`^${note},Credit note,.*,${german.orderNumber},${first},.*,19.00,DE,VAT,19,15.97,3.03$`),
    );
    await press(page, 'Clear');
    await expect.poll(() => rows.count()).toBe(3);
    expect(await linesOf(await saved(page, 'Download CSV'))).toHaveLength(4);
    await page.getByRole('searchbox', { name: 'Invoice number' }).fill(second ?? '');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.first().textContent()).toContain(austrian.orderNumber);

    const today = new Date().toISOString().slice(0, 10);
    await page.goto(`${at().url}/dashboard/invoices?from=${today}&to=${today}`);
    await expect.poll(() => rows.count()).toBe(3);
    await page.goto(`${at().url}/dashboard/invoices?to=2025-01-01`);
    await page.getByText('No invoices match').waitFor();
    await page.goto(`${at().url}/dashboard/invoices`);
    await rows.nth(1).getByRole('link').first().click();
    await heading(page, `Order ${austrian.orderNumber}`);

    const phone = await at().pages.signedIn(ids, 'invoices', { viewport: { width: 390, height: 800 }, hasTouch: true });
    await expect.poll(() => phone.page.locator('tbody tr[data-id]').count()).toBe(3);
    expect(await widerBy(phone.page)).toBeLessThanOrEqual(0);
    expect(await axeFindings(phone.page)).toEqual([]);
    expect([...faults, ...phone.faults]).toEqual([]);
  });

  it('have their taxes by quarter, country and rate, less refunds', async () => {
    const { shop, ids } = await taxedShop('CHF');
    const last = quarterBefore(1);
    const current = quarterBefore(0);
    const german = await paidOrder(shop, 'DE', last.middle);
    await paidOrder(shop, 'AT', last.middle);
    await refundOrder(shop, german.id, { amount: '11.90', refundId: 'r-1' });
    const { page, faults } = await at().pages.signedIn(ids, 'statistics?view=taxes');
    await heading(page, 'Statistics');
    await page.getByText('these amounts are in CHF').waitFor();
    const quarter = page.getByLabel('Quarter');
    await quarter.selectOption(`Last quarter (${last.name})`);
    const rows = page.locator('.numbers tbody tr');
    const texts = async () => (await rows.allTextContents()).map((text) => text.replaceAll('\u00A0', ' '));
    await expect
      .poll(texts)
      .toEqual([
        'Austria20%1CHF 10.00CHF 2.00CHF 0.00CHF 0.00CHF 2.00',
        'Germany19%1CHF 100.00CHF 19.00CHF 0.00CHF 0.00CHF 19.00',
        'TotalCHF 110.00CHF 21.00CHF 0.00CHF 0.00CHF 21.00',
      ]);
    const csv = await saved(page, 'Download CSV');
    expect(csv.suggestedFilename()).toBe(`taxes-${last.days}.csv`);
    expect(await linesOf(csv)).toEqual([
      'Country,Country code,Rate in %,Orders,Sales without tax,Tax,Refunds without tax,Tax in refunds,Tax less refunds',
      'Austria,AT,20,1,10.00,2.00,0.00,0.00,2.00',
      'Germany,DE,19,1,100.00,19.00,0.00,0.00,19.00',
    ]);
    expect(await axeFindings(page)).toEqual([]);
    await quarter.selectOption(`This quarter (${current.name})`);
    await expect.poll(texts).toEqual(['Germany19%0CHF 0.00CHF 0.00CHF 10.00CHF 1.90-CHF 1.90']);
    expect(await quarter.locator('option').count()).toBe(9);
    await quarter.selectOption(quarterBefore(7).name);
    await page.getByText('No taxes in this period').waitFor();
    await quarter.selectOption('Other days');
    await expect.poll(texts).toHaveLength(1);
    expect(page.url()).not.toContain('period=');
    await page.setViewportSize({ width: 320, height: 740 });
    expect(await widerBy(page)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });
});
