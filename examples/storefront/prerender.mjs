// Writes the shop as files that can be read without scripts: the first page, categories, products and texts, each with its description and
// structured data for search engines, and with sitemap.xml and robots.txt. The scripts of the pages then take over.
//   node prerender.mjs --config shop/config.js --address https://shop.example/ FOLDER
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { configText } from './config-text.mjs';
import { libraries, readLibrary } from './libraries.mjs';
import { Sitemap } from './sitemap.mjs';
import { Page } from './static-dom.mjs';

/** @typedef {import('./shop/js/api.js').ListedProduct} Product */
/** @typedef {import('./shop/js/api.js').Page} Text */

const { values, positionals } = parseArgs({
  options: { config: { type: 'string' }, address: { type: 'string' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (!values.config || !values.address || !folder) {
  throw new Error('usage: node prerender.mjs --config FILE --address https://shop.example/ FOLDER');
}
const address = new URL(values.address.endsWith('/') ? values.address : `${values.address}/`);
if (!/^https?:$/.test(address.protocol)) throw new Error(`--address: ${address} must begin with https:// or http://`);

const shopFolder = new URL('./shop/', import.meta.url);
const target = await realpath(folder).catch(() => resolve(folder));
await requireOwn(target);

const { default: given } = await import(moduleOf(await readFile(values.config, 'utf8')));
const config = configText({ ...given, prerendered: true });
const jsonLd = libraries.find(({ name }) => name === 'json-ld.js');
standIn();

// The views of the shop itself write the pages, so that a page is the same with and without scripts.
const [
  api,
  dom,
  groups,
  head,
  home,
  intro,
  productHead,
  productView,
  shell,
  text,
  urls,
  { plainText },
  descriptions,
  { shop },
] = await Promise.all([
  import('./shop/js/api.js'),
  import('./shop/js/dom.js'),
  import('./shop/js/groups.js'),
  import('./shop/js/head.js'),
  import('./shop/js/home.js'),
  import('./shop/js/catalogue/intro.js'),
  import('./shop/js/product/head.js'),
  import('./shop/js/product/view.js'),
  import('./shop/js/shell.js'),
  import('./shop/js/text.js'),
  import('./shop/js/urls.js'),
  import('../storefront-client/json-ld.ts'),
  import('./shop/js/description.js'),
  import('./shop/js/shop.js'),
]);
const { byId, fill, h } = dom;

/** The files are written beside the folder, which they replace at the end: an end before that leaves it as it is. */
await mkdir(dirname(target), { recursive: true });
const temporary = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
try {
  await chmod(temporary, 0o755);
  await copyShop();
  const templates = Object.fromEntries(
    await Promise.all(
      ['index', 'product', 'page'].map(async (name) => [
        name,
        await readFile(new URL(`${name}.html`, shopFolder), 'utf8'),
      ]),
    ),
  );
  const sitemap = new Sitemap(temporary, address);
  const written = await writePages(templates, sitemap);
  await sitemap.end();
  await writeFile(
    join(temporary, 'robots.txt'),
    `User-agent: *\nAllow: /\n\nSitemap: ${new URL('sitemap.xml', address)}\n`,
  );
  await replaceTarget();
  console.log(`${target}: ${written.products} products, ${written.lists} lists, ${written.texts} texts`);
} finally {
  await rm(temporary, { recursive: true, force: true });
}

/** Refuses a folder with files of somebody else, as its content is replaced. @param {string} place */
async function requireOwn(place) {
  const names = await readdir(place).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length === 0) return;
  const before = await readFile(join(place, 'config.js'), 'utf8').catch(() => '');
  if (!before.includes('"prerendered": true'))
    throw new Error(`${place} has files that this program has not written: name a new or an empty folder`);
}

/** @param {string} source */
function moduleOf(source) {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

/** What the modules of the shop expect of a browser. */
function standIn() {
  registerHooks({
    resolve(specifier, context, next) {
      if (context.parentURL?.startsWith(shopFolder.href)) {
        if (specifier.endsWith('/config.js')) return { url: moduleOf(config), format: 'module', shortCircuit: true };
        if (specifier.endsWith('/json-ld.js')) return next(jsonLd?.file.href ?? specifier, context);
      }
      return next(specifier, context);
    },
  });
  const storage = { getItem: () => null, setItem() {}, removeItem() {} };
  const empty = new Page('<html><head><title></title></head><body><main id="main"></main></body></html>');
  const stands = {
    document: empty,
    location: address,
    localStorage: storage,
    sessionStorage: storage,
    addEventListener() {},
    CSS: { supports: () => false },
    fetch: patientFetch(globalThis.fetch),
  };
  for (const [name, value] of Object.entries(stands))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

/**
 * Waits as long as the store says when there were too many requests, and tries again what got no answer.
 * @param {typeof fetch} ask
 * @returns {typeof fetch}
 */
function patientFetch(ask) {
  return async (url, options = {}) => {
    for (let left = 5; ; left--) {
      try {
        const response = await ask(url, { ...options, signal: AbortSignal.timeout(60_000) });
        const isPassing = response.status === 429 || response.status >= 500;
        if (!isPassing || left === 0) return response;
        await response.body?.cancel();
        await wait(Math.min(120, Number(response.headers.get('Retry-After') ?? 1) || 1) * 1000);
      } catch (error) {
        if (left === 0) throw error;
        await wait(1000);
      }
    }
  };
}

/** Copies the files that are the same in every shop. The list gets a page of its own, because the first page is written here. */
async function copyShop() {
  const root = fileURLToPath(shopFolder);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/^[\w-]+\.(html|js|css)$/.test(entry.name)) continue;
    const from = join(entry.parentPath, entry.name);
    const path = relative(root, from);
    await mkdir(dirname(join(temporary, path)), { recursive: true });
    await copyFile(from, join(temporary, path === 'index.html' ? 'catalogue.html' : path));
  }
  await mkdir(join(temporary, 'js', 'libraries'), { recursive: true });
  for (const library of libraries)
    await writeFile(join(temporary, 'js', 'libraries', library.name), await readLibrary(library));
  await writeFile(join(temporary, 'config.js'), config);
}

/**
 * @param {Record<string, string>} templates
 * @param {Sitemap} sitemap
 */
async function writePages(templates, sitemap) {
  const counts = { products: 0, lists: 0, texts: 0 };
  /** @param {'index' | 'product' | 'page'} template @param {string} file @param {() => Promise<void>} show */
  const writePage = async (template, file, show) => {
    // Slugs have letters, digits and dashes alone. No other name may come out of an answer.
    if (!/^[a-z0-9-]+(\.\d+)?\.html$/.test(file)) throw new Error(`no name of a page: ${JSON.stringify(file)}`);
    const page = new Page(templates[template] ?? '');
    Object.assign(globalThis, { document: page, location: new URL(file, address) });
    await shell.showShell();
    await show();
    byId('no-script').replaceChildren(h('p', {}, 'Search, cart and checkout need JavaScript.'));
    await writeFile(join(temporary, file), page.html);
  };

  await writePage('index', 'index.html', showHome);
  await sitemap.add('index.html');
  const tree = await shell.categories;
  for (const branch of [undefined, ...tree]) {
    for (const category of branch ? [branch.root, ...branch.children] : [undefined]) {
      const fileOf = (/** @type {number} */ part) => intro.partUrl(category?.slug ?? '', part);
      // A slug that is too long for a file.
      if (fileOf(1) === '') continue;
      for await (const list of listParts(category?.id)) {
        const file = fileOf(list.part);
        await writePage('index', file, () => showList(list, fileOf, branch, category));
        counts.lists++;
        if (list.part === 1) await sitemap.add(file, category?.updatedAt);
      }
    }
  }
  for await (const product of products()) {
    const file = urls.fileOf('product', product.slug);
    await sitemap.add(urls.productUrl(product), product.updatedAt);
    if (file === undefined) continue;
    await writePage('product', file, () => showProduct(product));
    counts.products++;
  }
  for await (const page of texts()) {
    const file = urls.fileOf('page', page.slug);
    await sitemap.add(urls.pageUrl(page), page.updatedAt);
    if (file === undefined) continue;
    await writePage('page', file, () => showText(page));
    counts.texts++;
  }
  return counts;
}

/** All published products with their variants and pictures, a few at a time. @returns {AsyncGenerator<Product>} */
async function* products() {
  for (let after; ; ) {
    const { items } = await api.listProducts({ include: 'variants,media', limit: 100, after });
    // One request for those of the whole list.
    await api.getImages(
      items.flatMap(({ seoImageId, media = [] }) =>
        seoImageId && !media.some(({ id }) => id === seoImageId) ? [seoImageId] : [],
      ),
    );
    yield* items;
    after = items.at(-1)?.id;
    if (after === undefined) return;
  }
}

/** @returns {AsyncGenerator<Text>} */
async function* texts() {
  for (let offset = 0; ; ) {
    const { items } = await api.listPages({ limit: 100, offset });
    yield* items;
    offset += items.length;
    if (items.length === 0) return;
  }
}

/**
 * A list in parts of as many products as the shop shows at a time. An empty list has one part.
 * @typedef {{ part: number, parts: number, total: number, items: Product[] }} Part
 * @param {string | undefined} categoryId
 * @returns {AsyncGenerator<Part>}
 */
async function* listParts(categoryId) {
  const size = intro.atOnce;
  /** @type {Product[]} */
  const found = [];
  let total = 0;
  for (let part = 1, offset = 0; ; part++) {
    while (found.length < size) {
      const query = { group: 'variants', include: 'media', sort: 'newest', categoryId, limit: 4 * size, offset };
      const list = await api.listProducts(query);
      total = list.total;
      offset += list.items.length;
      found.push(...list.items);
      if (list.items.length === 0) break;
    }
    const items = found.splice(0, size);
    if (items.length === 0 && part > 1) return;
    yield { part, parts: Math.max(1, Math.ceil(total / size)), total, items };
    if (items.length < size) return;
  }
}

async function showHome() {
  const { heroCount } = home;
  const list = { group: 'variants', include: 'media', sort: 'newest', limit: intro.atOnce + heroCount };
  const { items } = await api.listProducts(list);
  head.setHead({ title: shop.name, description: given.intro, url: 'index.html' });
  await home.showTiles(byId('tiles'), await shell.categories, items);
  home.showHero(byId('hero'), items.slice(0, heroCount));
  fill(byId('intro'), items.length > heroCount ? intro.homeIntro() : []);
  showGrid(items.slice(heroCount), { eager: false });
  byId('sorting').hidden = true;
}

/** @param {Product[]} items @param {{ eager: boolean }} options */
function showGrid(items, { eager }) {
  byId('catalogue').hidden = false;
  // Filters and orders need scripts.
  byId('filter-box').hidden = true;
  const grid = byId('grid');
  fill(
    grid,
    items.map((product, i) => groups.card(product, { eager: eager && i < 4 })),
  );
  grid.removeAttribute('aria-busy');
}

/**
 * @param {Part} list
 * @param {(part: number) => string} fileOf
 * @param {import('./shop/js/home.js').Branch | undefined} branch
 * @param {import('./shop/js/api.js').Category | undefined} category
 */
async function showList({ part, parts, total, items }, fileOf, branch, category) {
  const heading = category?.name ?? 'All products';
  const { seoTitle, seoDescription, seoImageId, description = null } = category ?? {};
  const image = seoImageId ? (await api.getImages([seoImageId])).get(seoImageId) : undefined;
  const title = seoTitle || heading;
  head.setHead({
    title: intro.partTitle(title, part),
    description: seoDescription || description,
    image,
    url: fileOf(part),
  });
  await shell.showCategories(category?.slug ?? '');
  const text = plainView(description, descriptions.formatOf(description, 'text'));
  fill(byId('intro'), intro.listIntro(heading, text, branch, category?.slug ?? ''));
  fill(
    byId('status'),
    total === 0 ? 'There are no products here yet.' : `${total} ${total === 1 ? 'product' : 'products'}`,
  );
  byId('sort').parent.hidden = true;
  showGrid(items, { eager: true });
  const link = (/** @type {number} */ to, /** @type {string} */ words) =>
    to >= 1 && to <= parts && h('a', { class: 'button', href: fileOf(to) }, words);
  byId('parts').hidden = parts === 1;
  fill(byId('parts'), link(part - 1, 'Previous page'), ' ', link(part + 1, 'Next page'));
}

/** @param {Product} product */
async function showProduct(product) {
  await productHead.setProductHead(product);
  await shell.showCategories(await productView.categoryOf(product));
  const description = plainView(product.description, product.descriptionFormat);
  const view = await productView.productView(product, description, () => {});
  // The cart needs scripts.
  for (const form of view.all(({ tag }) => tag === 'form'))
    for (const field of form.all(({ tag }) => tag === 'input' || tag === 'button')) field.setAttribute('disabled', '');
  fill(byId('main'), view, otherVariants(product));
}

/** Links to the other variants, which are chosen with scripts otherwise. @param {Product} product */
function otherVariants({ variants = [] }) {
  if (variants.length === 0) return null;
  const links = variants.map(({ slug, attributes }) =>
    h(
      'li',
      {},
      h('a', { class: 'chip', href: urls.productUrl({ slug }) }, Object.values(attributes).join(', ') || slug),
    ),
  );
  return h('noscript', {}, h('h2', {}, 'Other variants'), h('ul', { class: 'chips' }, links));
}

/** @param {Text} page */
async function showText(page) {
  await text.setTextHead(page);
  fill(byId('main'), text.textView(page, plainView(page.content, descriptions.formatOf(page.content, 'markdown'))));
}

/**
 * The words of a text in paragraphs. Nothing here can make foreign HTML safe; in the browser the page shows it with its markup.
 * @param {string | null} written
 * @param {'text' | 'markdown' | 'html'} format
 */
function plainView(written, format) {
  const words = plainText(written, format);
  if (words === '') return null;
  if (format === 'text') return h('p', { class: 'description' }, written);
  const lines = (/** @type {string} */ paragraph) =>
    paragraph.split('\n').flatMap((line, i) => (i > 0 ? [h('br'), line] : [line]));
  return h(
    'div',
    { class: 'markup' },
    words.split('\n\n').map((paragraph) => h('p', {}, lines(paragraph))),
  );
}

/** Puts the new files in the place of the old ones. */
async function replaceTarget() {
  const old = `${temporary}-old`;
  const isNew = await rename(target, old).then(
    () => false,
    (error) => {
      if (error.code === 'ENOENT') return true;
      throw error;
    },
  );
  try {
    await rename(temporary, target);
  } catch (error) {
    if (!isNew) await rename(old, target);
    throw error;
  }
  await rm(old, { recursive: true, force: true });
}
