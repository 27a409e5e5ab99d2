import { Readable } from 'node:stream';
import {
  type Context,
  createMedia,
  createOrder,
  recordPayment,
  refundOrder,
  scopePresets,
  updateOrder,
  updateSettings,
} from '@commerce/core';
import { type DashboardShop, keyWith, newOrder, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { folderPlace } from '@commerce/test-support/fixtures/media-places';
import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { browserNote, chromiumPath } from '@commerce/test-support/harness/chromium';
import { axeFindings, goByKeys, heading, openKeyForm, widerBy } from '@commerce/test-support/harness/dashboard';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

// The navigation, the home and the numbers that change by themselves, in a browser against a real service.

const day = 86_400_000;

/** Another shop of the same service, with a key of all scopes. */
async function anotherShop({ commerce }: DashboardShop): Promise<{ shop: Context; ids: DashboardShop['ids'] }> {
  const shop = await newShop(commerce);
  return { shop, ids: { storeId: shop.store.id, key: await keyWith(shop, scopePresets.full) } };
}

async function pictureOf(shop: Context): Promise<string> {
  const content = Readable.from([await picture('png')]);
  const [media] = await createMedia(shop, [{ fileName: 'a.png', mimeType: 'image/png', content }]);
  return media?.id ?? expect.fail('the picture was not stored');
}

/** A shop that has sold: 40.00 in the last thirty days, of which 5.00 was given back, and 20.00 in the thirty before. */
async function soldShop(at: DashboardShop) {
  const made = await anotherShop(at);
  const { shop } = made;
  await updateSettings(shop, { manualPayments: true });
  const mediaIds = [await pictureOf(shop)];
  const mug = await newProduct(shop, { title: 'Blue mug', price: '10', status: 'published', mediaIds });
  const bowl = await newProduct(shop, { title: 'Bowl', price: '20', status: 'published' });
  const sell = async (productId: string, quantity: number, daysAgo: number, country: string) => {
    const address1 = 'Street 1';
    const shippingAddress = { firstName: 'Ada', address1, city: 'City', postalCode: '1', country };
    const order = await createOrder(shop, { items: [{ productId, quantity }], shippingAddress });
    const paidAt = new Date(Date.now() - daysAgo * day).toISOString();
    await recordPayment(shop, order.id, { method: 'cash', amount: order.total, paidAt });
    return order;
  };
  const sold = [await sell(mug.id, 2, 0, 'DE'), await sell(bowl.id, 1, 3, 'FR'), await sell(bowl.id, 1, 40, 'DE')];
  await refundOrder(shop, sold[1]?.id ?? '', { amount: '5.00', refundId: 'r-1' });
  return { ...made, sold, mug, bowl };
}

/** Lets the page ask for the desk at once, as it does when its tab is shown again. */
const ask = (page: Page) => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);

/** Sum of the unexpected moves of a page since it was opened, as browsers count them, and what has moved. */
const shifts = `new Promise((resolve) => {
  let sum = 0;
  const moves = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      sum += value;
      const moved = sources.map(({ node, previousRect: a, currentRect: b }) => (node?.className || node?.nodeName) + ' ' + [a.y, a.height, b.y, b.height].map(Math.round));
      moves.push(value.toFixed(3) + ': ' + moved.join('; '));
    }
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve([sum, moves]), 300);
})`;

