import { createSignInCode, createStore, createUser, getUser, listUsers, updateUser } from '@commerce/core';
import { useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { browserNote, chromiumPath } from '@commerce/test-support/harness/chromium';
import { axeFindings, heading, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';

// People sign in, have roles, and manage their accounts, in a browser against a real service.

const password = 'nine cups and a kettle';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const toast = (page: Page, text: string) => page.locator('.toasts').getByText(text).waitFor();

async function signOut(page: Page): Promise<void> {
  await press(page, 'Account and help');
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await heading(page, 'Sign in');
}

async function enter(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(secret);
  await press(page, 'Sign in');
}

describe.skipIf(chromiumPath === undefined)(`people in the dashboard${browserNote}`, () => {
  forOneStorage('used by a browser', 'sqlite', (database) => {
    const at = useDashboard(database);
    /** Part of the e-mails, so that a second try of a test invites others. */
    let turn = 0;
    beforeEach(() => void turn++);

    it('make the first owner by a link, sign in with a password, and are in every tab', async () => {
      const { shop, pages, url } = at();
      const { page, faults } = await pages.open(`#code=${(await createSignInCode(shop)).code}`);
      await page.getByText('You signed in with a link that works only once.').waitFor();
      await page.getByRole('link', { name: 'Create your account' }).click();
      await heading(page, 'Your account');
      await page.getByLabel('Email').fill(`ada${turn}@shop.test`);
      await page.getByLabel('Name').fill('Ada Lovelace');
      await page.getByLabel('Password').fill('short');
      await press(page, 'Create your account');
      await page.locator('.reason').getByText('12').waitFor();
      await page.getByLabel('Password').fill('qwerty123456');
      await press(page, 'Create your account');
      await page.getByText('this one is easy to guess').waitFor();
      await page.getByLabel('Password').fill(password);
      await press(page, 'Create your account');
      await toast(page, 'Account created.');
      await page.getByText('Signed in with Ada Lovelace').waitFor();
      expect(await page.getByText('You signed in with a link').count()).toBe(0);

      const second = await page.context().newPage();
      await second.goto(`${url}/dashboard/orders`);
      await heading(second, 'Orders');
      await signOut(page);
      // The other tab knows at once.
      await heading(second, 'Sign in');
      await enter(page, `ada${turn}@shop.test`, 'not the password');
      await page.getByText('Email or password is wrong, or the account is disabled.').waitFor();
      await enter(page, `ADA${turn}@shop.test`);
      await page.locator('#main').waitFor();
      await heading(second, 'Orders');
      // What the tab shows is no secret.
      expect(await page.evaluate('({ ...localStorage, ...sessionStorage })')).toEqual({
        [`commerce.checklist.${shop.store.id}`]: 'open',
      });
      expect(faults).toEqual([]);
    });

    it('are invited with a role, by a link that is shown once', async () => {
      const { shop, pages } = at();
      const owner = await pages.open(
        `#code=${(await createUser(shop, { email: `owner${turn}@shop.test`, role: 'owner' })).code}`,
      );
      const { page } = owner;
      await page.getByText('You have no password or passkey yet').waitFor();
      await page.goto(`${at().url}/dashboard/people/new`);
      await page.getByLabel('Email').fill(`packing${turn}@shop.test`);
      await page.getByLabel('Name').fill('Bo');
      await page.getByLabel('Role').selectOption({ label: 'Fulfilment' });
      await page.getByText('Sends and refunds orders, and counts stock.').waitFor();
      await press(page, 'Invite person');
      const link = (await page.getByRole('dialog').locator('.shown-once code').textContent()) ?? '';
      expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/#code=/);
      await press(page, 'I have saved it');
      await heading(page, 'Bo');

      const invited = await pages.open(link.slice(link.indexOf('#')));
      await invited.page.locator('#main').waitFor();
      await invited.page.getByRole('link', { name: 'Set a password' }).click();
      await invited.page.getByLabel('New password').fill(password);
      await press(invited.page, 'Set password');
      await toast(invited.page, 'Password saved.');
      const names = await invited.page.getByRole('navigation').getByRole('link').allTextContents();
      expect(names.map((name) => name.trim())).toEqual(expect.arrayContaining(['Orders', 'Products']));
      for (const hidden of ['API keys', 'People', 'Discounts', 'Settings']) {
        expect(names.map((name) => name.trim())).not.toContain(hidden);
      }
      // The role is lowered while the page is open; the next request of it is refused.
      const { items } = await listUsers(shop);
      const bo = items.find(({ email }) => email === `packing${turn}@shop.test`)?.id ?? '';
      await page.reload();
      await page.getByLabel('Role').selectOption({ label: 'Viewer' });
      await press(page, 'Save');
      await toast(page, 'Person saved.');
      expect(await getUser(shop, bo)).toMatchObject({ role: 'reader', status: 'active' });
      await press(page, 'Disable');
      await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
      await toast(page, 'Account disabled.');
      await invited.page.getByRole('link', { name: 'Orders' }).first().click();
      await invited.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
      await press(page, 'Remove');
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await heading(page, 'People');
      expect((await listUsers(shop)).items.map(({ id }) => id)).not.toContain(bo);
      expect([...owner.faults, ...invited.faults]).toEqual([]);
    });

    it('sign in with a passkey, and see where they are signed in', async () => {
      const { shop, pages, url } = at();
      const { code, id } = await createUser(shop, { email: `key${turn}@shop.test`, name: 'Kim', role: 'manager' });
      const { page, faults } = await pages.open('account');
      const client = await page.context().newCDPSession(page);
      await client.send('WebAuthn.enable');
      await client.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
        },
      });
      // Browsers give passkeys to names alone.
      const local = url.replace('127.0.0.1', 'localhost');
      await page.goto(`${local}/dashboard/account#code=${code}`);
      await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
      await press(page, 'Add passkey');
      await page.getByRole('dialog').getByLabel('Name').fill('Work laptop');
      await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
      await toast(page, 'Passkey added.');
      await page.getByText('Work laptop').waitFor();
      await signOut(page);
      await press(page, 'Sign in with a passkey');
      await page.getByText('Signed in with Kim').waitFor();
      expect((await getUser(shop, id)).passkeys).toMatchObject([
        { name: 'Work laptop', lastUsedAt: expect.any(String) },
      ]);
      await page.goto(`${local}/dashboard/account`);
      await page.getByText('This browser').waitFor();
      await page.getByText('Chrome, Linux').first().waitFor();
      expect(faults).toEqual([]);
    });

    it('follow a link in a tab that shows the dashboard already', async () => {
      const { shop, pages, url } = at();
      const { page, faults } = await pages.open();
      await page.getByLabel('Email').waitFor();
      const { code } = await createUser(shop, { email: `tab${turn}@shop.test`, name: 'Toni', role: 'reader' });
      await page.goto(`${url}/dashboard#code=${code}`);
      await page.getByText('Signed in with Toni').waitFor();
      expect(page.url()).not.toContain('code');
      const next = await createUser(shop, { email: `next${turn}@shop.test`, name: 'Noa', role: 'reader' });
      await page.goto(`${page.url()}#code=${next.code}`);
      await page.getByText('The link can lead to another person or another shop.').waitFor();
      await press(page, 'Use the link');
      await page.getByText('Signed in with Noa').waitFor();
      expect(faults).toEqual([]);
    });

    it('choose the shop, if they work in several', async () => {
      const { shop, pages } = at();
      const other = await createStore(
        shop.engine,
        { type: 'embedder', id: null },
        { name: 'Second shop', currency: 'EUR' },
      );
      const email = `both${turn}@shop.test`;
      const second = { ...shop, store: other };
      for (const one of [shop, second]) {
        const { code } = await createUser(one, { email, role: 'manager' });
        const { page } = await pages.open(`account#code=${code}`);
        await page.getByLabel('New password').fill(password);
        await press(page, 'Set password');
        await toast(page, 'Password saved.');
      }
      const { page, faults } = await pages.open();
      await enter(page, email);
      await page.getByText('Which shop do you want to open?').waitFor();
      await press(page, 'Second shop');
      await page.locator('.store').getByText('Second shop').waitFor();
      expect(faults).toEqual([]);
    });

    it('go on after a session has ended, without losing what they typed', async () => {
      const { shop, pages } = at();
      const { code, id } = await createUser(shop, { email: `late${turn}@shop.test`, role: 'owner' });
      const { page, faults } = await pages.open(`account#code=${code}`);
      await page.getByLabel('New password').fill(password);
      await press(page, 'Set password');
      await toast(page, 'Password saved.');
      await page.goto(`${at().url}/dashboard/pages/new`);
      await page.getByLabel('Title', { exact: true }).fill('About us');
      await updateUser(shop, id, { status: 'disabled' });
      await updateUser(shop, id, { status: 'active' });
      await press(page, 'Save');
      const layer = page.getByRole('dialog', { name: 'Sign in again' });
      await layer.getByLabel('Password').fill(password);
      await layer.getByRole('button', { name: 'Sign in', exact: true }).click();
      await layer.waitFor({ state: 'hidden' });
      expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('About us');
      await press(page, 'Save');
      await heading(page, 'About us');
      expect(faults).toEqual([]);
    });

    it('find clean screens at every width', async () => {
      const { shop, pages } = at();
      const { code, id } = await createUser(shop, { email: `axe${turn}@shop.test`, role: 'owner' });
      const { page, faults } = await pages.open();
      await page.getByLabel('Email').waitFor();
      expect(await axeFindings(page, ['target-size'])).toEqual([]);
      await page.goto(`${at().url}/dashboard/account#code=${code}`);
      await heading(page, 'Your account');
      for (const [path, name] of [
        ['account', 'Your account'],
        ['people', 'People'],
        ['people/new', 'Invite person'],
        [`people/${id}`, `axe${turn}@shop.test`],
      ] as const) {
        await page.goto(`${at().url}/dashboard/${path}`);
        await heading(page, name);
        await page.locator('.skeleton').waitFor({ state: 'detached' });
        for (const width of [320, 1280]) {
          await page.setViewportSize({ width, height: 900 });
          expect([path, width, await widerBy(page)]).toEqual([path, width, 0]);
          expect([path, width, await axeFindings(page, ['target-size'])]).toEqual([path, width, []]);
        }
      }
      expect(faults).toEqual([]);
    });
  });
});
