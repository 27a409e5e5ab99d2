import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { browserNote, chromiumPath, startChromium } from '@commerce/test-support/harness/chromium';
import { DashboardPages, heading } from '@commerce/test-support/harness/dashboard';
import { commerceJson, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// Twenty jobs of an owner, from the first start of a shop to its figures, one after the other, without a command and without a provider.

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const toast = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).first().waitFor();

describe.skipIf(chromiumPath === undefined)(`the jobs of an owner${browserNote}`, () => {
  forOneStorage('from the first start', 'sqlite', (database) => {
    const media = mkdtempSync(join(tmpdir(), 'commerce-jobs-'));
    let browser: Browser;
    let server: RunningServer;
    const own = ['--db', database.address];

    beforeAll(async () => {
      browser = await startChromium();
      server = await startServer(database.address, ['--name', 'Tea & Co', '--currency', 'EUR', '--media-dir', media]);
    });
    afterAll(async () => {
      await browser?.close();
      await server?.stop();
      rmSync(media, { recursive: true, force: true });
    });

    it('are done in the dashboard, by clicks and keys', { timeout: 180_000 }, async () => {
      const pages = new DashboardPages(browser, server.url);
      const { page, faults } = await pages.open(`#code=${server.signInCode}`);
      const go = (path: string) => page.goto(`${server.url}/dashboard/${path}`);
      const saved = async (name: string) => {
        const [file] = await Promise.all([page.waitForEvent('download'), press(page, name)]);
        return readFileSync(await file.path(), 'utf8');
      };
      const layer = page.getByRole('dialog');

      // 1. Makes an account, so that the link is not needed again.
      await page.getByRole('link', { name: 'Create your account' }).click();
      await page.getByLabel('Email').fill('owner@shop.test');
      await page.getByLabel('Name').fill('Olive');
      await page.getByLabel('Password').fill('nine cups and a kettle');
      await press(page, 'Create your account');
      await toast(page, 'Account created.');
      await heading(page, 'Overview');
      await page.getByText('Set up your shop').waitFor();

      // 2. Says which tax the prices hold.
      await go('settings?tab=taxes');
      await page.getByLabel('Tax rate in %').fill('19');
      await page.getByLabel('Prices and shipping include tax').check();
      await press(page, 'Save');
      await toast(page, 'Settings saved.');

      // 3. Ships to two countries.
      await go('settings?tab=shipping');
      await press(page, 'Add a shipping method');
      const method = page.getByRole('dialog');
      await method.getByLabel('Name').fill('Parcel');
      await method.getByLabel('Price in').fill('4,90');
      for (const country of ['Germany', 'Austria']) {
        await method.getByRole('combobox', { name: 'Countries' }).fill(country);
        await page.getByRole('option', { name: country, exact: true }).click();
      }
      await method.getByRole('button', { name: 'Save' }).click();
      await toast(page, 'Shipping methods saved.');

      // 4. Takes bank transfers.
      await go('settings?tab=checkout');
      await page.getByLabel('Payments can be recorded manually').check();
      await press(page, 'Save');
      await toast(page, 'Settings saved.');

      // 5. Groups the catalogue.
      await go('categories/new');
      await page.getByLabel('Name', { exact: true }).fill('Mugs');
      await press(page, 'Create category');
      await toast(page, /Category/);

      // 6. Puts a product with a picture on sale.
      await go('products/new');
      await page.getByLabel('Title', { exact: true }).fill('Morning mug');
      await page.getByLabel('Price in EUR').fill('12.50');
      await page.getByLabel('In stock').fill('10');
      await page.getByLabel('Status', { exact: true }).selectOption('published');
      await page
        .locator('.drop input[type=file]')
        .setInputFiles([{ name: 'mug.png', mimeType: 'image/png', buffer: await picture('png') }]);
      await page.getByRole('textbox', { name: 'Alt text of image 1' }).waitFor();
      await press(page, 'Create product');
      await toast(page, 'Product created.');

      // 7. Sells it in two colours.
      const options = page.getByRole('region', { name: 'Options and variants' });
      await options.getByRole('button', { name: 'Add options such as size or color' }).click();
      await options.getByLabel('Option name').fill('Color');
      await options.getByLabel('New value of Color').fill('Red, Blue');
      await page.keyboard.press('Enter');
      await options.getByLabel('Stock of Blue').fill('5');
      await options.getByRole('button', { name: 'Save variants' }).click();
      await toast(page, /variants saved/);

      // 8. Raises the prices of everything that matches.
      await go('products');
      await page
        .getByLabel(/^Select Morning mug/)
        .first()
        .check();
      await press(page, 'Edit');
      await layer.getByLabel('Price', { exact: true }).selectOption('percent');
      await layer.getByLabel('Percentage').fill('+20');
      await layer.getByRole('button', { name: 'Apply', exact: true }).click();
      await expect
        .poll(async () =>
          (await commerceJson(['products', 'list', ...own])).items.map((one: { price: string }) => one.price),
        )
        .toEqual(['15.00', '15.00']);

      // 9. Gives a discount.
      await go('discounts/new');
      await page.getByLabel('Code', { exact: true }).fill('TEN');
      await page.getByLabel('Percentage').fill('10');
      await press(page, 'Save');
      await heading(page, 'TEN');

      // 10. Writes a page.
      await go('pages/new');
      await page.getByLabel('Title', { exact: true }).fill('Über uns');
      await page.getByRole('textbox', { name: 'Content', exact: true }).fill('We make **mugs**.');
      await press(page, 'Preview');
      await page.locator('strong').getByText('mugs').waitFor();
      await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('published');
      await press(page, 'Save');
      await heading(page, 'Über uns');

      // 11. Takes an order on the phone, 12. and its bank transfer.
      await go('orders/new');
      await page.getByRole('combobox', { name: 'Add a product' }).fill('mug');
      await page.getByRole('option', { name: /Blue/ }).click();
      await page.getByLabel(/^Quantity of /).fill('2');
      await page.getByRole('textbox', { name: 'Email' }).fill('ada@shop.test');
      await page.getByRole('textbox', { name: 'Last name' }).first().fill('Lovelace');
      await page.getByLabel('Country').selectOption({ label: 'Germany' });
      await page.getByText('€30.00').first().waitFor();
      await press(page, 'Record payment');
      await layer.getByRole('button', { name: 'Record payment' }).click();
      await toast(page, 'recorded');
      await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor();
      const number = (await page.getByRole('heading', { level: 1 }).textContent())?.replace('Order ', '') ?? '';

      // 13. Finds it again by what the buyer says.
      await go('orders?tab=all');
      await page.getByRole('searchbox').last().fill('lovelace');
      await page.getByRole('link', { name: number }).click();
      await heading(page, `Order ${number}`);

      // 14. Notes something for colleagues.
      await page.getByLabel('Note', { exact: true }).or(page.locator('textarea')).first().fill('Gift wrap, please');
      await press(page, 'Save note and tags');
      await toast(page, /[Nn]ote/);

      // 15. Sends it with a tracking number.
      await press(page, 'Mark as shipped');
      await layer.getByLabel('Carrier').fill('DHL');
      await layer.getByLabel('Tracking number').fill('JJD0001');
      await layer.getByRole('button', { name: 'Mark as shipped' }).click();
      await toast(page, 'marked as shipped');

      // 16. Records a refund of a part.
      await press(page, 'Record refund');
      await layer.getByLabel('Another amount').check();
      await layer.getByLabel('Amount in EUR').fill('5');
      await layer.getByRole('button', { name: 'Record refund' }).click();
      await toast(page, 'recorded');
      expect((await commerceJson(['orders', 'show', number, ...own])).item).toMatchObject({
        status: 'fulfilled',
        refundedAmount: '5.00',
        merchantNote: 'Gift wrap, please',
        tracking: { number: 'JJD0001' },
      });

      // 17. Looks up the customer.
      await go('customers');
      await page
        .getByRole('link', { name: /ada@shop\.test|Lovelace/ })
        .first()
        .click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('€29.90').first().waitFor();

      // 18. Gives the orders of the month to the accountant.
      await go('orders?tab=all');
      await page.getByRole('link', { name: number }).waitFor();
      expect(await saved('Export all')).toContain('ada@shop.test');

      // 19. Reads the figures of the year.
      await go('statistics');
      await page.getByText('€34.90').first().waitFor();
      expect(await saved('Download CSV')).toContain('34.90');

      // 20. Invites a colleague, and signs in tomorrow with the password.
      await go('people/new');
      await page.getByLabel('Email').fill('packing@shop.test');
      await page.getByLabel('Role').selectOption({ label: 'Fulfilment' });
      await press(page, 'Invite person');
      await layer.getByRole('button', { name: 'I have saved it' }).click();
      await heading(page, 'packing@shop.test');
      await press(page, 'Account and help');
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      // The page of the colleague has a field of the same name until the sign-in takes its place.
      await heading(page, 'Sign in');
      await page.getByLabel('Email').fill('owner@shop.test');
      await page.getByLabel('Password').fill('nine cups and a kettle');
      await press(page, 'Sign in');
      await page.getByText('Signed in with Olive').waitFor();
      expect(faults).toEqual([]);
      await pages.close();
    });
  });
});
