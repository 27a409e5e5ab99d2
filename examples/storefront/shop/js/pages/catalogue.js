import config from '../../config.js';
import { getImages, listProducts } from '../api.js';
import { attributeNames, attributesIn, narrowed, noFilters, prefix, readChoice, urlOf } from '../catalogue/choice.js';
import { showFilters } from '../catalogue/filters.js';
import { atOnce, homeIntro, listIntro, partTitle, partUrl } from '../catalogue/intro.js';
import { formatOf, formatted } from '../description.js';
import { byId, fill, h } from '../dom.js';
import { card } from '../groups.js';
import { setHead } from '../head.js';
import { heroCount, showHero, showTiles } from '../home.js';
import { categories, showCategories, showFailure, showShell, wordsFor } from '../shell.js';
import { shop } from '../shop.js';

/** @typedef {import('../groups.js').Listed} Listed */
/** @typedef {import('../catalogue/choice.js').Choice} Choice */

/**
 * A page of a choice with its facets: one request.
 * @param {Choice} choice
 * @param {number} offset
 * @param {number} limit
 * @param {AbortSignal} signal
 */
async function productsOf({ q, category, attributes, min, max, inStock, sort }, offset, limit, signal) {
  const id = category && (await idOf(category));
  if (category && !id) return { items: [], total: 0 };
  return listProducts(
    {
      limit,
      offset,
      group: 'variants',
      include: 'media',
      search: q,
      categoryId: id,
      ...Object.fromEntries(Object.entries(attributes).map(([name, values]) => [prefix + name, values])),
      minPrice: min,
      maxPrice: max,
      ...(inStock && { inStock: 'true' }),
      sort: sort || (q.trim() ? 'relevance' : 'newest'),
      facets: [...attributeNames.map((name) => prefix + name), 'price', 'inStock'].join(','),
    },
    signal,
  );
}

/** @param {string} slug */
async function idOf(slug) {
  const all = (await categories).flatMap(({ root, children }) => [root, ...children]);
  return all.find((one) => one.slug === slug)?.id;
}

/** @param {Choice} choice */
const isHome = (choice) => !choice.isAll && !choice.q && !choice.category && !choice.sort && narrowed(choice) === 0;

/** Work for the present choice; the next choice cancels it. */
let current = new AbortController();
/** The products that are shown, with their variants. @type {Listed[]} */
let found = [];
let total = 0;
/** Products that the first page shows above the grid. */
let above = 0;
/** Products that the files before this one show. */
let before = 0;

/** @param {Choice} choice */
async function show(choice) {
  current.abort();
  current = new AbortController();
  found = [];
  above = isHome(choice) ? heroCount : 0;
  before = ((choice.part ?? 1) - 1) * atOnce;
  byId('grid').setAttribute('aria-busy', 'true');
  await more(choice, current.signal);
}

/** @param {Choice} choice @param {AbortSignal} signal */
async function more(choice, signal) {
  try {
    const isFirst = found.length === 0;
    const list = await productsOf(choice, before + found.length, atOnce + (isFirst ? above : 0), signal);
    const tree = await categories;
    const intro = isFirst ? await introOf(choice, list.items.length) : undefined;
    if (signal.aborted) return;
    const shown = Math.max(0, found.length - above);
    found = [...found, ...list.items];
    total = list.total;
    if (intro) {
      if (above > 0) await showTiles(byId('tiles'), tree, found);
      if (above > 0) showHero(byId('hero'), found.slice(0, above));
      byId('hero').hidden = above === 0;
      byId('tiles').hidden = byId('tiles').children.length === 0 || above === 0;
      fill(byId('intro'), intro);
      showFilters(choice, 'facets' in list ? list.facets : undefined, go);
      byId('catalogue').hidden = false;
      byId('filter-box').hidden = byId('filters').children.length === 0 || above > 0;
      byId('sorting').hidden = above > 0;
    }
    const grid = byId('grid');
    const nodes = found
      .slice(above + shown)
      .map((product, i) => card(product, { eager: above === 0 && isFirst && i < 4 }));
    if (isFirst) fill(grid, nodes);
    else grid.append(...nodes);
    grid.removeAttribute('aria-busy');
    byId('parts').hidden = true;
    byId('more').hidden = before + found.length >= total || list.items.length === 0;
    fill(byId('status'), statusOf(choice));
    if (!isFirst) nodes[0]?.querySelector('a')?.focus();
  } catch (error) {
    if (signal.aborted) return;
    if (byId('catalogue').hidden) return showFailure(error);
    byId('grid').removeAttribute('aria-busy');
    fill(
      byId('status'),
      wordsFor(error),
      ' ',
      h('button', { class: 'plain', onclick: () => void show(choice) }, 'Try again'),
    );
  }
}