describe.skipIf(chromiumPath === undefined)(`the home of the dashboard${browserNote}`, () => {
  forOneStorage('used by a browser', 'sqlite', (database) => {
    const at = useDashboard(database, { media: { files: folderPlace().files(), url: '/media' } });

    it('has its places in groups, which keys open, and whose current one is marked', async () => {
      const { pages, ids, shop } = at();
      const { page, faults } = await pages.signedIn(ids, '');
      const menu = page.getByRole('navigation', { name: 'Main menu' });
      await heading(page, 'Overview');
      expect(await menu.locator('p').allTextContents()).toEqual(['Sell', 'Catalogue', 'Settings', 'Developers']);
      expect(await menu.getByRole('list', { name: 'Sell' }).getByRole('link').count()).toBe(6);
      await goByKeys(page, 'r', 'Statistics');
      expect(await menu.locator('[aria-current=page]').textContent()).toBe('Statistics');
      await goByKeys(page, 'k', 'API keys');
      // A key that sees one place of a group needs no heading for it.
      const few = await pages.signedIn({ ...ids, key: await keyWith(shop, ['customer.read', 'page.read']) }, 'pages');
      await heading(few.page, 'Pages');
      expect(await few.page.locator('nav.side p').count()).toBe(0);
      expect([...faults, ...few.faults]).toEqual([]);
    });

    it('is a drawer on a phone', async () => {
      const { pages, ids } = at();
      const { page, faults } = await pages.signedIn(ids, '', { viewport: { width: 390, height: 844 } });
      const menu = page.getByRole('navigation', { name: 'Main menu' });
      expect(await menu.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      await menu.getByRole('list', { name: 'Developers' }).getByRole('link', { name: 'Webhooks' }).click();
      await heading(page, 'Webhooks');
      expect(await menu.isVisible()).toBe(false);
      expect(faults).toEqual([]);
    });

    it('opens rows and links in new tabs as browsers do, and typed addresses', async () => {
      const { pages, ids, shop } = at();
      const order = await newOrder(shop);
      const { page, faults } = await pages.signedIn(ids, 'orders?tab=all');
      const cell = page
        .getByRole('row', { name: new RegExp(order.orderNumber) })
        .locator('td')
        .nth(2);
      for (const how of [{ modifiers: ['ControlOrMeta'] }, { button: 'middle' }] as const) {
        const opened = page.waitForEvent('popup');
        await cell.click(how as Parameters<typeof cell.click>[0]);
        const tab = await opened;
        await heading(tab, `Order ${order.orderNumber}`);
        await tab.close();
      }
      expect(page.url()).toContain('tab=all');
      const context = page.context();
      const opened = context.waitForEvent('page');
      await page.getByRole('link', { name: 'Discounts' }).click({ modifiers: ['ControlOrMeta'] });
      expect(new URL((await opened).url()).pathname).toBe('/dashboard/discounts');
      await cell.click();
      await heading(page, `Order ${order.orderNumber}`);
      await page.goto(`${at().url}/dashboard/statistics?view=countries&period=90`);
      await heading(page, 'Statistics');
      expect(faults).toEqual([]);
    });

    it('leads a new shop through what it needs, in a list that ticks itself', async () => {
      const { shop, ids } = await anotherShop(at());
      const { page, faults } = await at().pages.signedIn(ids, '');
      await page.getByText('0 of 9 done').waitFor();
      expect(await page.locator('.chart').count()).toBe(0);
      await updateSettings(shop, {
        timeZone: 'Europe/Berlin',
        taxRate: '0.19',
        shippingMethods: [{ name: 'Post', price: '4.90' }],
        manualPayments: true,
        returnUrls: ['https://shop.example'],
        seller: { name: 'Tea & Co', address: 'Teichweg 1', email: 'hello@shop.example' },
        mail: { from: 'shop@shop.example', smtp: { host: 'smtp.example.com' } },
      });
      await newProduct(shop, { mediaIds: [await pictureOf(shop)] });
      await page.reload();
      await page.getByText('8 of 9 done').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect((await page.locator('.steps li:not(.done)').textContent()) ?? '').toContain('A test order');
      await newOrder(shop);
      await ask(page);
      // The first sale brings the figures, and the list stays until it is hidden.
      await page.getByText('9 of 9 done').waitFor();
      await page.getByRole('heading', { name: 'Your shop is ready to sell' }).waitFor();
      await page.getByRole('group', { name: 'Sales over time' }).waitFor();
      await page.getByRole('button', { name: 'Hide this list' }).click();
      expect(await page.locator('.steps').count()).toBe(0);
      await page.reload();
      await page.getByRole('group', { name: 'Sales over time' }).waitFor();
      expect(await page.locator('.steps').count()).toBe(0);
      expect(faults).toEqual([]);
    });

    it('shows how the shop sells in the period of the address, against the one before', async () => {
      const { ids, mug } = await soldShop(at());
      const { page, faults } = await at().pages.signedIn(ids, '');
      const figure = (name: string) => page.locator('.sales-figures > div').filter({ hasText: name });
      const text = async (name: string) => (await figure(name).textContent())?.replace(/\s+/g, ' ');
      await expect.poll(() => text('Gross sales')).toMatch(/€40\.00▲ up 100% from €20\.00$/);
      expect(await text('Paid orders')).toMatch(/2▲ up 100% from 1$/);
      expect(await text('Average order')).toMatch(/€20\.00 ?No change/);
      expect(await text('Refunds')).toMatch(/€5\.00 from €0\.00$/);
      const chart = page.getByRole('group', { name: 'Sales over time' });
      await chart.focus();
      const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.now());
      await page.getByText(`${today} €20.00, 1 order`).waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.getByText('€0.00, 0 orders').waitFor();
      await page.locator('main').click({ position: { x: 5, y: 5 } });
      await chart.hover({ position: { x: 120, y: 60 } });
      await page.getByText('€0.00, 0 orders').waitFor();
      await page.getByText('Show as table').click();
      expect(await page.getByRole('region', { name: 'Sales as a table' }).getByRole('row').count()).toBe(31);
      const best = page.locator('.best li');
      expect(await best.allTextContents()).toEqual([
        expect.stringContaining('Blue mug2 ×€20.00'),
        expect.stringContaining('Bowl1 ×€20.00'),
      ]);
      await expect.poll(() => best.first().locator('img').getAttribute('src')).toContain('/media/');
      await page.getByRole('button', { name: '7 days' }).click();
      await page.waitForURL(/\?period=7$/);
      await expect.poll(() => text('Gross sales')).toMatch(/€40\.00 from €0\.00$/);
      await page.getByRole('button', { name: 'Custom' }).click();
      await page.getByLabel('From', { exact: true }).fill(new Date(Date.now() - 50 * day).toISOString().slice(0, 10));
      await expect.poll(() => text('Gross sales')).toMatch(/€60\.00/);
      expect(page.url()).toMatch(/period=custom/);
      await page.goBack();
      await page.reload();
      await expect.poll(() => text('Gross sales')).toMatch(/€40\.00/);
      await best.first().getByRole('link').click();
      await page.waitForURL(new RegExp(mug.id));
      expect(faults).toEqual([]);
    });

    it('says in a line each what waits, and the rest in a sentence', async () => {
      const { shop, ids, sold } = await soldShop(at());
      await updateOrder(shop, sold[0]?.id ?? '', { status: 'cancelled' });
      await newProduct(shop, { title: 'Few', trackStock: true, stock: 1, lowStockThreshold: 3 });
      const { page, faults } = await at().pages.signedIn(ids, '');
      const lines = page.locator('.waits li');
      await lines.first().waitFor();
      expect(await lines.allTextContents()).toEqual([
        '2 orders to ship',
        '1 canceled order to refund',
        '1 product is low on stock',
      ]);
      await page
        .getByText(
          'Nothing else needs attention: disputes, payments without an order, failed payments, and failed webhooks.',
        )
        .waitFor();
      await lines.nth(1).getByRole('link').click();
      await page.getByRole('link', { name: sold[0]?.orderNumber ?? '' }).waitFor();
      expect(
        await page
          .locator('.tabs')
          .getByRole('button', { name: /To refund/ })
          .textContent(),
      ).toBe('To refund1');
      // A key that sees only products has their line, and no figures.
      const few = { ...ids, key: await keyWith(shop, ['product.read']) };
      const other = await at().pages.signedIn(few, '');
      await other.page.getByText('1 product is low on stock').waitFor();
      expect(await other.page.locator('.chart, .steps, .idle').count()).toBe(0);
      expect([...faults, ...other.faults]).toEqual([]);
    });

    it('shows new orders by themselves: counts, title, list and home, and a sound if it is switched on', async () => {
      const { shop, ids } = await soldShop(at());
      const { page, faults } = await at().pages.signedIn(ids, '');
      await page.evaluate(`{
        window.tones = 0;
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (at) { window.tones++; start.call(this, at); };
      }`);
      const orders = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: /^Orders/ });
      await expect.poll(() => orders.textContent()).toBe('Orders3, 3 to ship');
      await expect.poll(() => page.title()).toBe('(3) Overview · Shop');
      const statuses: number[] = [];
      page.on('response', (response) => {
        if (response.url().endsWith('/desk')) statuses.push(response.status());
      });
      await ask(page);
      await expect.poll(() => statuses).toEqual([304]);
      await newOrder(shop);
      await ask(page);
      await expect.poll(() => orders.textContent()).toBe('Orders4, 4 to ship');
      await page.locator('.sales-figures').getByText('€60.00').waitFor();
      await page.getByText('4 orders to ship', { exact: true }).waitFor();
      expect(await page.evaluate('window.tones')).toBe(0);
      await page.getByRole('button', { name: 'Account and help' }).click();
      await page.getByRole('menuitem', { name: 'Sound for new orders' }).click();
      const heard = (await page.evaluate('window.tones')) as number;
      expect(heard).toBeGreaterThan(0);
      await goByKeys(page, 'o', 'Orders');
      await page.getByText('4 orders', { exact: true }).waitFor();
      const { orderNumber } = await newOrder(shop);
      await ask(page);
      await page.getByRole('link', { name: orderNumber }).waitFor();
      await expect.poll(() => page.title()).toBe('(5) Orders · Shop');
      expect(await page.evaluate('window.tones')).toBeGreaterThan(heard);
      expect(
        await page
          .locator('.tabs')
          .getByRole('button', { name: /To ship/ })
          .textContent(),
      ).toBe('To ship5');
      expect(faults).toEqual([]);
    });

    it('says above a scrolled list how many orders are new, and does not move it', async () => {
      const { shop, ids } = await anotherShop(at());
      await updateSettings(shop, { manualPayments: true });
      for (let n = 0; n < 30; n++) await newOrder(shop);
      const { page, faults } = await at().pages.signedIn(ids, 'orders');
      await page.getByText('30 orders', { exact: true }).waitFor();
      await page.evaluate('scrollTo(0, 800)');
      const before = await page.locator('tbody tr[data-id]').nth(10).boundingBox();
      const { orderNumber } = await newOrder(shop);
      await ask(page);
      const line = page.getByRole('button', { name: '1 new order – show' });
      await line.waitFor();
      expect(await page.locator('tbody tr[data-id]').nth(10).boundingBox()).toEqual(before);
      await line.click();
      await page.getByRole('link', { name: orderNumber }).waitFor();
      expect(await page.evaluate('scrollY')).toBe(0);
      expect(await line.count()).toBe(0);
      expect(faults).toEqual([]);
    });

    it('asks every 15 seconds while the page is visible and signed in, and not otherwise', async () => {
      const { pages, ids } = at();
      const { page, faults } = await pages.open('');
      await page.clock.install();
      await page.reload();
      let asked = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/desk')) asked++;
      });
      await openKeyForm(page);
      await page.getByLabel('Store ID').fill(ids.storeId);
      await page.getByLabel('API key').fill(ids.key);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect.poll(() => asked).toBe(1);
      await page.locator('.waits').waitFor({ state: 'attached' });
      await page.clock.runFor(14_000);
      expect(asked).toBe(1);
      await page.clock.runFor(2_000);
      await expect.poll(() => asked).toBe(2);
      const hide = (hidden: boolean) =>
        page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true })`);
      await hide(true);
      await ask(page);
      await page.clock.runFor(60_000);
      expect(asked).toBe(2);
      await hide(false);
      await ask(page);
      await expect.poll(() => asked).toBe(3);
      await page.getByRole('button', { name: 'Account and help' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByLabel('Email').waitFor();
      await page.clock.runFor(60_000);
      expect(asked).toBe(3);
      expect(faults).toEqual([]);
    });

    it('loads at first in at most 16 requests besides pictures, and 90 kB', async () => {
      const { ids } = await soldShop(at());
      const { page } = await at().pages.signedIn(ids, '');
      await page.locator('.best li').first().waitFor();
      // As for whoever has signed in before, with nothing in the cache of the browser.
      const client = await page.context().newCDPSession(page);
      await client.send('Network.setCacheDisabled', { cacheDisabled: true });
      await page.reload();
      await page.locator('.best li').first().waitFor();
      await page.waitForLoadState('networkidle');
      const loaded = (await page.evaluate(`performance.getEntries()
        .filter(({ entryType }) => ['navigation', 'resource'].includes(entryType))
        .map(({ name, transferSize }) => [name.replace(/.*\\/(?=.)/, ''), transferSize])`)) as [string, number][];
      const own = loaded.filter(([name]) => !name.includes('format=webp'));
      expect(own.length, JSON.stringify(own)).toBeLessThanOrEqual(16);
      expect(own.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(90_000);
    });

    it.each([390, 1280])(
      'moves nothing while it loads at %i pixels, and has nothing that axe finds',
      async (width) => {
        const { shop, ids } = await soldShop(at());
        await newProduct(shop, { title: 'Few', trackStock: true, stock: 1, lowStockThreshold: 3 });
        const { page, faults } = await at().pages.signedIn(ids, '', { viewport: { width, height: 844 } });
        const waitFor: Record<string, string> = {
          '': '.best li',
          'statistics?period=year': '.numbers td',
          'statistics?view=products': 'tbody tr[data-id]',
          'statistics?view=countries': '.numbers td',
          orders: 'tbody tr[data-id]',
        };
        for (const [path, ready] of Object.entries(waitFor)) {
          await page.goto(`${at().url}/dashboard/${path}`);
          await page.locator(ready).first().waitFor();
          const [moved, moves] = (await page.evaluate(shifts)) as [number, string[]];
          expect(moved, `${path}: ${moves.join('\n')}`).toBeLessThan(0.1);
          expect(await axeFindings(page), path).toEqual([]);
          expect(await widerBy(page), path).toBeLessThanOrEqual(0);
        }
        expect(faults).toEqual([]);
      },
      60_000,
    );
  });
});
