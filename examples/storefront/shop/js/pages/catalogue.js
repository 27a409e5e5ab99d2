import config from '../../config.js';
import { getAttributes, getImages, listByAttributes, listProducts } from '../api.js';
import { capitalised, valueLabel } from '../choices.js';
import { formatOf, formatted } from '../description.js';
import { byId, fill, h } from '../dom.js';
import { addToGroups, card, imageIds } from '../groups.js';
import { setHead } from '../head.js';
import { heroCount, showHero, showTiles } from '../home.js';
import { categories, showCategories, showFailure, showShell, wordsFor } from '../shell.js';
import { catalogueUrl } from '../urls.js';

/** @typedef {import('../api.js').Product} Product */
/** @typedef {{ q: string, category: string, attributes: Record<string, string>, isAll: boolean }} Choice `isAll` lists all products instead of the first page */

/** Cards shown at a time. */
const cardsAtOnce = 24;
/** Products per request. */
const pageSize = 48;
/** Requests after which a filter with few matches asks before it continues. */
const maxRequests = 8;
const prefix = 'attr.';

/** @returns {Choice} */
function readChoice() {
  const query = new URLSearchParams(location.search);
  const attributes = [...query].filter(([name, value]) => name.startsWith(prefix) && value !== '');
  return {
    q: query.get('q') ?? '',
    category: query.get('category') ?? '',
    isAll: query.has('all'),
    attributes: Object.fromEntries(attributes.map(([name, value]) => [name.slice(prefix.length), value])),
  };
}

/** @param {Choice} choice */
function urlOf({ q, category, attributes, isAll }) {
  const named = Object.entries(attributes).map(([name, value]) => [prefix + name, value]);
  const all = isAll && !category && !q && named.length === 0;
  return catalogueUrl({
    ...(all && { all: '1' }),
    ...(category && { category }),
    ...(q && { q }),
    ...Object.fromEntries(named),
  });
}

/**
 * The products of a choice, page by page. The store filters by category and search, or by attributes; if both are chosen, this page filters
 * by attributes.
 * @param {Choice} choice
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<Product[]>}
 */
async function* productsOf({ q, category, attributes }, signal) {
  const ids = await categoryIds(category);
  const chosen = Object.entries(attributes);
  const seen = new Set();
  for (const categoryId of ids) {
    for (let offset = 0; ; ) {
      const page = { limit: pageSize, offset };
      const byAttributes = chosen.length > 0 && !q && categoryId === undefined;
      const { items, total } = byAttributes
        ? await listByAttributes(attributes, page, signal)
        : await listProducts({ ...page, search: q, categoryId }, signal);
      const fresh = items.filter(
        (product) => !seen.has(product.id) && chosen.every(([name, value]) => product.attributes[name] === value),
      );
      for (const { id } of fresh) seen.add(id);
      yield fresh;
      // A page of long products has fewer than were requested.
      offset += items.length;
      if (items.length === 0 || offset >= total) break;
    }
  }
}

/**
 * A category with its children.
 * @param {string} slug
 * @returns {Promise<(string | undefined)[]>}
 */
async function categoryIds(slug) {
  if (!slug) return [undefined];
  for (const { root, children } of await categories) {
    if (root.slug === slug) return [root.id, ...children.map(({ id }) => id)];
    const child = children.find((one) => one.slug === slug);
    if (child) return [child.id];
  }
  return [];
}

/** @param {Choice} choice */
const isHome = ({ q, category, attributes, isAll }) =>
  !isAll && !q && !category && Object.keys(attributes).length === 0;

/** Work for the present choice; the next choice cancels it. */
let current = new AbortController();
/** @type {AsyncGenerator<Product[]>} */
let source;
/** Products by group of variants. @type {Map<string, Product[]>} */
let groups = new Map();
/** Cards in the grid. */
let shown = 0;
/** Groups that the first page shows above the grid. */
let above = 0;
let isDone = false;

/** @param {Choice} choice */
async function show(choice) {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  source = productsOf(choice, signal);
  groups = new Map();
  shown = 0;
  above = isHome(choice) ? heroCount : 0;
  isDone = false;
  byId('grid').setAttribute('aria-busy', 'true');
  await more(choice, signal);
}

