import { Readable } from 'node:stream';
import {
  type Commerce,
  type Context,
  createCategory,
  createCustomer,
  createDiscount,
  createPage,
  createUser,
  createWebhook,
  createWithdrawal,
  importsIdle,
  listApiKeys,
  listAuditLogs,
  listDeliveries,
  listMails,
  listPayments,
  matchWithdrawals,
  startImport,
  updatePage,
  updateSettings,
} from '@commerce/core';
import { newOrder, useDashboard } from '@commerce/test-support/fixtures/dashboard-shop';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { browserNote, chromiumPath } from '@commerce/test-support/harness/chromium';
import { axeFindings, signIn, widerBy } from '@commerce/test-support/harness/dashboard';
import { overlaps, shifts, watchShifts } from '@commerce/test-support/harness/layout';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

// Every screen at the widths of a small phone, a phone, a laptop and a large display: nothing lies on anything, nothing is wider than the
// window, nothing jumps while it loads, and axe has nothing to say in either theme.

/** Largest sum of layout shifts that https://web.dev/articles/cls calls good. */
const goodCls = 0.1;

const address = {
  name: 'Þórunn Sigurðardóttir-Kowalczyk',
  address1: '12 St James Square',
  city: 'London',
  country: 'GB',
};
const long = 'An unusually long title of a product that is as wide as a hand, in dark green and 50 × 70 cm';

/** The paths of the screens, as the navigation has them. The dashboard is not part of this program, so that its types are not known here. */
async function paths(): Promise<string[]> {
  const file: string = '../packages/dashboard/src/app/routes.ts';
  const { routes } = (await import(file)) as { routes: readonly { path: string }[] };
  return routes.map(({ path }) => path);
}

/** A shop that has something to show on each screen, with the ids for the paths. */
async function fill(commerce: Commerce, { store }: Context): Promise<Record<string, string>> {
  const mail = { from: 'shop@shop.example', ownerAddress: 'owner@shop.example', smtp: { host: 'smtp.example.com' } };
  await updateSettings(await commerce.store(store.id), { mail });
  const shop = await commerce.store(store.id);
  await commerce.on('product.*', () => {}, { name: 'warehouse-of-the-north' });
  const category = await createCategory(shop, { name: 'Cups and saucers', slug: 'cups' });
  await createCategory(shop, { name: 'Saucers', slug: 'saucers', parentId: category.id });
  const product = await newProduct(shop, {
    title: long,
    sku: 'CUP-OF-THE-HOUSE-DARK-GREEN-50-70',
    price: '1234567.89',
    trackStock: true,
    stock: 3,
    variantGroupId: 'cup',
    attributes: { colour: 'dark green', size: '50 × 70' },
    categoryIds: [category.id],
  });
  await newProduct(shop, { title: long, variantGroupId: 'cup', attributes: { colour: 'red', size: '50 × 70' } });
  await newProduct(shop, { title: 'Draft', status: 'draft' });
  const customer = await createCustomer(shop, {
    email: 'thorunn.sigurdardottir.kowalczyk@a-long-name-of-a-company.example',
    name: address.name,
    phone: '+44 20 7946 0000',
  });
  const order = await newOrder(shop, {
    title: long,
    customerId: customer.id,
    shippingAddress: address,
    customerNote: 'It is a present, please no invoice in the parcel.',
  });
  await newOrder(shop, { paid: false, customerId: customer.id, shippingAddress: address });
  const withdrawal = await createWithdrawal(shop, {
    name: address.name,
    email: customer.email,
    orderNumber: order.orderNumber,
    note: 'It is another green than in the picture.',
  });
  await matchWithdrawals(commerce.engine);
  const page = await createPage(shop, { title: 'Imprint', slug: 'imprint', content: '# Imprint\n\nA text.' });
  const discount = await createDiscount(shop, { code: 'SUMMER-OF-2026', type: 'percent', value: '10' });
  const subscriber = {
    url: 'https://subscriber.example/a/long/path/of/the/subscriber',
    events: ['page.*'] as const,
    retries: 0,
  };
  const webhook = await createWebhook(shop, subscriber);
  await updatePage(shop, page.id, { title: 'Imprint and contact' });
  const file = Readable.from([Buffer.from(`title,price\n${long},12\nNo price,none\n`)]);
  const started = await startImport(shop, { resource: 'products' }, file, 'products-of-the-old-shop-2026.csv');
  await importsIdle(commerce.engine);
  const first = <T extends { id: string }>({ items }: { items: readonly T[] }): string =>
    items[0]?.id ?? expect.fail('the shop lacks something to show');
  return {
    'orders/:id': order.id,
    'products/:id': product.id,
    'categories/:id': category.id,
    'imports/:id': started.id,
    'customers/:id': customer.id,
    'mails/:id': first(await listMails(shop)),
    'withdrawals/:id': withdrawal.id,
    'mail-texts/:kind/:locale': 'mail-texts/order.confirmed/de',
    'pages/:id': page.id,
    'discounts/:id': discount.id,
    'payments/:id': first(await listPayments(shop)),
    'payments/providers/:provider': 'stripe',
    'webhooks/:id': webhook.id,
    'subscribers/:name': 'warehouse-of-the-north',
    'deliveries/:deliveryId': first(await listDeliveries(shop, webhook.id)),
    'keys/:id': first(await listApiKeys(shop)),
    'people/:id': (await createUser(shop, { email: 'thorunn@shop.example', name: address.name, role: 'owner' })).id,
    'audit/:id': first(await listAuditLogs(shop)),
  };
}

