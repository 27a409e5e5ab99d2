import { readFileSync } from 'node:fs';
import {
  createSignInCode,
  getOrder,
  getProduct,
  getSettings,
  listApiKeys,
  revokeApiKey,
  updateOrder,
  updateSettings,
} from '@commerce/core';
import { keyWith, newOrder, openAt, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { browserNote, chromiumPath } from '@commerce/test-support/harness/chromium';
import { axeFindings, goByKeys, heading, openKeyForm, signIn, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

// The built dashboard in a browser against a real service; the results are checked in the database.

const evil = `<img src=x onerror="window.hacked = 1"><script>window.hacked = 2</script>`;
const address = {
  firstName: evil,
  lastName: '‮Lovelace',
  address1: `${evil} 1`,
  city: 'Paris',
  postalCode: '75004',
  country: 'FR',
};

/** The contents of the browser's storage, and the address. */
const kept = (page: Page) =>
  page.evaluate('({ tab: { ...sessionStorage }, device: { ...localStorage }, url: location.href })') as Promise<{
    tab: Record<string, string>;
    device: Record<string, string>;
    url: string;
  }>;

const toast = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).waitFor();

describe.skipIf(chromiumPath === undefined)(`the dashboard${browserNote}`, () => {
  forOneStorage('used by a browser', 'sqlite', (database) => {
    const at = useDashboard(database);

    it('lets in whoever has a key, says why not, and forgets everything afterwards', async () => {
      const { ids, pages, url } = at();
      const { page, faults, hosts } = await pages.open('orders?tab=all');
      await openKeyForm(page);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('Enter the store ID.').waitFor();
      await page.getByLabel('Store ID').fill(ids.storeId);
      await page.getByLabel('API key').fill('ck_live_wrong');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('do not match, or the key was revoked').waitFor();
      await signIn(page, ids.storeId, ids.key);
      await heading(page, 'Orders');
      expect((await kept(page)).url).toBe(`${url}/dashboard/orders?tab=all`);
      expect(Object.keys((await kept(page)).device)).toEqual([]);
      await page.reload();
      await heading(page, 'Orders');
      await page.getByRole('button', { name: 'Account and help' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(page, 'Sign in');
      expect(await kept(page)).toMatchObject({ tab: {}, device: {} });
      await page.reload();
      await heading(page, 'Sign in');
      await openKeyForm(page);
      await page.getByLabel('Keep me signed in on this device').check();
      await signIn(page, ids.storeId, ids.key);
      expect(Object.keys((await kept(page)).device)).toEqual(['commerce.key']);
      expect([...hosts]).toEqual([url]);
      expect(faults).toEqual([]);
    });

    it('lets in by a link once, leaves no trace of it, and ends the session on signing out', async () => {
      const { shop, pages } = at();
      const { code } = await createSignInCode(shop);
      const { page, faults } = await pages.open(`#code=${code}`);
      await page.locator('#main').waitFor();
      expect(await kept(page)).toMatchObject({ tab: {}, device: {}, url: expect.not.stringContaining('code') });
      // Scripts cannot read the cookie.
      expect(await page.evaluate('document.cookie')).toBe('');
      expect(await page.context().cookies()).toMatchObject([{ name: 'commerce', httpOnly: true, sameSite: 'Strict' }]);
      await page.reload();
      await page.locator('#main').waitFor();
      await page.getByRole('button', { name: 'Account and help' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(page, 'Sign in');
      expect(await page.context().cookies()).toEqual([]);
      const again = await pages.open(`#code=${code}`);
      await again.page.getByText('This link was already used').waitFor();
      expect((await kept(again.page)).url).not.toContain('code');
      await signIn(again.page, at().ids.storeId, at().ids.key);
      // Users who are already signed in stay signed in.
      await again.page.goto(`${at().url}/dashboard/orders#code=${code}`);
      await again.page.getByRole('button', { name: 'Stay signed in' }).click();
      await heading(again.page, 'Orders');
      expect([...faults, ...again.faults]).toEqual([]);
    });

    it('leaves out what the key may not do, and says which scope a page needs', async () => {
      const { shop, pages, ids } = at();
      const { id, orderNumber } = await newOrder(shop);
      const reader = { storeId: ids.storeId, key: await keyWith(shop, ['order.read']) };
      const { page, faults } = await pages.signedIn(reader, `orders/${id}`);
      await heading(page, `Order ${orderNumber}`);
      await page.getByRole('heading', { name: 'Items (2)' }).waitFor();
      expect(await page.getByRole('button', { name: 'Mark as shipped' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Save note' }).count()).toBe(0);
      const other = await pages.signedIn(
        { storeId: ids.storeId, key: await keyWith(shop, ['product.read']) },
        'orders',
      );
      await other.page.getByText('order.read').waitFor();
      expect(await other.page.getByRole('link', { name: 'Orders' }).count()).toBe(0);
      expect([...faults, ...other.faults]).toEqual([]);
    });

    it('lists orders by views and filters of the address, and marks several as sent with a result for each', async () => {
      const { shop } = at();
      const orders = [await newOrder(shop), await newOrder(shop), await newOrder(shop)];
      const waiting = await newOrder(shop, { paid: false });
      const { page, faults } = await openAt(at(), 'orders');
      const row = (number: string) => page.getByRole('row', { name: new RegExp(number) });
      for (const { orderNumber } of orders) await row(orderNumber).waitFor();
      expect(await row(waiting.orderNumber).count()).toBe(0);
      await page.getByRole('button', { name: 'Unpaid' }).click();
      await row(waiting.orderNumber).waitFor();
      expect(page.url()).toContain('tab=pending');
      await page.getByRole('button', { name: 'All', exact: true }).click();
      await page.getByLabel('Status').selectOption('pending');
      await expect.poll(() => page.url()).toContain('status=pending');
      await expect.poll(() => row(orders[0]?.orderNumber ?? '').count()).toBe(0);
      await page.reload();
      await row(waiting.orderNumber).waitFor();
      expect(await page.getByLabel('Status').inputValue()).toBe('pending');
      await row(waiting.orderNumber).getByRole('link').click();
      await heading(page, `Order ${waiting.orderNumber}`);
      await page.goBack();
      await row(waiting.orderNumber).waitFor();
      expect(await page.getByLabel('Status').inputValue()).toBe('pending');

      await page.getByLabel('Created until').fill('2020-01-01');
      await page.getByText('No orders match').waitFor();
      expect(page.url()).toContain('until=2020-01-01');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await row(waiting.orderNumber).waitFor();
      expect(page.url()).toMatch(/orders\?tab=all$/);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export all' }).click(),
      ]);
      expect(readFileSync(await file.path(), 'utf8')).toContain(waiting.orderNumber);
      await page.goto(`${at().url}/dashboard/orders`);
      const box = (number: string) => page.getByLabel(`Select order ${number}`);
      await box(orders[2]?.orderNumber ?? '').click();
      await box(orders[0]?.orderNumber ?? '').click({ modifiers: ['Shift'] });
      await page.getByText('3 selected').waitFor();
      // Cancelled in the meantime, so it can no longer be sent.
      await updateOrder(shop, orders[1]?.id ?? '', { status: 'cancelled' });
      await page.getByRole('button', { name: 'Mark as shipped' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click();
      await page.getByRole('heading', { name: '2 done, 1 failed' }).waitFor();
      await page
        .getByRole('dialog')
        .getByText(orders[1]?.orderNumber ?? '')
        .waitFor();
      const states = await Promise.all(orders.map(async ({ id }) => (await getOrder(shop, id)).status));
      expect(states).toEqual(['fulfilled', 'cancelled', 'fulfilled']);
      expect(faults).toEqual([]);
    });

    it('sends an order with tracking, refunds it with its stock, and shows refusals at their fields', async () => {
      const { shop } = at();
      const order = await newOrder(shop, { shippingAddress: address });
      const { page, faults } = await openAt(at(), `orders/${order.id}`);
      await page.getByRole('button', { name: 'Mark as shipped' }).click();
      const layer = page.getByRole('dialog');
      await layer.getByLabel('Carrier').fill('DHL');
      await layer.getByLabel('Tracking link').fill('javascript:alert(1)');
      await layer.getByRole('button', { name: 'Mark as shipped' }).click();
      await expect.poll(() => layer.getByLabel('Tracking link').getAttribute('aria-invalid')).toBe('true');
      await layer.getByLabel('Tracking link').fill('https://follow.example/1');
      await layer.getByRole('button', { name: 'Mark as shipped' }).click();
      await toast(page, 'marked as shipped');
      const link = page.getByRole('link', { name: /follow\.example/ });
      await link.waitFor();
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
      expect(await getOrder(shop, order.id)).toMatchObject({ status: 'fulfilled', tracking: { carrier: 'DHL' } });

      const productId = order.items[0]?.productId ?? '';
      expect((await getProduct(shop, productId)).stock).toBe(8);
      await page.getByRole('button', { name: 'Record refund' }).click();
      await layer.getByLabel('Another amount').check();
      await layer.getByLabel('Amount in EUR').fill('21');
      await layer.getByRole('button', { name: 'Record refund' }).click();
      await expect.poll(() => layer.locator('.reason, .notice.bad[role=alert]').count()).toBeGreaterThan(0);
      await layer.getByLabel('Amount in EUR').fill('20');
      await layer.getByLabel('Return all items').check();
      await layer.getByRole('button', { name: 'Record refund' }).click();
      await toast(page, 'recorded');
      await page.getByRole('heading', { name: 'Refunds' }).waitFor();
      expect(await getOrder(shop, order.id)).toMatchObject({ status: 'refunded', refundedAmount: '20.00' });
      expect((await getProduct(shop, productId)).stock).toBe(10);
      expect(faults).toEqual([]);
    });

    it('takes a payment by hand, and cancels after saying what becomes of the stock', async () => {
      const { shop } = at();
      const order = await newOrder(shop, { paid: false });
      const { page, faults } = await openAt(at(), `orders/${order.id}`);
      await page.getByRole('button', { name: 'Record payment' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Record payment' }).click();
      await toast(page, 'recorded');
      await page.getByRole('button', { name: 'Mark as shipped' }).waitFor();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Cancel order' }).click();
      await page.getByText('The items go back into stock').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
      await toast(page, 'cancelled');
      expect((await getOrder(shop, order.id)).status).toBe('cancelled');
      expect((await getProduct(shop, order.items[0]?.productId ?? '')).stock).toBe(10);
      expect(faults).toEqual([]);
    });

    it('shows both versions of what two people have changed, and saves the one that is chosen', async () => {
      const { shop } = at();
      const { id } = await newOrder(shop);
      const { page, faults } = await openAt(at(), `orders/${id}`);
      const note = page.getByLabel('Only visible to your team');
      await note.fill('ring twice');
      await updateOrder(shop, id, { merchantNote: 'leave it at the door' });
      await page.keyboard.press('Control+s');
      await page.getByRole('heading', { name: 'Someone else saved changes' }).waitFor();
      const layer = page.getByRole('dialog');
      await layer.getByText('ring twice').waitFor();
      await layer.getByText('leave it at the door').waitFor();
      expect((await getOrder(shop, id)).merchantNote).toBe('leave it at the door');
      await layer.getByLabel('Yours').check();
      await layer.getByRole('button', { name: 'Save this' }).click();
      await toast(page, 'Note and tags saved.');
      expect((await getOrder(shop, id)).merchantNote).toBe('ring twice');
      expect(faults).toEqual([]);
    });

    it('saves a note of an order that was sent, here and elsewhere, meanwhile, without asking', async () => {
      const { shop } = at();
      const { id } = await newOrder(shop);
      const { page, faults } = await openAt(at(), `orders/${id}`);
      const note = page.getByLabel('Only visible to your team');
      await note.fill('first');
      await updateOrder(shop, id, { status: 'fulfilled' });
      await page.getByRole('button', { name: 'Save note' }).click();
      await toast(page, 'Note and tags saved.');
      expect(await getOrder(shop, id)).toMatchObject({ merchantNote: 'first', status: 'fulfilled' });
      const other = await newOrder(shop);
      await page.goto(`${at().url}/dashboard/orders/${other.id}`);
      await page.getByRole('button', { name: 'Mark as shipped' }).click();
      await updateOrder(shop, other.id, { merchantNote: 'look' });
      await page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click();
      await page.getByRole('dialog').getByText('This is not possible right now').waitFor();
      await expect.poll(() => note.inputValue()).toBe('look');
      await page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click();
      await toast(page, 'marked as shipped');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await note.fill('look twice');
      await page.keyboard.press('Control+s');
      await toast(page, 'Note and tags saved.');
      expect(await getOrder(shop, other.id)).toMatchObject({ merchantNote: 'look twice', status: 'fulfilled' });
      expect(faults).toEqual([]);
    });

    it('saves a note that is on its way while the order is read anew', async () => {
      const { shop } = at();
      const { id } = await newOrder(shop);
      const { page, faults } = await openAt(at(), `orders/${id}`);
      const send = page.getByRole('button', { name: 'Mark as shipped' });
      await send.click();
      let sent = () => {};
      const isSent = new Promise<void>((resolve) => {
        sent = resolve;
      });
      let notes = 0;
      await page.route(`**/orders/${id}`, async (route) => {
        if (route.request().method() === 'GET') await isSent;
        if (route.request().postData()?.includes('merchantNote') && ++notes === 1) {
          sent();
          await send.waitFor({ state: 'hidden' });
        }
        await route.continue();
      });
      await page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click();
      await toast(page, 'marked as shipped');
      await page.getByLabel('Only visible to your team').fill('look');
      await page.getByRole('button', { name: 'Save note' }).click();
      await toast(page, 'Note and tags saved.');
      expect(notes).toBe(2);
      expect(await getOrder(shop, id)).toMatchObject({ merchantNote: 'look', status: 'fulfilled' });
      expect(faults).toEqual([]);
    });

    it('asks before unsaved changes are left, keeps them, and offers them again', async () => {
      const { shop } = at();
      const { id, orderNumber } = await newOrder(shop);
      const { page, faults } = await openAt(at(), 'orders');
      await page.getByRole('link', { name: orderNumber }).click();
      const note = page.getByLabel('Only visible to your team');
      await note.fill('half a');
      await page.goBack();
      await page.getByRole('button', { name: 'Stay' }).click();
      expect(page.url()).toContain(id);
      expect(await note.inputValue()).toBe('half a');
      await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Orders' }).click();
      await page.getByRole('button', { name: 'Leave' }).click();
      await heading(page, 'Orders');
      await page.getByRole('link', { name: orderNumber }).click();
      await page.getByRole('button', { name: 'Restore' }).click();
      expect(await note.inputValue()).toBe('half a');
      // Another user has changed it since: both versions are shown, as after a save.
      await page.goBack();
      await page.getByRole('button', { name: 'Leave' }).click();
      await heading(page, 'Orders');
      await updateOrder(shop, id, { merchantNote: 'theirs' });
      await page.getByRole('link', { name: orderNumber }).click();
      await page.getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('heading', { name: 'Someone else saved changes' }).waitFor();
      await page.getByRole('button', { name: 'Back to the form' }).click();
      await page.goBack();
      await heading(page, 'Orders');
      expect(faults).toEqual([]);
    });

    it('asks for the key again above the form when it ends, and saves what was typed before', async () => {
      const { shop, pages, ids } = at();
      const { id } = await newOrder(shop);
      const key = await keyWith(shop, ['order.read', 'order.write']);
      const { page, faults } = await pages.signedIn({ storeId: ids.storeId, key }, `orders/${id}`);
      const note = page.getByLabel('Only visible to your team');
      await note.fill('typed before');
      const { items } = await listApiKeys(shop, { limit: 200 });
      await revokeApiKey(shop, items.find(({ prefix }) => key.startsWith(prefix))?.id ?? '');
      await page.getByRole('button', { name: 'Save note' }).click();
      await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
      expect((await kept(page)).tab['commerce.key']).toBe(undefined);
      await page.getByLabel('API key').fill(ids.key);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' });
      expect(await note.inputValue()).toBe('typed before');
      await page.getByRole('button', { name: 'Save note' }).click();
      await toast(page, 'Note and tags saved.');
      expect((await getOrder(shop, id)).merchantNote).toBe('typed before');
      expect(faults).toEqual([]);
    });

    it('shows what strangers have written as they wrote it', async () => {
      const { shop } = at();
      const order = await newOrder(shop, { title: evil, shippingAddress: address, customerNote: evil });
      await updateOrder(shop, order.id, { merchantNote: evil });
      const { page, faults } = await openAt(at(), `orders/${order.id}`);
      await page.locator('.lines').getByText(evil).waitFor();
      await page.locator('.buyer-note').getByText(evil).waitFor();
      await page.locator('.aside').getByText(evil).first().waitFor();
      await page.goto(`${at().url}/dashboard/orders/${order.id}/slip`);
      await page.locator('.slip').getByText(evil).first().waitFor();
      await page.goto(`${at().url}/dashboard/orders?tab=all`);
      await page.getByRole('table').getByText(evil).first().waitFor();
      expect(await page.evaluate(`[document.querySelectorAll('img[src="x"]').length, typeof window.hacked]`)).toEqual([
        0,
        'undefined',
      ]);
      expect(faults).toEqual([]);
      // What would have happened if the page had treated it as HTML.
      const tried = await page.evaluate(`(() => {
        try {
          document.createElement('div').innerHTML = '<b>x</b>';
          return 'made';
        } catch {
          return 'refused';
        }
      })()`);
      expect(tried).toBe('refused');
      await expect.poll(() => faults.some((fault) => fault.includes('require-trusted-types-for'))).toBe(true);
    });

    it('is used by the keyboard alone', async () => {
      const { shop } = at();
      const { orderNumber } = await newOrder(shop);
      const { page, faults } = await openAt(at(), '');
      await heading(page, 'Overview');
      await goByKeys(page, 'o', 'Orders');
      const focused = () => page.evaluate('document.activeElement.textContent') as Promise<string>;
      await expect.poll(focused).toBe('Orders');
      await page.getByRole('link', { name: orderNumber }).waitFor();
      await page.keyboard.press('j');
      await expect.poll(focused).toBe(orderNumber);
      await page.keyboard.press('x');
      await page.getByText('1 selected').waitFor();
      await page.keyboard.press('Enter');
      await heading(page, `Order ${orderNumber}`);
      await page.keyboard.press('?');
      await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });
      await page.keyboard.press('/');
      await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search');
      expect(faults).toEqual([]);
    });

    it('leaves the focus to whoever presses the next key in the moment in which a layer closes', async () => {
      const { page, faults } = await openAt(at(), '');
      await heading(page, 'Overview');
      await goByKeys(page, 'o', 'Orders');
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Orders');
      await page.keyboard.press('?');
      await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
      await page.evaluate(`(async () => {
        document.querySelector('dialog header button').click();
        while (document.querySelector('dialog')) await Promise.resolve();
        document.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
        for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
      })()`);
      expect(await page.evaluate('document.activeElement.type')).toBe('search');
      expect(faults).toEqual([]);
    });

    it('keeps the space behind a word for which the list has been searched already', async () => {
      const { page, faults } = await openAt(at(), 'products');
      await heading(page, 'Products');
      const field = page.locator('main').getByRole('searchbox');
      await field.pressSequentially('blue ');
      await page.waitForURL(/[?&]search=blue(&|$)/);
      await field.pressSequentially('mug');
      await page.waitForURL(/[?&]search=blue(\+|%20)mug/);
      expect(await field.inputValue()).toBe('blue mug');
      expect(faults).toEqual([]);
    });

    it('leaves the focus to somebody who types before a screen is drawn', async () => {
      const { page, faults } = await openAt(at(), 'orders');
      await heading(page, 'Orders');
      await page.evaluate('window.requestAnimationFrame = (run) => setTimeout(run, 700)');
      await goByKeys(page, 'p', 'Products');
      await page.keyboard.press('/');
      const focused = () => page.evaluate('document.activeElement.type');
      await expect.poll(focused).toBe('search');
      await page.waitForTimeout(1500);
      expect(await focused()).toBe('search');
      expect(faults).toEqual([]);
    });

    it('scrolls through a million rows, of which it draws and asks for those in sight alone', async () => {
      const { shop } = at();
      const order = await newOrder(shop);
      const { page, faults } = await openAt(at(), '');
      const offsets: number[] = [];
      const total = 1_000_000;
      await page.route('**/orders?*', (route) => {
        const asked = new URL(route.request().url()).searchParams;
        // The request of the overview.
        if (!asked.has('offset')) return route.continue();
        const offset = Number(asked.get('offset'));
        offsets.push(offset);
        const items = Array.from({ length: Math.min(Number(asked.get('limit')), total - offset) }, (_, i) => ({
          ...order,
          id: `row-${offset + i}`,
          orderNumber: `ORD-${offset + i + 1}`,
        }));
        return route.fulfill({ json: { items, total } });
      });
      await page.keyboard.press('g');
      await page.keyboard.press('o');
      await page.getByText('1,000,000 orders').waitFor();
      expect(offsets).toEqual([0]);
      const drawn = () => page.locator('tbody tr[data-id]').count();
      expect(await drawn()).toBeLessThan(60);
      await page.evaluate('scrollTo(0, document.querySelector("[data-id=row-0]").offsetHeight * 5000)');
      await page.getByRole('link', { name: 'ORD-5001', exact: true }).waitFor();
      expect(await drawn()).toBeLessThan(60);
      // Images that were only scrolled past are not requested.
      expect(offsets.length).toBeLessThanOrEqual(4);
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await page.getByRole('link', { name: 'ORD-10000', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByRole('link', { name: 'ORD-10001', exact: true }).waitFor();
      expect(page.url()).toContain('row=10001');
      await page.goto(`${at().url}/dashboard/orders?row=1000000`);
      await page.getByRole('link', { name: 'ORD-990001', exact: true }).waitFor();
      expect(faults).toEqual([]);
    });

    it('gives up an older search, and shows the answer to the newest alone', async () => {
      const { shop } = at();
      const order = await newOrder(shop);
      const { page, faults } = await openAt(at(), 'orders?tab=all');
      await page.getByRole('link', { name: order.orderNumber }).waitFor();
      const answer = (orderNumber: string) => ({ items: [{ ...order, orderNumber }], total: 1 });
      const asked: string[] = [];
      const answered: string[] = [];
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/orders?*', async (route) => {
        const search = new URL(route.request().url()).searchParams.get('search') ?? '';
        asked.push(search);
        if (search === 'ol') await held;
        await route.fulfill({ json: answer(`ORD-${search}`) }).catch(() => {});
        answered.push(search);
      });
      const box = page.getByLabel('Search: Order number');
      await box.fill('ol');
      await expect.poll(() => asked).toEqual(['ol']);
      await box.fill('new');
      await page.getByRole('link', { name: 'ORD-new' }).waitFor();
      release();
      await expect.poll(() => answered).toEqual(['new', 'ol']);
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      expect(await page.getByRole('link', { name: 'ORD-new' }).count()).toBe(1);
      expect(page.url()).toContain('search=new');
      expect(faults).toEqual([]);
    });

    it('locks a tab that nobody has touched for half an hour, and keeps what is open', async () => {
      const { shop, pages, ids } = at();
      const { id } = await newOrder(shop);
      const { page, faults } = await pages.open(`orders/${id}`);
      await page.clock.install();
      await page.reload();
      await signIn(page, ids.storeId, ids.key);
      const note = page.getByLabel('Only visible to your team');
      await note.fill('kept');
      await page.clock.fastForward('29:00');
      await page.clock.runFor(20_000);
      expect(await page.getByRole('heading', { name: 'Sign in again' }).count()).toBe(0);
      await page.clock.fastForward('02:00');
      await page.getByText('after 30 minutes without activity').waitFor();
      expect((await kept(page)).tab['commerce.key']).toBe(undefined);
      await page.getByLabel('API key').fill(ids.key);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'detached' });
      expect(await note.inputValue()).toBe('kept');
      expect(faults).toEqual([]);
    });

    it('revokes the key that came from a link when nobody has touched the tab for half an hour', async () => {
      const { shop, pages } = at();
      const { code } = await createSignInCode(shop);
      const before = new Set((await listApiKeys(shop, { limit: 200 })).items.map(({ id }) => id));
      const { page, faults } = await pages.open();
      // On plain HTTP elsewhere a browser keeps no session, so that the link gives a key.
      const elsewhere = at().url.replace('127.0.0.1', 'shop.test');
      await page.goto(`${elsewhere}/dashboard`);
      await page.getByText('This address is not encrypted').waitFor();
      await page.goto(`${elsewhere}/dashboard#code=${code}`);
      await page.locator('#main').waitFor();
      const own = async () => (await listApiKeys(shop, { limit: 200 })).items.filter(({ id }) => !before.has(id));
      expect(await own()).toMatchObject([{ name: 'Dashboard' }]);
      await page.clock.install();
      await page.reload();
      await page.locator('#main').waitFor();
      await page.clock.fastForward('31:00');
      await page.getByText('after 30 minutes without activity').waitFor();
      await expect.poll(own).toEqual([]);
      // Browsers take this header over TLS alone.
      expect(faults.filter((fault) => !fault.includes('Cross-Origin-Opener-Policy'))).toEqual([]);
    });

    it('keeps the colours and the switch of single keys that were chosen', async () => {
      const { page, faults } = await openAt(at(), '');
      const theme = () => page.evaluate('document.documentElement.dataset.theme') as Promise<string | undefined>;
      expect(await theme()).toBe(undefined);
      await page.getByRole('button', { name: 'Theme' }).click();
      await page.getByRole('button', { name: 'Theme' }).click();
      expect(await theme()).toBe('dark');
      await page.keyboard.press('?');
      await page.getByLabel('Use single-key shortcuts').uncheck();
      await page.keyboard.press('Escape');
      await page.reload();
      await heading(page, 'Overview');
      expect(await theme()).toBe('dark');
      await page.keyboard.press('g');
      await page.keyboard.press('o');
      await page.keyboard.press('?');
      await heading(page, 'Overview');
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(faults).toEqual([]);
    });

    it('says what is wrong when the service is, and goes on by itself', async () => {
      const { shop } = at();
      const { orderNumber } = await newOrder(shop);
      const { page, faults } = await openAt(at(), '');
      let refusals = 2;
      await page.route('**/orders?*', (route) => {
        if (refusals-- <= 0) return route.continue();
        const error = { error: { code: 'UNAVAILABLE', message: 'too much to do' } };
        return route.fulfill({ status: 503, headers: { 'Retry-After': '1', 'X-Request-Id': 'r-1' }, json: error });
      });
      await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Orders' }).click();
      await page.getByText('The server is busy').waitFor();
      await page.getByText('r-1').waitFor();
      await page.getByRole('link', { name: orderNumber }).waitFor();
      await page.unroute('**/orders?*');
      await page.route('**/orders/*', (route) => route.abort());
      await page.getByRole('link', { name: orderNumber }).click();
      await page.getByText('No connection').waitFor();
      await page.unroute('**/orders/*');
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByRole('heading', { name: 'Items (2)' }).waitFor();
      expect(faults).toEqual([]);
    });

    it('speaks the language of the browser or the chosen one, and takes amounts as it writes them', async () => {
      const { shop, pages, ids } = at();
      const order = await newOrder(shop, { shippingAddress: { ...address, address1: 'Rue 1' } });
      await updateSettings(shop, { taxRate: '0.081', shippingMethods: [{ name: 'Post', price: '4.9' }] });
      const { page, faults } = await pages.open('settings?tab=taxes', { locale: 'de-DE' });
      await page.getByRole('button', { name: 'Mit API-Schlüssel anmelden' }).click();
      await page.getByLabel('Shop-ID').fill(ids.storeId);
      await page.getByLabel('API-Schlüssel').fill(ids.key);
      await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
      await heading(page, 'Einstellungen');
      expect(await page.getByLabel('Steuersatz in %').inputValue()).toBe('8,1');
      await page.getByRole('button', { name: 'Versand', exact: true }).click();
      await page.getByRole('button', { name: 'Post bearbeiten' }).click();
      const price = page.getByLabel('Preis in EUR', { exact: true });
      expect(await price.inputValue()).toBe('4,90');
      const save = page.getByRole('button', { name: 'Speichern' });
      await price.fill('1,234');
      await save.click();
      await page.getByText('Bitte einen Betrag wie 48,50 eingeben.').waitFor();
      expect((await getSettings(shop)).shippingMethods).toMatchObject([{ price: '4.90' }]);
      await price.fill('1.234,5');
      await save.click();
      await toast(page, 'Versandarten gespeichert.');
      expect((await getSettings(shop)).shippingMethods).toMatchObject([{ price: '1234.50' }]);
      await page.getByText('1.234,50 €').first().waitFor();
      await page.goto(`${at().url}/dashboard/orders/${order.id}`);
      await heading(page, `Bestellung ${order.orderNumber}`);
      await page.locator('.aside').getByText('Frankreich').waitFor();
      await page.getByText('20,00 €').first().waitFor();
      await page.getByRole('button', { name: 'Erstattung erfassen' }).click();
      await page.getByLabel('Anderer Betrag').check();
      await page.getByLabel('Betrag in EUR').fill('12,50');
      await page.getByRole('dialog').getByRole('button', { name: 'Erstattung erfassen' }).click();
      await toast(page, 'erfasst');
      expect((await getOrder(shop, order.id)).refundedAmount).toBe('12.50');
      await page.getByRole('button', { name: 'Konto und Hilfe' }).click();
      await page.getByRole('menuitem', { name: 'English' }).click();
      await heading(page, `Order ${order.orderNumber}`);
      await page.reload();
      await heading(page, `Order ${order.orderNumber}`);
      expect(await page.evaluate('document.documentElement.lang')).toBe('en');
      expect(faults).toEqual([]);
    });

    it.each([360, 1280])('fits into %i pixels in German', async (width) => {
      const { shop, pages, ids } = at();
      const { id } = await newOrder(shop);
      const { page } = await pages.open('', { viewport: { width, height: 740 }, locale: 'de' });
      await page.getByRole('button', { name: 'Mit API-Schlüssel anmelden' }).click();
      await page.getByLabel('Shop-ID').fill(ids.storeId);
      await page.getByLabel('API-Schlüssel').fill(ids.key);
      await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
      for (const [path, title] of [
        ['', 'Übersicht'],
        ['orders', 'Bestellungen'],
        [`orders/${id}`, /^Bestellung /],
        ['customers/new', 'Kunde anlegen'],
        ['settings', 'Einstellungen'],
      ] as const) {
        await page.goto(`${at().url}/dashboard/${path}`);
        await heading(page, title);
        await expect.poll(() => page.locator('main .skeleton').count()).toBe(0);
        expect(await widerBy(page), path).toBeLessThanOrEqual(0);
      }
    });

    it.each([360, 1280])('has nothing that axe finds at %i pixels, in light and dark', async (width) => {
      const { shop, pages, ids } = at();
      const { id } = await newOrder(shop, { shippingAddress: address, customerNote: evil });
      const { page } = await pages.open('', { viewport: { width, height: 740 } });
      expect(await axeFindings(page)).toEqual([]);
      await signIn(page, ids.storeId, ids.key);
      const look = async (path: string, text: string | RegExp) => {
        await page.goto(`${at().url}/dashboard/${path}`);
        await page.locator('main').getByText(text).first().waitFor();
        expect(await axeFindings(page), path).toEqual([]);
        expect(await widerBy(page), path).toBeLessThanOrEqual(0);
      };
      await look('', 'Overview');
      await look('orders', /^\d+ orders?$/);
      await look('orders?tab=trouble', 'No failed payments');
      await look('orders?tab=all&status=pending&paymentStatus=succeeded', 'No orders match');
      await look(`orders/${id}`, 'Internal note');
      await page.getByRole('button', { name: 'Mark as shipped' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await axeFindings(page), 'the layer').toEqual([]);
      await look(`orders/${id}/slip`, 'Print');
      await look('orders/00000000-0000-4000-8000-000000000000', 'Not found');
      await look('nowhere', 'This page does not exist');
    });
  });
});