/** @param {Choice} choice @param {AbortSignal} signal */
async function more(choice, signal) {
  try {
    const wanted = above + shown + cardsAtOnce;
    for (let requests = 0; groups.size < wanted && !isDone && requests < maxRequests; requests++) {
      const { value, done } = await source.next();
      if (signal.aborted) return;
      isDone = done === true;
      addToGroups(groups, value ?? []);
    }
    const found = [...groups.values()].slice(0, wanted);
    const [images, tree] = await Promise.all([getImages(imageIds(found)), categories, filtersShown]);
    const isFirst = shown === 0;
    const intro = isFirst ? await introOf(choice) : undefined;
    if (signal.aborted) return;
    if (intro) {
      if (above > 0) await showTiles(byId('tiles'), tree, found, images);
      if (above > 0) showHero(byId('hero'), found.slice(0, above), images);
      byId('hero').hidden = byId('hero').hidden || above === 0;
      byId('tiles').hidden = byId('tiles').hidden || above === 0;
      fill(byId('intro'), intro);
      byId('catalogue').hidden = false;
      byId('filter-box').hidden = byId('filters').children.length === 0 || above > 0;
    }
    const grid = byId('grid');
    const nodes = found.slice(above).map((group, i) => card(group, images, { eager: above === 0 && i < 4 }));
    // Existing cards stay: they can hold the focus, and a variant that came later changes one.
    if (isFirst) fill(grid, nodes);
    else
      for (const [i, node] of nodes.entries()) {
        if (i >= shown) grid.append(node);
        else if (grid.children[i]?.textContent !== node.textContent) grid.children[i]?.replaceWith(node);
      }
    const next = grid.children[shown]?.querySelector('a');
    shown = nodes.length;
    grid.removeAttribute('aria-busy');
    const isAll = isDone && above + shown >= groups.size;
    byId('more').hidden = isAll;
    fill(byId('status'), statusOf(choice, isAll));
    if (!isFirst) next?.focus();
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

/** @param {Choice} choice @param {boolean} isAll */
function statusOf(choice, isAll) {
  if (groups.size === 0) return nothing(choice);
  if (above > 0) return '';
  return `${shown}${isAll ? '' : ' and more'} ${shown === 1 && isAll ? 'product' : 'products'}`;
}

/** @param {Choice} choice */
function nothing({ q, attributes }) {
  const narrowed = Object.keys(attributes).length > 0;
  if (q) return `No products match “${q}”${narrowed ? ' and these filters' : ''}.`;
  return narrowed ? 'No products match these filters.' : 'There are no products here yet.';
}

/** Heading and text of a choice, with links to the categories below. Sets the title of the page too. @param {Choice} choice */
async function introOf(choice) {
  const { q, category } = choice;
  const tree = await categories;
  const branch = tree.find(({ root, children }) => [root, ...children].some(({ slug }) => slug === category));
  const found = branch && [branch.root, ...branch.children].find(({ slug }) => slug === category);
  void showCategories(category || (isHome(choice) || q ? undefined : ''));
  const heading = q
    ? `Results for “${q}”`
    : (found?.name ?? (category ? 'This category does not exist' : 'All products'));
  const image = found?.seoImageId ? (await getImages([found.seoImageId])).get(found.seoImageId) : undefined;
  setHead({
    title: isHome(choice) ? config.name : (!q && found?.seoTitle) || heading,
    description: found ? found.seoDescription || found.description : config.intro,
    image,
    url: urlOf({ ...choice, attributes: {} }),
  });
  if (isHome(choice))
    return groups.size > above
      ? [h('h2', {}, 'More products'), h('p', {}, h('a', { href: catalogueUrl({ all: '1' }) }, 'See all products'))]
      : [];
  const text = q || !found ? null : await formatted(found.description, formatOf(found.description, 'text'));
  return [h('h1', {}, heading), text, branch && branch.children.length > 0 && below(branch, category)];
}

/** @param {import('../home.js').Branch} branch @param {string} category */
function below({ root, children }, category) {
  const link = (/** @type {string} */ slug, /** @type {string} */ name) =>
    h(
      'li',
      {},
      h(
        'a',
        { class: 'chip', href: catalogueUrl({ category: slug }), ...(slug === category && { 'aria-current': 'page' }) },
        name,
      ),
    );
  return h(
    'nav',
    { 'aria-label': root.name },
    h(
      'ul',
      { class: 'chips' },
      link(root.slug, `All ${root.name.toLocaleLowerCase(config.locale)}`),
      ...children.map(({ slug, name }) => link(slug, name)),
    ),
  );
}

/** @param {Choice} choice */
async function showFilters(choice) {
  const { keys, values } = await getAttributes().catch(() => ({
    keys: [],
    values: /** @type {Record<string, string[]>} */ ({}),
  }));
  const narrowed = Object.keys(choice.attributes).length;
  const groups = keys.slice(0, 8).map((name) => {
    const all = (values[name] ?? []).slice(0, 200);
    const chosen = choice.attributes[name] ?? '';
    const label = capitalised(name);
    if (all.length > 12) {
      const select = h(
        'select',
        { name: prefix + name },
        h('option', { value: '' }, 'Any'),
        all.map((value) => h('option', { value, selected: value === chosen }, capitalised(value))),
      );
      return h(
        'fieldset',
        {},
        h('legend', {}, label),
        h('label', { class: 'field' }, h('span', { class: 'hidden' }, label), select),
      );
    }
    const chip = (/** @type {string} */ value, /** @type {Node[]} */ text) =>
      h(
        'label',
        { class: 'chip' },
        h('input', { type: 'radio', name: prefix + name, value, checked: value === chosen }),
        ...text,
      );
    return h(
      'fieldset',
      {},
      h('legend', {}, label),
      h(
        'div',
        { class: 'chips' },
        chip('', [h('span', {}, 'Any')]),
        all.map((value) => chip(value, valueLabel(value))),
      ),
    );
  });
  fill(byId('filters'), groups);
  fill(byId('filter-count'), narrowed > 0 ? ` (${narrowed})` : '');
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

/** The filters, which are there before the first products, so that nothing moves. */
const filtersShown = showFilters(readChoice());

const field = () => /** @type {HTMLInputElement} */ (byId('q'));

/** Searches the whole shop. */
function search() {
  go({ q: field().value.trim(), category: '', attributes: {}, isAll: true });
  void showFilters(readChoice());
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
  byId('filters').addEventListener('change', () => {
    const data = new FormData(/** @type {HTMLFormElement} */ (byId('filters')));
    const chosen = [...data].filter(([, value]) => value !== '');
    const attributes = Object.fromEntries(chosen.map(([name, value]) => [name.slice(prefix.length), String(value)]));
    go({ ...readChoice(), attributes, isAll: true });
    fill(byId('filter-count'), chosen.length > 0 ? ` (${chosen.length})` : '');
  });
  byId('more').addEventListener('click', () => void more(readChoice(), current.signal));
  addEventListener('popstate', () => {
    field().value = readChoice().q;
    void show(readChoice());
    void showFilters(readChoice());
  });
  await Promise.all([shell, show(readChoice())]);
} catch (error) {
  showFailure(error);
}
