import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Commerce,
  type Context,
  createCategory,
  createPage,
  createProduct,
  getSettings,
  listOrders,
  listProducts,
  openCommerce,
  type ProductInput,
  requireStore,
  updateProduct,
  updateSettings,
} from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { browserNote, chromiumPath, startChromium } from '@commerce/test-support/harness/chromium';
import { axeFindings, widerBy } from '@commerce/test-support/harness/dashboard';
import { commerceJson, root, run } from '@commerce/test-support/harness/processes';
import { startShop } from '@commerce/test-support/harness/storefront';
import { dataFaults } from '@commerce/test-support/harness/structured-data';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

// The example shop as `npm run storefront -- --prerender` writes and serves it: what the law asks of an offer, structured data, pages without
// scripts, and what buyers write for a line.

const evil = `<img src=x onerror="window.hacked = 1"></script><script>window.hacked = 2</script>`;
const candle = 'product-beeswax-candle-sand.html';
const teapot = 'product-afternoon-teapot-indigo.html';
const mug = 'product-morning-mug-sage.html';

describe.skipIf(chromiumPath === undefined)(`the prerendered shop${browserNote}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-prerendered-'));
  const pages = join(folder, 'storefront-pages');
  let started: Awaited<ReturnType<typeof startShop>>;
  let base: string;
  let browser: Browser;
  let commerce: Commerce;
  let shop: Context;
  const contexts: BrowserContext[] = [];

  const newProduct = (slug: string, more: Partial<ProductInput> = {}) =>
    createProduct(shop, { title: `The ${slug}`, slug, sku: slug, price: '10', status: 'published', ...more });

  beforeAll(async () => {
    await commerceJson(['demo', '--db', join(folder, 'commerce.db'), '--media-dir', join(folder, 'media')]);
    commerce = await openCommerce({ storage: openSqlite({ file: join(folder, 'commerce.db') }) });
    shop = await commerce.store((await requireStore(commerce.engine)).id);
    const { parties } = await getSettings(shop);
    const party = { id: 'evil', name: evil, address: evil, email: null, url: 'https://evil.example/%22%3E' };
    await updateSettings(shop, { parties: [...parties, party] });
    const many = await createCategory(shop, { name: 'Many', slug: 'many', status: 'published' });
    for (let i = 1; i <= 30; i++) await newProduct(`many-${i}`, { categoryIds: [many.id] });
    const [{ primaryMediaId = null } = {}] = (await listProducts(shop, { search: 'Morning mug' })).items;
    await newProduct('evil', {
      primaryMediaId,
      title: evil,
      brand: evil,
      safetyNotes: evil,
      manufacturerId: 'evil',
      responsiblePersonId: 'evil',
      description: `# Care ${evil}\n\nSoft **wool**`,
      descriptionFormat: 'markdown',
      attributes: { engraving: evil, color: evil },
    });
    await newProduct('html', {
      description: '<h1>Care</h1><p>Soft <b>wool</b> &amp; silk</p>',
      descriptionFormat: 'html',
    });
    await newProduct('new-on-sale', { price: '10', compareAtPrice: '20' });
    await newProduct('a'.repeat(255), { title: 'Long' });
    await createPage(shop, { title: evil, slug: 'evil', content: `# Care ${evil}`, status: 'published' });
    [browser, started] = await Promise.all([startChromium(), startShop(folder, '--prerender')]);
    ({ base } = started);
  }, 120_000);

  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });

  afterAll(async () => {
    await browser?.close();
    await commerce?.close();
    const code = await started?.stop();
    rmSync(folder, { recursive: true, force: true });
    expect(code).toBe(0);
  });

  /** A buyer's window. Errors of the page and what its policy refuses fail the test. */
  async function open(path: string, options: BrowserContextOptions & { scripts?: boolean } = {}) {
    const { scripts = true, ...more } = options;
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US', ...more });
    contexts.push(context);
    // The page as it is before its scripts have come.
    if (!scripts) await context.route('**/js/**', (route) => route.abort());
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (/policy|trusted/i.test(message.text())) faults.push(message.text());
    });
    await page.goto(`${base}/${path}`);
    return { page, faults };
  }

  const inPage = <T>(page: Page, expression: string) => page.evaluate(expression) as Promise<T>;
  const dataOf = async (page: Page) =>
    (await page.locator('script[type="application/ld+json"]').allTextContents()).map((text) => JSON.parse(text));
  /** What is read on the page, whatever the white space. */
  const words = async (page: Page, selector = 'main') =>
    (await page.locator(selector).innerText()).replace(/\s+/g, ' ').trim();

  const factsOf = async (page: Page) => ({
    title: await page.title(),
    canonical: await page.locator('link[rel=canonical]').getAttribute('href'),
    heading: await words(page, 'main h1'),
    cards: await page.locator('.card').allInnerTexts(),
    price: await page.locator('.facts .price').allInnerTexts(),
    data: await dataOf(page),
  });

  it('says nothing in the console, and writes every page', () => {
    expect(started.output()).not.toMatch(/warning/i);
    expect(started.output()).toContain(`${pages}: 58 products, 12 lists, 6 texts`);
  });

  it('is read without scripts: price, unit, maker, warnings, data, and the way to other pages', async () => {
    const { page } = await open(candle, { javaScriptEnabled: false });
    expect(await page.title()).toBe('Beeswax candle, sand – Demo shop');
    const text = await words(page);
    expect(text).toContain('Beeswax candle, sand $14.50 $45.31 / 1 kg incl. tax, plus shipping');
    expect(text).toContain(
      'Manufacturer Example Apiary Inc. (demo) 1 Example Road Exampletown, VT 05000 United States',
    );
    expect(text).toContain('Responsible person in the EU Example Import BV (demo)');
    expect(await page.locator('.safety').innerText()).toBe(
      'Never leave a burning candle alone.\nKeep it away from children and pets.\nKeep 10 cm between burning candles.',
    );
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${base}/${candle}`);
    expect(await page.locator('meta[property="og:title"]').getAttribute('content')).toBe('Beeswax candle, sand');
    const [data, ...more] = await dataOf(page);
    expect([dataFaults(data), more]).toEqual([[], []]);
    expect(data).toMatchObject({
      name: 'Beeswax candle',
      hasVariant: [{ name: 'Beeswax candle, sand', offers: { price: '14.50', url: `${base}/${candle}` } }, {}],
    });
    await page.getByRole('link', { name: 'terracotta' }).click();
    expect(page.url()).toBe(`${base}/product-beeswax-candle-terracotta.html`);
    await page.getByRole('link', { name: 'Living' }).first().click();
    await page.getByRole('link', { name: 'Bottle vase' }).click();
    expect(await page.locator('h1').innerText()).toBe('Bottle vase, charcoal');
    await page.getByRole('link', { name: 'Demo shop' }).click();
    expect(page.url()).toBe(`${base}/index.html`);
    await page.getByRole('link', { name: 'Many', exact: true }).first().click();
    expect(await page.locator('.card').count()).toBe(24);
    await page.getByRole('link', { name: 'Next page' }).click();
    expect([await page.locator('.card').count(), page.url()]).toEqual([6, `${base}/category-many.2.html`]);
    await page.getByRole('link', { name: 'Imprint' }).click();
    expect(await words(page)).toContain('This shop is a demonstration.');
    expect(await page.locator('main h1').count()).toBe(1);
  });

  it.each([
    candle,
    teapot,
    'product-html.html',
    'category-many.html',
    'category-many.2.html',
    'products.html',
    'index.html',
    'page-imprint.html',
  ])('shows the same of %s with scripts, and nothing else meanwhile', async (path) => {
    const { page: before } = await open(path, { scripts: false });
    const still = await factsOf(before);
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    contexts.push(context);
    await context.addInitScript(`
      window.seen = new Set();
      new MutationObserver(() => {
        const heading = document.querySelector('main h1');
        window.seen.add((heading?.textContent ?? '') + (document.querySelector('main .waiting, main [role=status]')?.textContent === 'Loading …' ? 'Loading' : ''));
      }).observe(document, { childList: true, subtree: true });`);
    const page = await context.newPage();
    await page.goto(`${base}/${path}`, { waitUntil: 'networkidle' });
    expect(await factsOf(page)).toEqual(still);
    const seen = await inPage<string[]>(page, '[...window.seen]');
    expect(seen.filter((text) => text !== '')).toEqual([await page.locator('main h1').textContent()]);
  });

  it('takes over: variants, the next files of a list, search and filters', async () => {
    const { page, faults } = await open(mug);
    await page.getByRole('radio', { name: 'indigo' }).check();
    await page.getByRole('heading', { name: 'Morning mug, indigo' }).waitFor();
    expect(page.url()).toBe(`${base}/product-morning-mug-indigo.html`);
    expect((await dataOf(page)).map((data) => data.hasVariant[0].name)).toEqual(['Morning mug, indigo']);
    await page.goto(`${base}/category-many.html`);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => page.locator('.card').count()).toBe(30);
    await page.getByRole('checkbox', { name: 'In stock' }).check();
    await page.waitForURL(/catalogue\.html\?category=many&stock=1/);
    await page.goBack();
    await page.waitForURL(/category-many\.html/);
    await page.getByRole('combobox', { name: 'Search the shop' }).fill('teapot');
    await page.keyboard.press('Enter');
    await page.waitForURL(/catalogue\.html\?q=teapot/);
    await expect.poll(() => page.locator('.card').count()).toBe(1);
    expect(await page.locator('.card a').getAttribute('href')).toMatch(/^product-afternoon-teapot-/);
    expect(faults).toEqual([]);
  });

  it('announces a reduction of the lowest price of the 30 days before, and no other', async () => {
    const { page, faults } = await open(teapot);
    const said = 'now $54.00 instead of $59.00';
    await page.locator('.facts .reduced').waitFor();
    expect((await page.locator('.facts .price').textContent())?.trim()).toBe(said);
    expect(await words(page)).toContain('Lowest price of the last 30 days before the reduction: $59.00 (−8%)');
    const [data] = await dataOf(page);
    expect(data.hasVariant[0].offers.priceSpecification.map(({ price }: { price: string }) => price)).toEqual([
      '54.00',
      '59.00',
    ]);
    await page.goto(`${base}/product-new-on-sale.html`, { waitUntil: 'networkidle' });
    expect(await words(page, '.facts .price')).toBe('$10.00');
    expect(await words(page)).not.toMatch(/Lowest price|%|20\.00/);
    expect(await page.locator('main s').count()).toBe(0);
    expect(JSON.stringify(await dataOf(page))).not.toContain('20.00');
    await page.goto(`${base}/category-teapots.html`, { waitUntil: 'networkidle' });
    expect(await page.locator('.card .price').textContent()).toContain(said);
    await page.goto(`${base}/category-candles.html`, { waitUntil: 'networkidle' });
    expect(await words(page, '.card .price')).toBe('$14.50 $45.31 / 1 kg');
    expect(faults).toEqual([]);
  });

  it('shows a product that came after the files, and says of others that they do not exist', async () => {
    // A second try of the test makes another one.
    const slug = `later-${Date.now()}`;
    await newProduct(slug);
    const { page, faults } = await open(`product-${slug}.html`);
    await page.waitForURL(`${base}/product.html?slug=${slug}`);
    await page.getByRole('heading', { name: `The ${slug}` }).waitFor();
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${base}/product-${slug}.html`);
    const missing = await page.goto(`${base}/nothing.html`);
    expect(missing?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('sells what buyers had engraved, two lines of one product, with a gift note', async () => {
    const { page, faults } = await open(mug);
    const engraving = page.getByLabel('Engraving');
    await engraving.waitFor();
    expect(await page.locator('.option p').allInnerTexts()).toEqual(['up to 20 letters']);
    expect(await engraving.getAttribute('maxlength')).toBe('20');
    const add = async (text: string) => {
      await engraving.fill(text);
      await page.getByRole('button', { name: 'Add to cart' }).click();
      await page.getByText('Added to your cart.').waitFor();
    };
    await add('Ada');
    await add('<b>Émilie</b>');
    await add(' Ada ');
    await page.getByRole('radio', { name: 'indigo' }).check();
    await page.getByRole('heading', { name: 'Morning mug, indigo' }).waitFor();
    expect(await engraving.inputValue()).toBe(' Ada ');
    await page.goto(`${base}/cart.html`);
    await expect.poll(() => page.locator('.lines output').allTextContents()).toEqual(['2', '1']);
    expect(await page.locator('.lines .options').allTextContents()).toEqual([
      'Engraving: Ada',
      'Engraving: <b>Émilie</b>',
    ]);
    await page.getByRole('button', { name: 'One less' }).first().click();
    await expect.poll(() => page.locator('.lines output').allTextContents()).toEqual(['1', '1']);
    expect(await axeFindings(page, ['target-size'])).toEqual([]);
    await page.goto(`${base}/checkout.html`);
    await page.getByLabel('E-mail').fill('gift@buyer.test');
    await page.getByLabel('Country').selectOption('GB');
    for (const [label, text] of [
      ['First name', 'Ada'],
      ['Last name', 'Lovelace'],
      ['Street and number', '12 St James Square'],
      ['Postal code', 'SW1Y 4JH'],
      ['City', 'London'],
    ] as const)
      await page.getByLabel(label).fill(text);
    const note = `For you.\n${evil}`;
    await page.getByLabel('Gift note').fill(note);
    await page.reload();
    await expect.poll(() => page.getByLabel('Gift note').inputValue()).toBe(note);
    expect(await page.locator('.summary .options').allTextContents()).toEqual([
      'Engraving: Ada',
      'Engraving: <b>Émilie</b>',
    ]);
    expect(await axeFindings(page, ['target-size'])).toEqual([]);
    await page.locator('#pay').click();
    await page.getByText('This page simulates').waitFor();
    await page.getByRole('button', { name: /Pay/ }).click();
    await page.getByRole('heading', { name: /^Thank you/ }).waitFor();
    expect(await page.locator('.bought .options').allTextContents()).toEqual([
      'Engraving: Ada',
      'Engraving: <b>Émilie</b>',
    ]);
    expect(await page.locator('main').innerText()).toContain(note);
    expect(await axeFindings(page, ['target-size'])).toEqual([]);
    const [order] = (await listOrders(shop, { limit: 1 })).items;
    expect(order).toMatchObject({ status: 'paid', giftNote: note });
    expect(order?.items.map(({ quantity, options }) => [quantity, options])).toEqual([
      [1, { Engraving: 'Ada' }],
      [1, { Engraving: '<b>Émilie</b>' }],
    ]);
    await page.getByRole('link', { name: 'link to your order' }).click();
    await page.getByRole('heading', { name: order?.orderNumber ?? '' }).waitFor();
    expect(await page.locator('.bought .options').allTextContents()).toEqual([
      'Engraving: Ada',
      'Engraving: <b>Émilie</b>',
    ]);
    expect(await page.locator('main').innerText()).toContain(note);
    expect(await axeFindings(page, ['target-size'])).toEqual([]);
    // The next order is no gift of this one.
    const draft = await inPage<{ giftNote: string; city: string }>(
      page,
      `JSON.parse(sessionStorage.getItem('form ${shop.store.id}'))`,
    );
    expect([draft.giftNote, draft.city]).toEqual(['', 'London']);
    expect(await inPage(page, 'typeof window.hacked')).toBe('undefined');
    expect(faults).toEqual([]);
  });

  it('does not add more than there is, whatever was written for the pieces', async () => {
    const { id } = await newProduct('two-left', {
      trackStock: true,
      stock: 2,
      attributes: { engraving: 'up to 20 letters' },
    });
    const { page } = await open('product.html?slug=two-left');
    for (const [text, said] of [
      ['a', 'Added to your cart.'],
      ['b', 'Added to your cart.'],
      ['c', 'You have 2 in your cart already'],
    ] as const) {
      await page.getByLabel('Engraving').fill(text);
      await page.getByRole('button', { name: 'Add to cart' }).click();
      await page.locator('#said', { hasText: said }).waitFor();
    }
    await updateProduct(shop, id, { stock: 1 });
    await page.goto(`${base}/cart.html`);
    await page.locator('.lines .error').first().waitFor();
  });

  it('writes what was typed as it was typed', async () => {
    for (const path of ['product-evil.html', 'page-evil.html', 'products.html', 'index.html']) {
      const written = readFileSync(join(pages, path), 'utf8');
      expect(written, path).not.toContain('<img src=x');
      expect(written, path).not.toContain('<script>');
      expect(written, path).toContain('&lt;img src=x');
      for (const options of [{ javaScriptEnabled: false }, {}]) {
        const { page, faults } = await open(path, options);
        await page.waitForLoadState('networkidle');
        expect(await page.locator('img[src="x"], main script').count(), path).toBe(0);
        // DOMPurify parses the text in a document of its own, where the policy says the same of its handlers.
        expect(faults.filter((text) => !text.startsWith('Executing inline event handler'))).toEqual([]);
        if (!('javaScriptEnabled' in options)) expect(await inPage(page, 'typeof window.hacked')).toBe('undefined');
        if (path !== 'product-evil.html') continue;
        for (const selector of ['h1', '.safety', '.details', '.facts .note', '.option .note'])
          expect((await page.locator(selector).allTextContents()).join('\n'), selector).toContain(evil);
        const [data] = await dataOf(page);
        expect([dataFaults(data), data.name, data.brand.name, data.manufacturer.name]).toEqual([[], evil, evil, evil]);
      }
    }
  });

  it.each([390, 1280])('is clean by axe at %i pixels, before and with scripts', async (width) => {
    for (const path of [candle, teapot, mug, 'category-many.2.html', 'index.html', 'page-imprint.html', '404.html']) {
      for (const scripts of path === '404.html' ? [true] : [false, true]) {
        const { page } = await open(path, { scripts, viewport: { width, height: 900 } });
        await page.waitForLoadState('networkidle');
        expect(await axeFindings(page, ['target-size']), `${path} ${scripts}`).toEqual([]);
        expect(await widerBy(page), path).toBeLessThanOrEqual(0);
      }
    }
  });

  it('lists its pages for search engines, and tells the store where they are', async () => {
    const robots = await (await fetch(`${base}/robots.txt`)).text();
    expect(robots).toContain(`Sitemap: ${base}/sitemap.xml`);
    const answer = await fetch(`${base}/sitemap.xml`);
    expect(answer.headers.get('content-type')).toBe('application/xml');
    const listed = [...(await answer.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);
    const files = readdirSync(pages).filter((name) => /^(product|page|category)-[^.]+\.html$/.test(name));
    const long = `product.html?slug=${'a'.repeat(255)}`;
    expect(listed.sort()).toEqual(
      [...files, 'index.html', 'products.html', long].map((name) => `${base}/${name}`).sort(),
    );
    for (const url of listed.filter((_, i) => i % 9 === 0)) expect((await fetch(url)).status).toBe(200);
    const { productUrl, pageUrl } = await getSettings(shop);
    expect([productUrl, pageUrl]).toEqual([`${base}/product-{slug}.html`, `${base}/page-{slug}.html`]);
  });

  it('says in its data what the feed of the store says: address, price, availability, group', async () => {
    const file = join(folder, 'feed.tsv');
    await commerceJson(['feeds', 'export', file, '--db', join(folder, 'commerce.db'), '--public-url', started.service]);
    const [header = [], ...rows] = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('\t').map((cell) => cell.replace(/^"|"$/g, '')));
    const seen = rows
      .map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ''])))
      // Its brand is longer than a feed takes.
      .filter(({ link }) => !link?.endsWith('/product-evil.html'));
    expect(seen.length).toBeGreaterThanOrEqual(25);
    for (const { link = '', price = '', sale_price, availability, item_group_id, gtin, brand } of seen) {
      const written = readFileSync(join(pages, new URL(link).pathname), 'utf8');
      const data = JSON.parse(
        /<script type="application\/ld\+json" data-head>(.+?)<\/script>/.exec(written)?.[1] ?? '',
      );
      const product = data.hasVariant?.[0] ?? data;
      const { offers } = product;
      expect({
        link: offers.url,
        now: `${offers.price} ${offers.priceCurrency}`,
        availability: offers.availability.split('/').at(-1),
        group: data.productGroupID ?? '',
        gtin: product.gtin ?? '',
        brand: product.brand.name,
      }).toEqual({
        link,
        now: sale_price || price,
        availability: availability === 'in_stock' ? 'InStock' : 'OutOfStock',
        group: item_group_id,
        gtin,
        brand,
      });
    }
  });

  it('replaces its own files as a whole, and no others', async () => {
    const target = join(folder, 'site');
    const config = join(folder, 'storefront.config.js');
    const flags = ['--dir', folder, '--config', config, '--prerender', target];
    const start = join(root, 'examples/storefront/start.mjs');
    const unsaid = await run(process.execPath, [start, ...flags]);
    expect([unsaid.code, unsaid.stderr]).toEqual([1, expect.stringContaining('--prerender needs --address')]);
    const address = ['--address', 'https://shop.example/tea'];
    expect((await run(process.execPath, [start, ...flags, ...address])).code).toBe(0);
    expect(statSync(target).mode & 0o777).toBe(0o755);
    const written = readFileSync(join(target, candle), 'utf8');
    expect(written).toContain(`<link rel="canonical" href="https://shop.example/tea/${candle}"`);
    const gone = await newProduct('gone');
    expect((await run(process.execPath, [start, ...flags, ...address])).code).toBe(0);
    expect(existsSync(join(target, 'product-gone.html'))).toBe(true);
    await updateProduct(shop, gone.id, { status: 'archived' });
    expect((await run(process.execPath, [start, ...flags, ...address])).code).toBe(0);
    expect(existsSync(join(target, 'product-gone.html'))).toBe(false);
    // A stop on the way leaves the files of before.
    const wrong = join(folder, 'wrong.js');
    writeFileSync(wrong, readFileSync(config, 'utf8').replace(/ck_pub_\w+/, 'ck_pub_none'));
    const failed = await run(process.execPath, [
      start,
      '--dir',
      folder,
      '--config',
      wrong,
      '--prerender',
      target,
      ...address,
    ]);
    expect(failed.code).not.toBe(0);
    expect(readFileSync(join(target, candle), 'utf8')).toBe(written);
    const own = mkdtempSync(join(folder, 'own-'));
    writeFileSync(join(own, 'index.html'), 'mine');
    const refused = await run(process.execPath, [
      start,
      '--dir',
      folder,
      '--config',
      config,
      '--prerender',
      own,
      ...address,
    ]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('name a new or an empty folder')]);
    expect(readdirSync(own)).toEqual(['index.html']);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('the sitemap of the example', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-sitemap-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is an index of files above 50,000 addresses', async () => {
    const { Sitemap } = await import(join(root, 'examples/storefront/sitemap.mjs'));
    const sitemap = new Sitemap(folder, new URL('https://shop.example/a&b/'));
    for (let i = 0; i <= 50_000; i++) await sitemap.add(`product-${i}.html`);
    await sitemap.end();
    expect(readdirSync(folder).sort()).toEqual(['sitemap-1.xml', 'sitemap-2.xml', 'sitemap.xml']);
    const text = (name: string) => readFileSync(join(folder, name), 'utf8');
    expect(text('sitemap.xml')).toContain('<sitemap><loc>https://shop.example/a&amp;b/sitemap-2.xml</loc></sitemap>');
    expect(text('sitemap-1.xml').match(/<url>/g)).toHaveLength(50_000);
    expect(text('sitemap-2.xml').match(/<url>/g)).toHaveLength(1);
    for (const name of readdirSync(folder)) expect(text(name).trimEnd()).toMatch(/<\/(urlset|sitemapindex)>$/);
  });
});