/** @param {Choice} choice */
function statusOf(choice) {
  if (total === 0) return nothing(choice);
  return above > 0 ? '' : `${total} ${total === 1 ? 'product' : 'products'}`;
}

/** @param {Choice} choice */
function nothing(choice) {
  const { q } = choice;
  if (q) return `No products match “${q}”${narrowed(choice) > 0 ? ' and these filters' : ''}.`;
  return narrowed(choice) > 0 ? 'No products match these filters.' : 'There are no products here yet.';
}

/**
 * Heading and text of a choice, with links to the categories below. Sets the title of the page too.
 * @param {Choice} choice
 * @param {number} count of products on the page
 */
async function introOf(choice, count) {
  const { q, category, part = 1 } = choice;
  const tree = await categories;
  const branch = tree.find(({ root, children }) => [root, ...children].some(({ slug }) => slug === category));
  const found = branch && [branch.root, ...branch.children].find(({ slug }) => slug === category);
  void showCategories(category || (isHome(choice) || q ? undefined : ''));
  const heading = q
    ? `Results for “${q}”`
    : (found?.name ?? (category ? 'This category does not exist' : 'All products'));
  const image = found?.seoImageId ? (await getImages([found.seoImageId])).get(found.seoImageId) : undefined;
  setHead({
    title: isHome(choice) ? shop.name : partTitle((!q && found?.seoTitle) || heading, part),
    description: found ? found.seoDescription || found.description : config.intro,
    image,
    url: part > 1 ? partUrl(category, part) : urlOf({ ...choice, ...noFilters, sort: '' }),
  });
  if (isHome(choice)) return count > above ? homeIntro() : [];
  const text = q || !found ? null : await formatted(found.description, formatOf(found.description, 'text'));
  return listIntro(heading, text, branch, category);
}

/** Goes to another choice. @param {Choice} choice */
function go(choice) {
  history.pushState(null, '', urlOf(choice));
  void show(readChoice());
}

// On a wide screen, the filters are always open.
const isWide = matchMedia('(min-width: 64rem)');
const fit = () => {
  if (isWide.matches) byId('filter-box').setAttribute('open', '');
  else byId('filter-box').removeAttribute('open');
};
isWide.addEventListener('change', fit);
fit();

const field = () => /** @type {HTMLInputElement} */ (byId('q'));

/** Searches the whole shop. */
function search() {
  go({ q: field().value.trim(), category: '', ...noFilters, sort: '', isAll: true });
}

try {
  const shell = showShell();
  field().value = readChoice().q;
  byId('search').addEventListener('submit', (event) => {
    event.preventDefault();
    search();
  });
  // The button in the field that clears it.
  field().addEventListener('input', () => field().value === '' && readChoice().q !== '' && search());
  const filters = /** @type {HTMLFormElement} */ (byId('filters'));
  filters.addEventListener('change', () => {
    const data = new FormData(filters);
    const amount = (/** @type {string} */ name) =>
      String(data.get(name) ?? '')
        .trim()
        .replace(',', '.');
    go({
      ...readChoice(),
      attributes: attributesIn(data),
      min: amount('min'),
      max: amount('max'),
      inStock: data.has('stock'),
      isAll: true,
    });
  });
  filters.addEventListener('submit', (event) => event.preventDefault());
  byId('sort').addEventListener('change', () => {
    const { value } = /** @type {HTMLSelectElement} */ (byId('sort'));
    go({ ...readChoice(), sort: value, isAll: true });
  });
  byId('more').addEventListener('click', () => void more(readChoice(), current.signal));
  addEventListener('popstate', () => {
    field().value = readChoice().q;
    void show(readChoice());
  });
  await Promise.all([shell, show(readChoice())]);
} catch (error) {
  showFailure(error);
}
