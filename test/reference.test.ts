import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Commerce } from '@commerce/core';
import { openCommerce } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { type CommerceServer, createServer } from '@commerce/server';
import { browserNote, chromiumPath, startChromium } from '@commerce/test-support/harness/chromium';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let commerce: Commerce;
let server: CommerceServer;
let url: string;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-reference-'));
  commerce = await openCommerce({ storage: openSqlite({ file: join(folder, 'shop.db') }) });
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

  /** Opens the page, and notes what it asks others for and what it complains of. */
  async function open(width: number, height: number) {
    const page = await browser.newPage({ viewport: { width, height } });
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
    await page.getByText('List products, newest first').first().waitFor({ state: 'attached' });
    return { page, elsewhere, complaints };
  }

  const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth') as Promise<number>;

  it.each([
    [1280, 900],
    [390, 844],
  ])('shows every operation at %i × %i, asks nobody else and complains of nothing', async (width, height) => {
    const { page, elsewhere, complaints } = await open(width, height);
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
    // Nothing is cut off at the side, and nobody has to scroll there.
    expect(await widthOf(page)).toBeLessThanOrEqual(width);
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `docs-${width}.png`) });
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
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
