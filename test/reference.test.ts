import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Commerce } from '@commerce/core';
import { createApiKey, openCommerce } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { type CommerceServer, createServer } from '@commerce/server';
import { browserNote, chromiumPath, startChromium } from '@commerce/test-support/harness/chromium';
import { run } from '@commerce/test-support/harness/processes';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let commerce: Commerce;
let server: CommerceServer;
let url: string;
let storeId: string;
let key: string;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-reference-'));
  commerce = await openCommerce({ storage: openSqlite({ file: join(folder, 'shop.db') }) });
  const store = await commerce.createStore({ name: 'Mugs', currency: 'EUR' });
  storeId = store.id;
  const shop = await commerce.store(storeId);
  ({ key } = await createApiKey(shop, { name: 'all', scopes: ['product.read', 'product.write'] }));
  server = createServer(commerce);
  ({ url } = await server.listen({ port: 0 }));
});
afterAll(async () => {
  await server?.stop();
  await commerce?.close();
});

describe('the document over HTTP', () => {
  it('is OpenAPI 3.1, needs no key, and is not sent twice', async () => {
    const answer = await fetch(`${url}/openapi.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.json()).toMatchObject({ openapi: '3.1.0', info: { title: 'Commerce' } });
    const etag = answer.headers.get('etag') ?? '';
    const again = await fetch(`${url}/openapi.json`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('says where the service is reached, by what a proxy says only where one is trusted', async () => {
    const told = { headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' } };
    const serversOf = async (base: string) => {
      const { servers } = (await (await fetch(`${base}/openapi.json`, told)).json()) as { servers: { url: string }[] };
      return servers.map((one) => one.url);
    };
    expect(await serversOf(url)).toEqual([url]);
    const behind = createServer(commerce, { trustProxy: true });
    try {
      expect(await serversOf((await behind.listen({ port: 0 })).url)).toEqual(['https://shop.example']);
    } finally {
      await behind.stop();
    }
  });

  it('comes with a page, a script and the licences of what is in it, from the service itself', async () => {
    const page = await fetch(`${url}/docs`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    const html = await page.text();
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(html).toContain('href="openapi.json"');
    for (const [name, type] of [
      ['redoc.js', 'text/javascript'],
      ['page.js', 'text/javascript'],
      ['licences.txt', 'text/plain'],
    ]) {
      const asset = await fetch(`${url}/docs/${name}`);
      expect(asset.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
      expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
      const etag = asset.headers.get('etag') ?? '';
      expect((await fetch(`${url}/docs/${name}`, { headers: { 'if-none-match': etag } })).status).toBe(304);
      if (name === 'licences.txt') expect(await asset.text()).toMatch(/MIT/);
    }
    expect((await fetch(`${url}/docs/other.js`)).status).toBe(404);
    expect((await fetch(`${url}/docs`, { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD');
    const head = await fetch(`${url}/docs`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe.skipIf(chromiumPath === undefined)(`the page in a browser${browserNote}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  /** Opens the page, and records its requests to other hosts and its errors. */
  async function open(width: number, height: number, colorScheme: 'light' | 'dark' = 'light', redoc = true) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    // The panel does not need Redoc, which takes seconds of processor time. The page shows what Redoc would receive.
    if (!redoc) {
      const body =
        'Redoc = { init: (shown, options) => { told = { shown, theme: options.theme }; } }; told = undefined;';
      await page.route('**/redoc.js', (route) => route.fulfill({ contentType: 'text/javascript', body }));
    }
    const elsewhere: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => {
      const address = request.url();
      if (!address.startsWith(`${url}/`) && !/^(?:data|blob):/.test(address)) elsewhere.push(address);
    });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${url}/docs`);
    const last = redoc ? page.getByText('List products, newest first').first() : page.locator('option').first();
    // A busy machine needs time to draw all operations.
    await last.waitFor({ state: 'attached', timeout: 55_000 });
    return { page, elsewhere, complaints };
  }

  const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth') as Promise<number>;

  it.each([
    [1280, 900, 'light'],
    [390, 844, 'dark'],
  ] as const)(
    'shows every operation at %i × %i in the %s, asks nobody else and complains of nothing',
    async (width, height, scheme) => {
      const { page, elsewhere, complaints } = await open(width, height, scheme);
      const text = (await page.locator('#reference').textContent()) ?? '';
      for (const said of [
        'Products',
        'Change the merchant note',
        'order.refunded',
        'Payment notifications',
        'X-API-Key',
      ]) {
        expect(text).toContain(said);
      }
      expect(await page.locator('header a').first().getAttribute('href')).toBe('openapi.json');
      // Nothing is cut off at the side, and sideways scrolling is not necessary.
      expect(await widthOf(page)).toBeLessThanOrEqual(width);
      if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `docs-${width}.png`) });
      expect(elsewhere).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  it('begins with a request that works, once the store and the key are put in', async () => {
    const { page } = await open(1280, 900, 'light', false);
    const shown = (await page.locator('#curl').textContent()) ?? '';
    expect(shown).toContain(`curl ${url}/stores/YOUR_STORE_ID/products -H "Authorization: Bearer $KEY"`);
    const filled = shown.replace('ck_live_…', key).replace('YOUR_STORE_ID', storeId);
    const { code, stdout } = await run('sh', ['-c', `${filled} --silent`]);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { items: [], total: 0 }]);
    await page.close();
  });

  it.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)('tries an operation with a key that is kept nowhere, at %i in the %s', async (width, scheme) => {
    const { page, elsewhere, complaints } = await open(width, 844, scheme, false);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`));
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByLabel('Operation', { exact: true }).selectOption('createProduct');
    await page.getByLabel('Store id', { exact: true }).fill(storeId);
    await page.getByLabel('Key', { exact: true }).fill(key);
    const body = { title: '<b>Mug</b>', slug: `mug-${width}`, price: '12.50' };
    await page.getByLabel('Body (application/json)').fill(JSON.stringify(body));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^201 /).waitFor();
    const answer = JSON.parse((await page.locator('#answer').textContent()) ?? '') as { item: { id: string } };
    expect(answer).toMatchObject({ item: body });
    expect(await page.locator('#sent').textContent()).not.toContain(key);
    expect(sent).toEqual([`POST ${url}/stores/${storeId}/products`]);
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `try-${width}.png`) });

    await page.getByLabel('Operation', { exact: true }).selectOption('getProduct');
    await page.getByLabel('id', { exact: true }).fill('no/../id?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^404 /).waitFor();
    expect(await page.locator('#answer').textContent()).toContain('NOT_FOUND');
    expect(sent.at(-1)).toBe(`GET ${url}/stores/${storeId}/products/no%2F..%2Fid%3F`);
    expect(await widthOf(page)).toBeLessThanOrEqual(width);

    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    expect(kept).not.toContain(key);
    await page.reload();
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('');
    expect(elsewhere).toEqual([]);
    // A browser's message about a status is not an error of the page.
    expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
    await page.close();
  });

  it('opens the operation that is being read', async () => {
    const { page } = await open(1280, 900, 'light', false);
    await page.evaluate("location.hash = 'tag/Orders/operation/getOrder'");
    await page.getByRole('button', { name: 'Try it' }).click();
    expect(await page.getByLabel('Operation', { exact: true }).inputValue()).toBe('getOrder');
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog[open]').count()).toBe(0);
    await page.close();
  });

  it('is dark where the system is, also when that changes', async () => {
    const { page, complaints } = await open(1280, 900, 'dark', false);
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const textOfRedoc = () => page.evaluate('told?.theme.colors.text?.primary');
    await expect.poll(textOfRedoc).toBe('#dce3ea');
    expect(await ground()).toBe('rgb(20, 24, 29)');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(textOfRedoc).toBeUndefined();
    expect(await ground()).toBe('rgb(255, 255, 255)');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows PUT and PATCH once, and leaves both in the document', async () => {
    const { page } = await open(1280, 900, 'light', false);
    const path = '/stores/{storeId}/products/{id}';
    type Paths = Record<string, Record<string, { description?: string }>>;
    await expect.poll(() => page.evaluate('told !== undefined')).toBe(true);
    const shown = (await page.evaluate('told.shown.paths')) as Paths;
    expect(Object.keys(shown[path] ?? {}).sort()).toEqual(['delete', 'get', 'put']);
    expect(shown[path]?.put?.description).toContain('PATCH does the same');
    expect(await page.locator('option', { hasText: 'PATCH' }).count()).toBe(0);
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Paths };
    expect(Object.keys(paths[path] ?? {}).sort()).toEqual(['delete', 'get', 'patch', 'put']);
    await page.close();
  });

  it('finds what is searched for', async () => {
    const { page, elsewhere, complaints } = await open(1280, 900);
    await page.getByPlaceholder('Search...').fill('refund');
    await page.locator('[role=search] li').first().waitFor();
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
