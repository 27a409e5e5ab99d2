import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { browserNote, chromiumPath, startChromium } from '@commerce/test-support/harness/chromium';
import { DashboardPages, goByKeys, heading } from '@commerce/test-support/harness/dashboard';
import { commerceJson, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// A shop from its first start to its first refund. `commerce serve` starts as users start it, the dashboard handles all clicks, and the
// command line plays the payment provider.

const title = `Mug <img src=x onerror="window.hacked = 1">`;

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const toast = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).first().waitFor();

describe.skipIf(chromiumPath === undefined)(`a shop run from the dashboard${browserNote}`, () => {
  forOneStorage('from its first start', 'sqlite', (database) => {
    const media = mkdtempSync(join(tmpdir(), 'commerce-journey-'));
    let browser: Browser;
    let server: RunningServer;
    let subscriber: Awaited<ReturnType<typeof startSubscriber>>;
    const own = ['--db', database.address];

    beforeAll(async () => {
      subscriber = await startSubscriber(() => 204);
      browser = await startChromium();
      const flags = ['--name', 'Tea & Co', '--currency', 'EUR', '--media-dir', media, '--allow-insecure-webhooks'];
      server = await startServer(database.address, flags);
    });
    afterAll(async () => {
      await browser?.close();
      await server?.stop();
      await subscriber?.close();
      rmSync(media, { recursive: true, force: true });
    });

    it('makes a product with a picture, sells it, sends it, refunds it, and sees who was told', async () => {
      const pages = new DashboardPages(browser, server.url);
      const { page, faults, hosts } = await pages.open(`#code=${server.signInCode}`);
      await heading(page, 'Overview');
      await page.getByText('Tea & Co').first().waitFor();
      expect(page.url()).not.toContain('code');

      await page.goto(`${server.url}/dashboard/webhooks/new`);
      await page.getByLabel('URL').fill(subscriber.url);
      await page.getByLabel('Orders: all').check();
      await press(page, 'Save');
      await page.getByRole('dialog').getByRole('button', { name: 'I have saved it' }).click();
      await heading(page, 'Webhook');

      await goByKeys(page, 'p', 'Products');
      await page.getByRole('link', { name: 'Add your first product' }).click();
      await page.getByLabel('Title', { exact: true }).fill(title);
      await page.getByLabel('URL slug').fill('mug');
      await page.getByLabel('SKU', { exact: true }).fill('MUG');
      await page.getByLabel('Price in EUR').fill('12.50');
      await page.getByLabel('In stock').fill('7');
      await page.getByLabel('Status', { exact: true }).selectOption('published');
      await page
        .locator('.drop input[type=file]')
        .setInputFiles([{ name: 'mug.png', mimeType: 'image/png', buffer: await picture('png') }]);
      await page.getByRole('textbox', { name: 'Alt text of image 1' }).waitFor();
      // The service is busy for a moment: the typed text stays, and a second attempt works.
      let refusals = 1;
      await page.route('**/products', (route) =>
        route.request().method() === 'POST' && refusals-- > 0
          ? route.fulfill({
              status: 503,
              contentType: 'application/json',
              body: JSON.stringify({ error: { code: 'UNAVAILABLE', message: 'the database is busy' } }),
            })
          : route.continue(),
      );
      await press(page, 'Create product');
      await page.getByText('The server is busy').first().waitFor();
      await press(page, 'Create product');
      await toast(page, 'Product created.');
      await heading(page, title);

      await commerceJson([
        ...['payments', 'configure', '--provider', 'stripe', ...own],
        ...['--webhook-secret', 'whsec_of_the_journey_5f2b8e0c'],
      ]);
      const customer = { email: 'ada@example.com', name: 'Ada' };
      const file = JSON.stringify({ items: [{ sku: 'MUG', quantity: 2 }], customer });
      const { item } = await commerceJson(['orders', 'create', '--file', '-', ...own], file);
      await commerceJson([
        ...['payments', 'simulate', '--provider', 'stripe', '--order', item.orderNumber, ...own],
        ...['--server', server.url],
      ]);

      await page.getByRole('link', { name: 'Orders', exact: true }).click();
      await page
        .getByRole('row', { name: new RegExp(item.orderNumber) })
        .getByRole('link')
        .click();
      await heading(page, `Order ${item.orderNumber}`);
      await press(page, 'Mark as shipped');
      const layer = page.getByRole('dialog');
      await layer.getByLabel('Carrier').fill('DHL');
      await layer.getByRole('button', { name: 'Mark as shipped' }).click();
      await toast(page, 'marked as shipped');
      // Stripe cannot be asked: only its notifications are set up.
      await press(page, 'Refund');
      await layer.getByLabel('Only record it').check();
      await layer.getByLabel('Another amount').check();
      await layer.getByLabel('Amount in EUR').fill('12.50');
      await layer.getByRole('button', { name: 'Record refund' }).click();
      await toast(page, 'recorded');
      const { item: after } = await commerceJson(['orders', 'show', item.orderNumber, ...own]);
      expect(after).toMatchObject({ status: 'fulfilled', refundedAmount: '12.50', tracking: { carrier: 'DHL' } });

      const told = () => subscriber.received.map(({ body }) => JSON.parse(String(body)).event as string);
      await expect.poll(told).toEqual(expect.arrayContaining(['order.paid', 'order.fulfilled', 'order.refunded']));
      await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
      await page.getByRole('link', { name: new RegExp(subscriber.url.replace(/^https?:\/\//, '')) }).click();
      const delivered = page.getByRole('row', { name: /order\.refunded/ }).first();
      await delivered.getByText('Delivered').waitFor();
      await delivered.getByRole('link').click();
      await heading(page, 'Delivery: Order refunded');

      await press(page, 'Account and help');
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(page, 'Sign in');
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect([...hosts]).toEqual([server.url]);
      expect(faults).toEqual([]);
      await pages.close();
    });
  });
});
