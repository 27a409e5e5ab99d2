import {
  type Context,
  configureProvider,
  createApiKey,
  createCustomer,
  createDiscount,
  createOrder,
  createPage,
  createWebhook,
  deletePage,
  getCustomer,
  getOrder,
  getPaymentProvider,
  listApiKeys,
  listAuditLogs,
  listCustomers,
  listDeliveries,
  listDiscounts,
  listPages,
  listPayments,
  listWebhooks,
  openCommerce,
  revokeApiKey,
  type Scope,
  updateSettings,
} from '@commerce/core';
import { keyWith, newOrder, openAt, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { browserNote, chromiumPath } from '@commerce/test-support/harness/chromium';
import { axeFindings, heading, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage, openStorage } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The screens for a shop's desk, in a browser against a real service: money, customers, texts, keys, subscribers and settings.

const evil = `<img src=x onerror="window.hacked = 1"><script>window.hacked = 2</script>`;
/** What the page would contain if it had treated that as HTML. */
const harm = `[document.querySelectorAll('img[src=x]').length, typeof window.hacked]`;
const home = { address1: '12 St James Square', city: 'London', postalCode: 'SW1Y', country: 'GB' };

const toast = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).last().waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const choose = async (page: Page, item: string) => {
  await page.getByRole('button', { name: /^More (actions|to do)$/ }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const inLayer = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

/** Money at the provider that names no order. */
async function strayMoney(shop: Context, amount: number) {
  await configureStripe(shop);
  const { id, chargeSucceeded } = payment(null, amount);
  await send(shop, chargeSucceeded());
  const { items } = await listPayments(shop, { unmatched: true });
  const found = items.find(({ relatedIds, providerPaymentId }) =>
    [providerPaymentId, ...Object.values(relatedIds)].includes(id),
  );
  return found ?? expect.fail(`payment ${id} is not among the unmatched`);
}

describe.skipIf(chromiumPath === undefined)(`the desk of the dashboard${browserNote}`, () => {
  forOneStorage('used by a browser', 'sqlite', (database, dialect) => {
    const at = useDashboard(database, { allowInsecureWebhooks: true });
    let stopDelivery: (() => Promise<void>) | undefined;
    beforeAll(() => {
      stopDelivery = at().commerce.startDelivery({ interval: 100 });
    });
    afterAll(() => stopDelivery?.());

    it('names the secrets of the shop that the service cannot read', async () => {
      const { commerce, shop } = at();
      const other = await commerce.createStore({ name: 'Other', currency: 'EUR' });
      const sealing = await openCommerce({ storage: openStorage(database.address), secretKey: 'a key of the tests' });
      await configureProvider(await sealing.store(shop.store.id), 'stripe', { webhookSecret: 'whsec_sealed' });
      await configureProvider(await sealing.store(other.id), 'stripe', { webhookSecret: 'whsec_other' });
      await sealing.close();
      const { page, faults } = await openAt(at(), '');
      const names = page.getByRole('alert').getByRole('listitem');
      await names.first().waitFor();
      expect(await names.allTextContents()).toEqual(['Stripe']);
      await names.getByRole('link').click();
      await page.waitForURL(/payments\/providers\/stripe$/);
      expect(faults).toEqual([]);
      await configureStripe(shop);
    });

    it('applies money that found no order, after checks, and dismisses other money with a reason', async () => {
      const { shop } = at();
      const money = await strayMoney(shop, 2000);
      const order = await newOrder(shop, { paid: false, shippingAddress: { ...home, firstName: evil } });
      const dearer = await createOrder(shop, {
        items: [{ productId: (await newProduct(shop, { price: '21' })).id, quantity: 1 }],
      });
      const { page, faults } = await openAt(at(), 'payments');
      await page
        .getByRole('row', { name: /Stripe.*No order/ })
        .getByRole('link')
        .click();
      await page.getByText('No order of this shop matches it').waitFor();
      await press(page, 'Apply to an order');
      const layer = page.getByRole('dialog');
      // Orders of exactly this amount are found without a number.
      await layer.getByRole('button', { name: order.orderNumber }).waitFor();
      expect(await layer.getByRole('button', { name: dearer.orderNumber }).count()).toBe(0);
      await layer.getByLabel('Order number').fill('ORD-0');
      await inLayer(page, 'Find').click();
      await layer.getByText('No order has this number').waitFor();
      await layer.getByLabel('Order number').fill(dearer.orderNumber);
      await inLayer(page, 'Find').click();
      await layer.getByRole('button', { name: dearer.orderNumber }).click();
      await layer.getByText('The amounts are different').waitFor();
      await inLayer(page, `Mark order ${dearer.orderNumber} as paid`).click();
      await layer.getByRole('alert').getByText('This is not possible right now').waitFor();
      await inLayer(page, 'Choose another order').click();
      await layer.getByLabel('Order number').fill(order.orderNumber);
      await inLayer(page, 'Find').click();
      await layer.getByRole('button', { name: order.orderNumber }).click();
      await layer.getByText('The amounts are the same').waitFor();
      await inLayer(page, `Mark order ${order.orderNumber} as paid`).click();
      await toast(page, `Order ${order.orderNumber} is now paid.`);
      await page.getByRole('link', { name: order.orderNumber }).waitFor();
      expect((await listPayments(shop, { orderId: order.id })).items).toMatchObject([
        { id: money.id, matched: 'paid' },
      ]);

      const other = await strayMoney(shop, 700);
      await page.goto(`${at().url}/dashboard/payments/${other.id}`);
      await press(page, 'Dismiss…');
      await page.getByLabel('Reason').fill(evil);
      await inLayer(page, 'Dismiss').click();
      await toast(page, 'Payment dismissed.');
      await page.getByText('It was dismissed').waitFor();
      expect((await listPayments(shop, { unmatched: true })).total).toBe(0);
      await page.locator('main').getByRole('link', { name: 'audit log' }).click();
      await page
        .getByRole('row', { name: /payment\.dismissed/ })
        .getByText(evil.slice(0, 20))
        .waitFor();
      await page.goto(`${at().url}/dashboard/payments`);
      await page.getByText('All payments are matched').waitFor();
      await press(page, 'All payments');
      await page
        .locator('.filter', { hasText: /^Order/ })
        .locator('select')
        .selectOption('dismissed');
      await page.getByText('1 payment', { exact: true }).waitFor();
      expect(page.url()).toMatch(/tab=all&matched=dismissed$/);
      expect(faults).toEqual([]);
    });

    it('sets a provider up, and never sees its secrets again', async () => {
      const { shop, url, ids } = at();
      const secret = 'pp_client_secret_7d1f_9xYz';
      const { page, faults } = await openAt(at(), 'payments/providers');
      // The service would ask PayPal, which this machine may not reach.
      const error = { code: 'UNAVAILABLE', message: 'PayPal gave no answer' };
      await page.route(/\/payment-providers\/paypal\/(endpoint|disconnect)$/, (route) =>
        route.fulfill({ status: 503, json: { error } }),
      );
      await page.getByRole('link', { name: 'PayPal' }).click();
      await page.getByText(`${url}/api/webhooks/paypal/${ids.storeId}`).waitFor();
      await press(page, 'Save');
      await expect.poll(() => page.getByLabel('Client secret').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('Client ID').fill('pp_client_id_1234567890');
      await page.getByLabel('Client secret').fill(secret);
      await page.getByLabel('Webhook id').fill('8PT597110X687430LKGECATA');
      await page.getByLabel('Mode').selectOption({ label: 'Sandbox' });
      // A draft is saved shortly after the last key press; it contains everything except secrets.
      const kept = () => page.evaluate('JSON.stringify({ ...sessionStorage })') as Promise<string>;
      await expect.poll(kept).toContain('8PT597110X687430LKGECATA');
      expect(await kept()).not.toContain(secret);
      await press(page, 'Save');
      await toast(page, 'PayPal saved.');
      await page.getByText('Test mode').waitFor();
      await page.getByText('… 9xYz').waitFor();
      expect(await page.getByLabel('Client secret').inputValue()).toBe('');
      expect(await page.content()).not.toContain(secret);
      // Another field is changed, and the secret stays.
      await page.getByLabel('Merchant id').fill('MERCHANT1');
      await press(page, 'Save');
      await expect
        .poll(async () => (await getPaymentProvider(shop, 'paypal')).settings)
        .toMatchObject({ merchantId: 'MERCHANT1', clientSecret: { lastFour: '9xYz' } });
      await page.reload();
      await page.getByText('… 9xYz').waitFor();
      expect(await page.content()).not.toContain(secret);
      await choose(page, 'Remove PayPal');
      await page.getByText('Its keys and secrets are deleted').waitFor();
      await inLayer(page, 'Remove PayPal').click();
      // PayPal does not answer, so its endpoint stays.
      await toast(page, 'PayPal removed here');
      await expect(getPaymentProvider(shop, 'paypal')).rejects.toMatchObject({ kind: 'notFound' });
      expect(faults).toEqual([]);
    });

    it('shows the subscribers of the application, and what their handlers threw, as text', async () => {
      const { commerce, shop } = at();
      const quiet = await openAt(at(), 'webhooks');
      await quiet.page.getByRole('button', { name: 'All deliveries' }).waitFor();
      expect(await quiet.page.getByText('Application', { exact: true }).count()).toBe(0);
      await commerce.on('page.deleted', () => Promise.reject(new Error(evil)), { name: 'mirror' });
      try {
        await deletePage(shop, (await createPage(shop, { title: 'P', slug: 'of-the-application' })).id);
        const { page, faults } = await openAt(at(), 'webhooks');
        await page.getByText('Application', { exact: true }).click();
        await page.getByRole('link', { name: 'mirror' }).click();
        await heading(page, 'mirror');
        await page.getByText(evil).waitFor();
        await page.getByText('page.deleted').waitFor();
        expect(await page.evaluate(harm)).toEqual([0, 'undefined']);
        expect(await axeFindings(page)).toEqual([]);
        expect(faults).toEqual([]);
      } finally {
        await commerce.forgetSubscriber('mirror');
      }
    });

    it('makes a subscription, sees a delivery fail and another succeed, and shows answers as text', async () => {
      const { shop } = at();
      let status = 500;
      const subscriber = await startSubscriber(() => (response) => {
        response.writeHead(status, { 'Content-Type': 'text/html' }).end(evil);
      });
      try {
        const { page, faults } = await openAt(at(), 'webhooks');
        await page.getByRole('link', { name: 'New webhook' }).click();
        await page.getByLabel('URL').fill(subscriber.url);
        await press(page, 'Save');
        await page.locator('.checks').locator('.reason').waitFor();
        await page.getByLabel('Payments: all').check();
        await page.getByLabel('Orders: Paid').check();
        await page.getByLabel('Retries after').selectOption('0');
        await press(page, 'Save');
        const shown = await page.getByRole('dialog').locator('.shown-once code').textContent();
        // A value that is shown only once is not left by accident.
        await page.goBack();
        await page.getByRole('heading', { name: 'Leave without the secret?' }).waitFor();
        await inLayer(page, 'Stay').click();
        await inLayer(page, 'I have saved it').click();
        await heading(page, 'Webhook');
        const [webhook] = (await listWebhooks(shop)).items;
        expect(webhook).toMatchObject({ retries: 0, secret: shown });
        expect([...(webhook?.events ?? [])].sort()).toEqual([
          'order.paid',
          'payment.dismissed',
          'payment.disputed',
          'payment.unmatched',
        ]);
        await page.getByText('Order paid, Payments').waitFor();

        await press(page, 'Send test event');
        await heading(page, 'Delivery: Test event');
        await page.locator('.page-head').getByText('Failed').waitFor();
        await page.locator('.answer').getByText(evil).waitFor();
        const sent = await page.getByRole('region', { name: 'Formatted JSON' }).textContent();
        expect(JSON.parse(sent ?? '')).toEqual(JSON.parse(subscriber.received[0]?.body.toString() ?? ''));
        expect(await page.evaluate(harm)).toEqual([0, 'undefined']);
        status = 200;
        await press(page, 'Send again');
        await toast(page, 'Sending again.');
        await page.locator('.page-head').getByText('Delivered').waitFor();
        const id = webhook?.id ?? '';
        expect((await listDeliveries(shop, id, { status: 'succeeded' })).total).toBe(1);
        expect(subscriber.received).toHaveLength(2);
        await page.goto(`${at().url}/dashboard/webhooks?tab=failed`);
        await page
          .getByRole('row', { name: /webhook\.test.*HTTP 500/ })
          .getByRole('link')
          .click();
        await page.getByText('HTTP 500').first().waitFor();

        // A new secret, the missed events, and the switch.
        await page.getByRole('link', { name: 'Webhook', exact: true }).click();
        await choose(page, 'New secret…');
        await inLayer(page, 'Create new secret').click();
        const next = await page.getByRole('dialog').locator('.shown-once code').textContent();
        await inLayer(page, 'I have saved it').click();
        expect(next).not.toBe(shown);
        expect((await listWebhooks(shop)).items[0]?.secret).toBe(next);
        await press(page, 'Show');
        await page
          .locator('.secret')
          .getByText(next ?? '')
          .waitFor();
        await newOrder(shop);
        await expect.poll(() => subscriber.received.length).toBe(3);
        await choose(page, 'Send missed events…');
        await page.getByLabel('Include delivered events').check();
        await inLayer(page, 'Send events').click();
        await page
          .getByRole('dialog')
          .getByText(/being sent/)
          .waitFor();
        await inLayer(page, 'View deliveries').click();
        await press(page, 'Switch off');
        await toast(page, 'Webhook switched off.');
        await press(page, 'Switch on');
        await toast(page, 'Webhook switched on.');
        await choose(page, 'Delete');
        await page.getByText(/its log and secret are deleted/).waitFor();
        await inLayer(page, 'Delete').click();
        await toast(page, 'Webhook deleted.');
        expect((await listWebhooks(shop)).total).toBe(0);
        expect(faults).toEqual([]);
      } finally {
        await subscriber.close();
      }
    });

    it('makes a key with few scopes, signs in with it, and is told what it may not do', async () => {
      const { shop, pages, ids } = at();
      const { id: customerId } = await createCustomer(shop, { email: 'ada@shop.test', name: 'Ada' });
      const { page, faults } = await openAt(at(), 'keys/new');
      await press(page, 'Create API key');
      await page.locator('.checks').locator('.reason').waitFor();
      await page.getByLabel('Name').fill(`desk ${evil}`);
      await press(page, 'View everything');
      expect(await page.getByLabel('Orders: view').isChecked()).toBe(true);
      await press(page, 'None');
      await page.getByLabel('Customers: view').check();
      await page.getByLabel('API keys: view').check();
      await page.getByLabel('API keys: edit').check();
      await page.getByLabel('Expires').selectOption({ label: 'On a date…' });
      await press(page, 'Create API key');
      await page.getByText(/Without one, the key would never expire/).waitFor();
      await page.getByLabel('Expires').selectOption({ label: 'In 30 days' });
      await press(page, 'Create API key');
      const key = (await page.getByRole('dialog').locator('.shown-once code').textContent()) ?? '';
      expect(key).toMatch(/^ck_live_/);
      await inLayer(page, 'I have saved it').click();
      await heading(page, `desk ${evil}`);
      expect(await page.content()).not.toContain(key);
      const made = (await listApiKeys(shop, {})).items.find(({ prefix }) => key.startsWith(prefix));
      expect(made).toMatchObject({ scopes: ['customer.read', 'apiKey.read', 'apiKey.write'] });

      const few = await pages.signedIn({ storeId: ids.storeId, key }, `customers/${customerId}`);
      await heading(few.page, 'Ada');
      await few.page.getByText('order.read').waitFor();
      const links = few.page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');
      expect(await links.allTextContents()).toEqual(['Overview', 'Customers', 'API keys']);
      for (const name of ['Edit', 'More actions'])
        expect(await few.page.getByText(name, { exact: true }).count()).toBe(0);
      for (const [path, scope] of [
        ['settings', 'settings.read'],
        ['payments', 'payment.read'],
        ['payments/providers/stripe', 'settings.read'],
        [`customers/${customerId}/edit`, 'customer.write'],
        ['webhooks/new', 'webhook.read'],
        ['audit', 'auditLog.read'],
      ] as const) {
        await few.page.goto(`${at().url}/dashboard/${path}`);
        await few.page.getByText(scope, { exact: true }).first().waitFor();
        expect(await few.page.getByRole('button', { name: 'Save' }).count(), path).toBe(0);
      }
      // It can grant only its own permissions.
      await few.page.goto(`${at().url}/dashboard/keys/new`);
      await few.page.getByLabel('Customers: view').waitFor();
      expect(await few.page.getByRole('checkbox').count()).toBe(3);
      await few.page.getByLabel('Name').fill('child');
      await few.page.getByLabel('Customers: view').check();
      await press(few.page, 'Create API key');
      await inLayer(few.page, 'I have saved it').click();
      await heading(few.page, 'child');
      expect(await few.page.getByRole('button', { name: 'Revoke' }).count()).toBe(0);

      await page.reload();
      await press(page, 'Revoke');
      await page.getByText(/keys created with it are revoked too: child/).waitFor();
      await inLayer(page, 'Revoke').click();
      await toast(page, 'API key revoked.');
      const left = (await listApiKeys(shop, { limit: 200 })).items.map(({ name }) => name);
      expect(left).not.toContain('child');
      expect([...faults, ...few.faults]).toEqual([]);
    });

    it('asks for a key again when another tab has revoked it, and keeps what was typed', async () => {
      const { shop, pages, ids } = at();
      const key = await keyWith(shop, ['page.read', 'page.write']);
      const { page, faults } = await pages.signedIn({ storeId: ids.storeId, key }, 'pages/new');
      await page.getByLabel('Title', { exact: true }).fill('Über uns');
      await page.getByRole('textbox', { name: 'Content' }).fill(evil);
      expect(await page.getByLabel('URL slug').inputValue()).toBe('uber-uns');
      const { items } = await listApiKeys(shop, { limit: 200 });
      const other = await openAt(at(), `keys/${items.find(({ prefix }) => key.startsWith(prefix))?.id}`);
      await press(other.page, 'Revoke');
      await inLayer(other.page, 'Revoke').click();
      await toast(other.page, 'API key revoked.');
      await press(page, 'Save');
      await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
      await page.getByLabel('API key').fill(ids.key);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' });
      expect(await page.getByRole('textbox', { name: 'Content' }).inputValue()).toBe(evil);
      await press(page, 'Save');
      await toast(page, 'Page saved.');
      await heading(page, 'Über uns');
      expect((await listPages(shop)).items).toMatchObject([{ slug: 'uber-uns', content: evil, status: 'draft' }]);
      // A slug that the user typed stays.
      await page.getByLabel('URL slug').fill('About us');
      await press(page, 'Save');
      await expect.poll(() => page.getByLabel('URL slug').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('URL slug').fill('about-us');
      await page.locator('select[name=status]').selectOption('published');
      await press(page, 'Save');
      await page.locator('.page-head').getByText('Published').waitFor();
      await choose(page, 'Delete');
      await inLayer(page, 'Delete').click();
      await toast(page, 'Page deleted.');
      expect((await listPages(shop)).total).toBe(0);
      expect([...faults, ...other.faults]).toEqual([]);
    });

    it('keeps people and their addresses, and says what deleting and anonymising lose', async () => {
      const { shop } = at();
      const { page, faults } = await openAt(at(), 'customers/new');
      await page.getByRole('textbox', { name: 'Email' }).fill('nobody');
      await press(page, 'Add an address');
      await page.getByLabel('City').fill('Paris');
      await press(page, 'Save');
      await expect.poll(() => page.getByRole('textbox', { name: 'Email' }).getAttribute('aria-invalid')).toBe('true');
      await expect.poll(() => page.getByLabel('Country', { exact: true }).getAttribute('aria-invalid')).toBe('true');
      await page.getByRole('textbox', { name: 'Email' }).fill('grace@shop.test');
      await page.getByLabel('Name', { exact: true }).fill(evil);
      await page.getByLabel('Street and number').fill(evil);
      await page.getByLabel('Postal code').fill('75004');
      await page.getByLabel('Country', { exact: true }).selectOption('France');
      await page.getByLabel('Default address').check();
      await press(page, 'Save');
      await toast(page, 'Customer saved.');
      await heading(page, evil);
      const { items } = await listCustomers(shop, { email: 'grace@shop.test' });
      expect(items).toMatchObject([{ name: evil, addresses: [{ address1: evil, isDefault: true, region: null }] }]);
      const id = items[0]?.id ?? '';
      const { id: productId } = await newProduct(shop);
      const order = await createOrder(shop, { items: [{ productId, quantity: 1 }], customerId: id });
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Phone').first().fill('+33 1');
      await press(page, 'Save');
      await toast(page, 'Customer saved.');
      // The message of the first save can still be visible.
      await expect.poll(() => getCustomer(shop, id)).toMatchObject({ phone: '+33 1', addresses: [{ city: 'Paris' }] });
      await page.getByRole('link', { name: order.orderNumber }).waitFor();
      await choose(page, 'Delete');
      await page.getByText(/cannot be deleted; anonymise/).waitFor();
      await inLayer(page, 'Delete').click();
      await page
        .locator('.toasts')
        .getByText(/This is not possible right now/)
        .waitFor();
      await page.goto(`${at().url}/dashboard/customers?search=grace%40`);
      await page
        .getByRole('row', { name: /grace@shop\.test/ })
        .getByText(evil)
        .waitFor();
      await page.getByRole('searchbox', { name: 'Name, email or phone' }).fill('nobody at all');
      await page.getByText('No customers match').waitFor();
      await press(page, 'Clear filters');
      await page
        .getByRole('row', { name: /grace@shop\.test/ })
        .getByRole('link')
        .click();
      await choose(page, 'Anonymise…');
      await page.getByText(/permanently erased/).waitFor();
      await inLayer(page, 'Anonymise').click();
      await toast(page, 'Customer anonymised.');
      await page.getByText('No addresses').waitFor();
      expect(await getCustomer(shop, id)).toMatchObject({ name: null, phone: null, addresses: [] });
      expect((await getOrder(shop, order.id)).customerId).toBe(id);
      expect(faults).toEqual([]);
    });

    it('makes a discount code of the zone of the shop, and changes it', async () => {
      const { shop } = at();
      await updateSettings(shop, { timeZone: 'Asia/Tokyo' });
      const { page, faults } = await openAt(at(), 'discounts/new');
      await press(page, 'Generate');
      expect(await page.getByLabel('Code', { exact: true }).inputValue()).toMatch(/^\w{4}-\w{4}$/);
      await page.getByLabel('Code', { exact: true }).fill('two words');
      await page.getByLabel('Percentage').fill('10');
      await page.getByLabel('Usage limit').fill('often');
      await page.getByLabel('Starts').fill('2030-01-01T09:00');
      await press(page, 'Save');
      for (const label of ['Code', 'Usage limit']) {
        await expect.poll(() => page.getByLabel(label, { exact: true }).getAttribute('aria-invalid')).toBe('true');
      }
      await page.getByLabel('Code', { exact: true }).fill('TEN');
      await page.getByLabel('Usage limit').fill('');
      await press(page, 'Save');
      await heading(page, 'TEN');
      await page.getByText('Scheduled').waitFor();
      await page.getByLabel('Type').selectOption('amount');
      await page.getByLabel('Minimum order').fill('20');
      await page.getByText(/^\D10\.00 off orders from \D20\.00, starting Jan 1, 2030, 9:00\sAM\.$/).waitFor();
      await press(page, 'Save');
      await toast(page, 'Discount code saved.');
      await expect
        .poll(async () => (await listDiscounts(shop, { code: 'ten' })).items[0])
        .toMatchObject({ type: 'amount', value: '10.00', minSubtotal: '20.00', startsAt: '2030-01-01T00:00:00.000Z' });
      await choose(page, 'Delete');
      await inLayer(page, 'Delete').click();
      await toast(page, 'Discount code deleted.');
      expect((await listDiscounts(shop)).total).toBe(0);
      await updateSettings(shop, { timeZone: 'UTC' });
      expect(faults).toEqual([]);
    });

    it('tells who has changed what, by filters of the address', async () => {
      const { shop, pages, ids } = at();
      const writer = await createApiKey(shop, { name: `writer ${evil}`, scopes: ['settings.write'] });
      const byKey = await at().commerce.store(ids.storeId, {
        type: 'apiKey',
        id: writer.id,
        scopes: new Set<Scope>(['settings.write']),
      });
      await updateSettings(byKey, { name: evil });
      const { page, faults } = await openAt(at(), `audit?actorId=${writer.id}`);
      const row = page.getByRole('row', { name: /settings\.updated/ });
      await row.getByText(`writer ${evil}`).waitFor();
      await page.getByText('1 entry', { exact: true }).waitFor();
      expect(await page.getByLabel('API key or provider').inputValue()).toBe(writer.id);
      await row.getByRole('link').click();
      await page.locator('.changes del').getByText('Shop').waitFor();
      await page.locator('.changes ins').getByText(evil).waitFor();
      await page.goBack();
      await page.getByText('1 entry', { exact: true }).waitFor();
      await page.getByLabel('Action').fill('page.published');
      await page.keyboard.press('Enter');
      await page.getByText('No entries match').waitFor();
      expect(page.url()).toContain('action=page.published');
      // Without apiKey.read, the list shows no names of other keys.
      const reader = { storeId: ids.storeId, key: await keyWith(shop, ['auditLog.read']) };
      const few = await pages.signedIn(reader, `audit?actorId=${writer.id}`);
      await few.page.getByText(`API key …${writer.id.slice(-6)}`).waitFor();
      await updateSettings(shop, { name: 'Shop' });
      await revokeApiKey(shop, writer.id);
      expect((await listAuditLogs(shop, { actorId: writer.id })).total).toBe(1);
      expect([...faults, ...few.faults]).toEqual([]);
    });

    // The screens do not depend on the storage.
    it.skipIf(dialect !== 'sqlite').each([
      [390, 360],
      [1280, 768],
    ])(
      'has nothing that axe finds at %i pixels, in light and dark, and fits into %i',
      async (width, narrow) => {
        const { shop, pages, ids, url } = at();
        const suffix = String(width);
        const customer = await createCustomer(shop, {
          email: `${suffix}@shop.test`,
          name: evil,
          addresses: [{ ...home, company: evil, isDefault: true }],
        });
        const text = await createPage(shop, { title: evil, slug: `text-${suffix}`, content: evil });
        const discount = await createDiscount(shop, {
          code: `CODE${suffix}`,
          type: 'percent',
          value: '10',
          usageLimit: 3,
        });
        const money = await strayMoney(shop, 1234);
        const key = await createApiKey(shop, { name: evil, scopes: ['order.read'] });
        const subscriber = await startSubscriber(() => (response) => response.writeHead(500).end(evil));
        const webhook = await createWebhook(shop, {
          url: `${subscriber.url}/${suffix}`,
          events: ['page.*'],
          retries: 0,
        });
        await createPage(shop, { title: 'Imprint', slug: `imprint-${suffix}` });
        await expect.poll(async () => (await listDeliveries(shop, webhook.id, { status: 'failed' })).total).toBe(1);
        await subscriber.close();
        const [delivery] = (await listDeliveries(shop, webhook.id)).items;
        const [entry] = (await listAuditLogs(shop, { resourceType: 'store' })).items;
        const { page, faults } = await pages.signedIn(ids, '', { viewport: { width, height: 844 } });
        const look = async (path: string, seen: string | RegExp) => {
          await page.goto(`${url}/dashboard/${path}`);
          await page.locator('main').getByText(seen).filter({ visible: true }).first().waitFor();
          expect(await axeFindings(page), path).toEqual([]);
          expect(await page.evaluate(harm), path).toEqual([0, 'undefined']);
          expect(await widerBy(page), path).toBeLessThanOrEqual(0);
          await page.setViewportSize({ width: narrow, height: 740 });
          expect(await widerBy(page), `${path} at ${narrow}`).toBeLessThanOrEqual(0);
          await page.setViewportSize({ width, height: 844 });
        };
        await look('customers', evil);
        await look('customers?search=nobody', 'No customers match');
        await look(`customers/${customer.id}`, 'No orders yet');
        await look(`customers/${customer.id}/edit`, 'Receives the newsletter by email');
        await look('pages', evil);
        await look(`pages/${text.id}`, 'Customers see only published pages');
        await look('discounts', discount.code);
        await look(`discounts/${discount.id}`, 'Conditions');
        await look('payments', 'No order');
        await look('payments?tab=all', 'Succeeded');
        await look(`payments/${money.id}`, 'No order of this shop matches it');
        await press(page, 'Apply to an order');
        await page.getByText('Orders of exactly this amount').waitFor();
        expect(await axeFindings(page), 'the layer').toEqual([]);
        await look('payments/providers', 'Stripe');
        await look('payments/providers/square', 'Signature key');
        await look('webhooks', webhook.url);
        await look('webhooks?tab=failed', 'page.created');
        await look('webhooks/new', 'Orders');
        await look(`webhooks/${webhook.id}`, 'page.created');
        await look(`webhooks/${webhook.id}/deliveries/${delivery?.id}`, 'HTTP 500');
        await look('keys', evil);
        await look('keys/new', 'Audit log');
        await look(`keys/${key.id}`, 'Permissions');
        await look('audit', 'Customer created');
        await look(`audit/${entry?.id}`, 'Details');
        await look('settings', 'Time zone');
        await look('settings?tab=taxes', 'Prices and shipping include tax');
        await look('settings?tab=shipping', 'Shipping methods');
        await look('settings?tab=ways', 'Unpaid orders at a time');
        await look('settings?tab=checkout', 'Maximum quantity');
        await look('keys/none', 'Not found');
        await page.route('**/stores/*/settings', (route) => route.fulfill({ status: 500, json: {} }));
        await look('settings?', 'Could not load the settings');
        expect(faults).toEqual([]);
      },
      120_000,
    );
  });
});
