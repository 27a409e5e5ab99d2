import {
  createOrder,
  getMailTemplate,
  getSettings,
  listMails,
  listMailTemplates,
  mailKinds,
  recordPayment,
  scopePresets,
  updateSettings,
} from '@commerce/core';
import { keyWith, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { axeFindings, heading, widerBy } from '@commerce/test-support/harness/dashboard';
import { type MailServer, startMailServer } from '@commerce/test-support/harness/mail-server';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// Mail in the dashboard: its settings, its texts, what was sent, and what was not.

const evil = '<img src=x onerror="window.hacked=1">';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const toast = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).waitFor();

forOneStorage('mail in the dashboard', 'sqlite', (database) => {
  const at = useDashboard(database, { smtpAllow: ['127.0.0.0/8'] });
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer({
      authOptional: true,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _, callback) =>
        password === 'right'
          ? callback(null, { user: username })
          : callback(Object.assign(new Error('5.7.8 Authentication failed'), { responseCode: 535 })),
    });
  });
  afterAll(() => server?.close());

  /** Another shop of the service, with a key of all scopes. */
  async function anotherShop() {
    const shop = await newShop(at().commerce);
    const ids = { storeId: shop.store.id, key: await keyWith(shop, scopePresets.full) };
    return { shop, ids, reopen: () => at().commerce.store(shop.store.id) };
  }

  /** A shop that sends mail through the server, and its paid order. */
  async function mailingShop() {
    const { shop, ids, reopen } = await anotherShop();
    await updateSettings(shop, {
      manualPayments: true,
      mail: { from: 'shop@shop.example', smtp: server.smtp },
    });
    const sending = await reopen();
    const product = await newProduct(sending, { title: evil, price: '10' });
    const order = await createOrder(sending, {
      items: [{ productId: product.id, quantity: 1 }],
      customer: { email: 'ada@shop.test', name: 'Ada' },
    });
    await recordPayment(sending, order.id, { method: 'cash', amount: order.total });
    return { shop: sending, ids, order };
  }

  describe('its settings', () => {
    it('are entered, refused in words, and tried with a test that says why it fails', async () => {
      const { shop, ids } = await anotherShop();
      const { page, faults } = await at().pages.signedIn(ids, 'settings?tab=mail');
      await page.getByText('No mail is sent until a sender and a mail server are saved.').waitFor();
      expect(await page.getByRole('button', { name: 'Send a test…' }).count()).toBe(0);
      await page.getByLabel('Mails come from').fill('nobody');
      await page.getByLabel('Server', { exact: true }).fill('10.0.0.1');
      await press(page, 'Save');
      await page.getByText('Enter an email address such as name@example.com.').waitFor();
      await page.getByLabel('Mails come from').fill('shop@shop.example');
      await press(page, 'Save');
      await page.getByText(/^This server is in a private network/).waitFor();
      const port = page.getByLabel('Port', { exact: true });
      expect(await port.inputValue()).toBe('587');
      await page.getByLabel('Encryption').selectOption('tls');
      expect(await port.inputValue()).toBe('465');
      await page.getByLabel('Encryption').selectOption('none');
      await page.getByLabel('Server', { exact: true }).fill('127.0.0.1');
      await port.fill(String(server.port));
      await page.getByLabel('User name').fill('shop');
      await page.getByLabel('Password').fill('a-wrong-password-of-the-shop');
      await page.getByLabel('Your address').fill('owner@shop.example');
      await page.getByLabel('Delivery notice').check();
      await page.getByLabel('Closing lines').fill(evil);
      await press(page, 'Save');
      await toast(page, 'Settings saved.');
      expect((await getSettings(shop)).mail).toMatchObject({
        from: 'shop@shop.example',
        replyTo: null,
        smtp: { host: '127.0.0.1', port: server.port, security: 'none', user: 'shop', password: { lastFour: 'shop' } },
        kinds: { 'order.delivered': true, 'order.confirmed': true },
        footer: evil,
      });
      await page.getByText('Saved, ends in shop.').waitFor();
      expect(await page.getByLabel('Password').inputValue()).toBe('');
      expect(await axeFindings(page)).toEqual([]);

      await press(page, 'Send a test…');
      const layer = page.getByRole('dialog');
      expect(await layer.getByLabel('To').inputValue()).toBe('owner@shop.example');
      await layer.getByRole('button', { name: 'Send', exact: true }).click();
      await layer.getByText('the mail server refused the user name or the password.').waitFor();
      const conversation = layer.getByRole('region', { name: 'What the servers said' });
      await conversation.getByText('535').waitFor();
      expect(await conversation.textContent()).not.toContain('wrong-password');
      expect(await axeFindings(page), 'the failed test').toEqual([]);
      await layer.getByRole('button', { name: 'Close', exact: true }).click();

      // Another server must not get the password.
      await page.getByLabel('User name').fill('other');
      await press(page, 'Save');
      await page.getByText(/^Enter the password again/).waitFor();
      await page.getByLabel('Password').fill('right');
      await press(page, 'Send a test…');
      await layer.getByText('Save your changes first to test them.', { exact: false }).waitFor();
      await layer.getByRole('button', { name: 'Close', exact: true }).click();
      await press(page, 'Save');
      await page.getByText('Saved. Leave empty to keep it.').waitFor();
      await press(page, 'Send a test…');
      server.refusals.push({ code: 550, words: '5.1.1 No such user' });
      await layer.getByLabel('To').fill('nobody@shop.test');
      await layer.getByRole('button', { name: 'Send', exact: true }).click();
      await layer.getByText('the mailbox does not exist, or takes no mail.').waitFor();
      await layer.getByLabel('To').fill('ada@shop.test');
      await layer.getByRole('button', { name: 'Send', exact: true }).click();
      await layer.getByText(/^The mail server took the test. Look into the mailbox of ada@shop.test/).waitFor();
      expect(server.arrived.splice(0).map(({ to }) => to)).toEqual([['ada@shop.test']]);
      await layer.getByRole('button', { name: 'Close', exact: true }).click();

      // Somebody else saves another sender meanwhile.
      await page.getByLabel('Mails come from').fill('mine@shop.example');
      const { mail } = await getSettings(shop);
      await updateSettings(shop, {
        mail: {
          ...mail,
          smtp: { host: '127.0.0.1', port: server.port, security: 'none', user: 'other' },
          from: 'theirs@shop.example',
        },
      });
      await press(page, 'Save');
      await page.getByRole('heading', { name: 'Someone else saved changes' }).waitFor();
      await layer.getByRole('button', { name: 'Save this version' }).click();
      await expect.poll(async () => (await getSettings(shop)).mail.from).toBe('mine@shop.example');
      await page.setViewportSize({ width: 320, height: 740 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
    });

    it('are told where they are missing, and tick a step of a new shop', async () => {
      const { shop, ids } = await anotherShop();
      const { page, faults } = await at().pages.signedIn(ids, '');
      const step = page.locator('.steps li', { hasText: 'Mail' });
      await step.getByText('Not done').waitFor();
      await page.getByRole('button', { name: 'Hide this list' }).click();
      await page.reload();
      await page.getByText('Customers and you receive no mails, because no mail server is set up.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'Set up mail' }).click();
      await page.getByLabel('Mails come from').waitFor();
      await updateSettings(shop, { mail: { from: 'shop@shop.example', smtp: server.smtp } });
      await page.goto(`${at().url}/dashboard`);
      await heading(page, 'Overview');
      await page.waitForLoadState('networkidle');
      expect(await page.getByText('no mail server is set up').count()).toBe(0);
      const key = await keyWith(shop, ['settings.read']);
      const reader = await at().pages.signedIn({ storeId: ids.storeId, key }, 'settings?tab=mail');
      await reader.page.getByText(`127.0.0.1:${server.port}`).waitFor();
      expect([...faults, ...reader.faults]).toEqual([]);
    });
  });

  describe('its texts', () => {
    it('are written with a preview, refused with line and column, and given up again', async () => {
      const { shop, ids } = await anotherShop();
      const { page, faults } = await at().pages.signedIn(ids, 'settings/mail-texts');
      await page.getByLabel('Language').selectOption('de');
      const row = page.getByRole('link', { name: /^Order confirmation/ });
      await row.getByText('Built-in wording').waitFor();
      expect(await page.locator('.mail-texts li').count()).toBe(mailKinds.length);
      expect(await axeFindings(page)).toEqual([]);
      await row.click();
      await heading(page, 'Order confirmation (German)');
      const frame = page.frameLocator('iframe[title="Preview of the mail"]');
      await frame.locator('body').filter({ hasText: /\S/ }).waitFor();
      // With its layout, although the policy of the page forbids attributes of style.
      const size = `(() => {
        const title = document.querySelector('.letter-frame')?.contentDocument?.querySelector('h1');
        return title && getComputedStyle(title).fontSize;
      })()`;
      await expect.poll(() => page.evaluate(size)).toBe('24px');
      const subject = page.getByLabel('Subject');
      const text = page.getByLabel('Text', { exact: true });
      await subject.fill('Danke ');
      await text.fill(`Guten Tag ${evil}`);
      const variables = (await getMailTemplate(shop, 'order.confirmed', 'de')).variables;
      if (variables.some(({ name }) => name === 'order.number')) {
        await subject.press('End');
        await press(page, 'Insert order.number');
        expect(await subject.inputValue()).toBe('Danke {{ order.number }}');
      }
      await frame.getByText('Guten Tag', { exact: false }).waitFor();
      await page.locator('.letter-subject', { hasText: 'Danke' }).waitFor();
      await press(page, 'Plain text');
      await page.locator('.letter-text', { hasText: 'Guten Tag' }).waitFor();
      await press(page, 'With layout');
      expect(await axeFindings(page)).toEqual([]);
      await press(page, 'Save');
      await toast(page, 'Text saved.');
      await page.getByText('Your text is sent.').waitFor();
      expect((await listMailTemplates(shop)).items).toMatchObject([{ kind: 'order.confirmed', locale: 'de' }]);

      await text.fill('Guten Tag\n{{ order.nmber }}');
      const wrong = page.getByText('Line 2, column 4: “order.nmber” does not exist.', { exact: false });
      await wrong.waitFor();
      expect(await text.getAttribute('aria-invalid')).toBe('true');
      await press(page, 'Save');
      await wrong.waitFor();
      await text.fill('Guten Tag\n{{ order.number');
      await page.getByText('Line 2, column 1: This cannot be read.', { exact: false }).waitFor();
      await press(page, 'Discard changes');
      expect(await text.inputValue()).toBe(`Guten Tag ${evil}`);

      await press(page, 'Back to the built-in wording');
      await press(page, 'Delete my text');
      await toast(page, 'The built-in wording is sent again.');
      await expect.poll(() => text.inputValue()).toBe('');
      expect((await listMailTemplates(shop)).items).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect(faults).toEqual([]);
    });
  });

  describe('a mail of an order', () => {
    it('is told in its history, opened, and sent again to another address', async () => {
      const { commerce } = at();
      const { shop, ids, order } = await mailingShop();
      server.refusals.push({ code: 550, words: '5.1.1 No such user' });
      await commerce.sendDueMails();
      const { page, faults } = await at().pages.signedIn(ids, `orders/${order.id}`);
      const history = page.locator('.timeline');
      const told = history.getByText(
        /^Order confirmation to .*ada@shop.test.* was not sent: the mailbox does not exist/,
      );
      await told.waitFor();
      await history.getByRole('button', { name: 'Send again…' }).click();
      const layer = page.getByRole('dialog');
      expect(await layer.getByLabel('To').inputValue()).toBe('ada@shop.test');
      await layer.getByLabel('To').fill('nowhere');
      await layer.getByRole('button', { name: 'Send', exact: true }).click();
      await layer.getByText('Enter an email address such as name@example.com.').waitFor();
      await layer.getByLabel('To').fill('ada@right.test');
      expect(await axeFindings(page)).toEqual([]);
      await layer.getByRole('button', { name: 'Send', exact: true }).click();
      await toast(page, 'Sending to ada@right.test.');
      await history.getByText(/^Order confirmation to .*ada@right.test.* is being sent/).waitFor();
      await commerce.sendDueMails();
      await history.getByText(/^Order confirmation sent to .*ada@right.test/).waitFor();
      expect(server.arrived.splice(0).map(({ to }) => to)).toEqual([['ada@right.test']]);
      expect(await axeFindings(page)).toEqual([]);

      await page.goto(`${at().url}/dashboard/mails?tab=failed`);
      await page
        .getByRole('row', { name: /ada@shop.test/ })
        .getByText('the mailbox does not exist', { exact: false })
        .waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'Order confirmation' }).click();
      await heading(page, 'Order confirmation');
      await page
        .getByRole('region', { name: 'Answer to attempt 1' })
        .getByText('No such user', { exact: false })
        .waitFor();
      await page
        .frameLocator('iframe[title="Preview of the mail"]')
        .locator('body')
        .filter({ hasText: /\S/ })
        .waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await widerBy(page)).toBeLessThanOrEqual(0);
      // It was sent again, so the overview does not ask for it; another one it does.
      const second = await createOrder(shop, {
        items: [{ productId: order.items[0]?.productId ?? '', quantity: 1 }],
        customer: { email: 'bob@shop.test', name: 'Bob' },
      });
      await recordPayment(shop, second.id, { method: 'cash', amount: second.total });
      server.refusals.push({ code: 550, words: '5.1.1 No such user' });
      await commerce.sendDueMails();
      expect((await listMails(shop, { status: 'failed' })).total).toBe(2);
      await page.goto(`${at().url}/dashboard`);
      await page.getByText('1 mail was not sent').waitFor();
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect(faults).toEqual([]);
    });
  });

  it('is left out for a key that may not see it', async () => {
    const { shop, order } = await mailingShop();
    const key = await keyWith(shop, ['order.read', 'settings.read']);
    const { page, faults } = await at().pages.signedIn({ storeId: shop.store.id, key }, `orders/${order.id}`);
    await heading(page, `Order ${order.orderNumber}`);
    expect(await page.getByRole('link', { name: 'Mails', exact: true }).count()).toBe(0);
    await page.goto(`${at().url}/dashboard/settings/mail-texts/order.confirmed/en`);
    await page.frameLocator('iframe[title="Preview of the mail"]').locator('body').filter({ hasText: /\S/ }).waitFor();
    expect(await page.getByLabel('Subject').count()).toBe(0);
    await page.goto(`${at().url}/dashboard/mails`);
    await page.getByText('view mails', { exact: false }).waitFor();
    expect(faults).toEqual([]);
  });
});