/** The path with the ids of the shop in place of its named parts. */
function filled(path: string, ids: Readonly<Record<string, string>>): string {
  let full = path;
  for (const [pattern, id] of Object.entries(ids)) {
    full = full.replace(new RegExp(`${pattern}(?=/|$)`), id.includes('/') ? id : pattern.replace(/:\w+$/, id));
  }
  return full.includes(':') ? expect.fail(`the shop has no id for ${path}`) : full;
}

/** Goes to a screen as a link of it does. */
const go = (page: Page, to: string): Promise<unknown> =>
  page.evaluate(`{
    const link = Object.assign(document.createElement('a'), { href: ${JSON.stringify(to)} });
    document.body.append(link);
    link.click();
    link.remove();
  }`);

/** Waits until a screen has loaded: no request is under way, and no part says that it waits. */
async function settled(page: Page, underWay: () => number): Promise<void> {
  for (let calm = 0; calm < 2; ) {
    const isDrawn = '!!document.querySelector("h1") && !document.querySelector(".skeleton, [aria-busy=true]")';
    const waits = underWay() > 0 || !(await page.evaluate(isDrawn));
    calm = waits ? 0 : calm + 1;
    await page.waitForTimeout(20);
  }
}

/** Counts the requests of a page that were not answered yet. */
function requestsOf(page: Page): () => number {
  const open = new Set<unknown>();
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return () => open.size;
}

describe.skipIf(chromiumPath === undefined)(`the looks of the dashboard${browserNote}`, () => {
  forOneStorage('used by a browser', 'sqlite', (database) => {
    const at = useDashboard(database);
    let ids: Promise<Record<string, string>> | undefined;

    it('would notice a text that lies on another, on a control, or out of its place', async () => {
      const { page } = await at().pages.open();
      await watchShifts(page);
      await page.reload();
      await settled(page, requestsOf(page));
      expect(await overlaps(page)).toEqual([]);
      await page.evaluate(`{
        const card = document.querySelector('.card');
        const text = Object.assign(document.createElement('p'), { textContent: 'a text that has slipped' });
        text.style.marginTop = -card.clientHeight / 2 + 'px';
        card.append(text);
      }`);
      expect((await overlaps(page)).length).toBeGreaterThan(0);
      await page.evaluate('document.body.style.paddingTop = "60vh"');
      await expect.poll(async () => (await shifts(page)).sum, { timeout: 5000 }).toBeGreaterThan(goodCls);
    });

    it.each([
      { width: 320, height: 640 },
      { width: 390, height: 844 },
      { width: 1280, height: 860 },
      { width: 1920, height: 1080 },
    ])(
      'are in order at $width pixels',
      async (viewport) => {
        const { commerce, shop, pages, url, ids: key } = at();
        ids ??= fill(commerce, shop);
        const known = await ids;
        const shown = (await paths()).map((path) => filled(path, known));
        const { page, faults } = await pages.open('', { viewport, hasTouch: viewport.width < 600 });
        const underWay = requestsOf(page);
        await watchShifts(page);
        const findings: Record<string, string[]> = {};
        const look = async (name: string): Promise<void> => {
          await settled(page, underWay);
          const { sum, moved } = await shifts(page);
          const wider = await widerBy(page);
          // A bar at the bottom of the window covers a field only until one scrolls.
          await page.evaluate(
            'for (const bar of document.querySelectorAll(".save-bar")) bar.style.position = "static"',
          );
          const found = [
            ...(sum >= goodCls ? [`moves by ${sum.toFixed(3)}: ${moved.join('; ')}`] : []),
            ...(wider > 0 ? [`is ${wider} pixels wider than the window`] : []),
            ...(await overlaps(page)),
            ...(await axeFindings(page, ['target-size'])),
          ];
          if (found.length > 0) findings[name] = found;
        };
        await page.reload();
        await look('sign-in');
        await signIn(page, key.storeId, key.key);
        // Slow enough for each part to show that it waits.
        await page.route(`${url}/stores/**`, (route) => setTimeout(() => void route.continue().catch(() => {}), 180));
        await page.reload();
        for (const path of shown) {
          await go(page, `${url}/dashboard${path && `/${path}`}`);
          await look(path || 'overview');
        }
        expect(findings).toEqual({});
        expect(faults).toEqual([]);
      },
      240_000,
    );
  });
});
