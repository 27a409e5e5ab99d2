import config from '../config.js';
import { getAttributes, getImages, listByAttributes, listProducts } from './api.js';
import { available } from './cart.js';
import { byId, debounced, fill, h } from './dom.js';
import { money, toMinor } from './money.js';
import { picture } from './picture.js';
import {
  catalogueUrl,
  categories,
  productUrl,
  setTitle,
  showCategories,
  showFailure,
  showShell,
  wordsFor,
} from './shell.js';

/** @typedef {import('./api.js').Product} Product */
/** @typedef {{ q: string, category: string, attributes: Record<string, string> }} Choice */

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
    attributes: Object.fromEntries(attributes.map(([name, value]) => [name.slice(prefix.length), value])),
  };
}

/** @param {Choice} choice */
function urlOf({ q, category, attributes }) {
  const named = Object.entries(attributes).map(([name, value]) => [prefix + name, value]);
  return catalogueUrl({ ...(category && { category }), ...(q && { q }), ...Object.fromEntries(named) });
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

/** Work for the present choice; the next choice cancels it. */
let current = new AbortController();
/** @type {AsyncGenerator<Product[]>} */
let source;
/** Products by group of variants; a product without a group is by itself. @type {Map<string, Product[]>} */
let groups = new Map();
/** Groups that are shown. */
let shown = 0;
let isDone = false;

/** @param {Choice} choice */
async function show(choice) {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  source = productsOf(choice, signal);
  groups = new Map();
  shown = 0;
  isDone = false;
  byId('grid').setAttribute('aria-busy', 'true');
  void describe(choice);
  await more(choice, signal);
}

/** @param {Choice} choice @param {AbortSignal} signal */
async function more(choice, signal) {
  try {
    const wanted = shown + cardsAtOnce;
    for (let requests = 0; groups.size < wanted && !isDone && requests < maxRequests; requests++) {
      const { value, done } = await source.next();
      if (signal.aborted) return;
      isDone = done === true;
      for (const product of value ?? []) {
        const name = product.variantGroupId ?? product.id;
        groups.set(name, [...(groups.get(name) ?? []), product]);
      }
    }
    const cards = [...groups.values()].slice(0, wanted);
    const images = await getImages(cards.flatMap((group) => leader(group).primaryMediaId ?? []));
    if (signal.aborted) return;
    const isFirst = shown === 0;
    const grid = byId('grid');
    const nodes = cards.map((group, i) => card(group, images, i < 4));
    // Existing cards stay: they can hold the focus, and a variant that came later changes one.
    if (isFirst) fill(grid, nodes);
    else
      for (const [i, node] of nodes.entries()) {
        if (i >= shown) grid.append(node);
        else if (grid.children[i]?.textContent !== node.textContent) grid.children[i]?.replaceWith(node);
      }
    const next = grid.children[shown]?.querySelector('a');
    shown = cards.length;
    grid.removeAttribute('aria-busy');
    const isAll = isDone && shown === groups.size;
    byId('more').hidden = isAll;
    fill(
      byId('status'),
      shown === 0
        ? nothing(choice)
        : `${shown}${isAll ? '' : ' and more'} ${shown === 1 && isAll ? 'product' : 'products'}`,
    );
    if (!isFirst) next?.focus();
  } catch (error) {
    if (signal.aborted) return;
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
function nothing({ q, attributes }) {
  const narrowed = Object.keys(attributes).length > 0;
  if (q) return `Nothing here is called “${q}”${narrowed ? ' and fits the filters' : ''}.`;
  return narrowed ? 'Nothing fits these filters.' : 'There is nothing here yet.';
}

/**
 * The variant that represents its group: one that can be bought.
 * @param {Product[]} group
 */
const leader = (group) => /** @type {Product} */ (group.find((product) => available(product) > 0) ?? group[0]);

/** @param {Product[]} group @param {Map<string, import('./api.js').Media>} images @param {boolean} eager */
function card(group, images, eager) {
  const product = leader(group);
  const cheapest = group.reduce((a, b) => (toMinor(b.price) < toMinor(a.price) ? b : a));
  const differ = group.some(({ price }) => price !== cheapest.price);
  const image = product.primaryMediaId ? images.get(product.primaryMediaId) : undefined;
  return h(
    'li',
    { class: 'card' },
    picture(image, { sizes: '(min-width: 64rem) 17rem, (min-width: 40rem) 30vw, 46vw', eager, alt: '' }),
    h('h2', {}, h('a', { href: productUrl(product) }, nameOf(group))),
    h(
      'p',
      { class: 'price' },
      differ ? `from ${money(cheapest.price)}` : money(cheapest.price),
      !differ &&
        cheapest.compareAtPrice && [
          ' ',
          h('s', {}, h('span', { class: 'hidden' }, 'instead of '), money(cheapest.compareAtPrice)),
        ],
    ),
    group.length > 1 && h('p', { class: 'note' }, `${group.length} variants`),
    group.every((one) => available(one) === 0) && h('p', { class: 'badge' }, 'Sold out'),
  );
}

/**
 * The common part of the variants' titles: "Mug" of "Mug, blue" and "Mug, red".
 * @param {Product[]} group
 */
function nameOf(group) {
  const [first = '', ...rest] = group.map(({ title }) => title);
  if (rest.length === 0) return first;
  let length = first.length;
  for (const title of rest) while (!title.startsWith(first.slice(0, length))) length--;
  return /^(.+?)\s*[,:(/–-]\s*[^,:(/–-]*$/.exec(first.slice(0, length))?.[1] ?? first;
}

/** Heading, title and links for a choice. @param {Choice} choice */
async function describe({ q, category }) {
  const all = (await categories).flatMap(({ root, children }) => [root, ...children]);
  const found = all.find(({ slug }) => slug === category);
  const heading = found?.name ?? (category ? 'No such category' : config.name);
  fill(byId('heading'), heading);
  fill(byId('intro'), found?.description ?? (category ? '' : (config.intro ?? '')));
  setTitle(q ? `“${q}”` : heading);
  await showCategories(category);
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
    const label = name[0]?.toLocaleUpperCase(config.locale) + name.slice(1);
    if (all.length > 12) {
      const select = h(
        'select',
        { name: prefix + name },
        h('option', { value: '' }, 'Any'),
        all.map((value) => h('option', { value, selected: value === chosen }, value)),
      );
      return h(
        'fieldset',
        {},
        h('legend', {}, label),
        h('label', { class: 'field' }, h('span', { class: 'hidden' }, label), select),
      );
    }
    const chip = (/** @type {string} */ value, /** @type {string} */ text) =>
      h(
        'label',
        { class: 'chip' },
        h('input', { type: 'radio', name: prefix + name, value, checked: value === chosen }),
        h('span', {}, text),
      );
    return h(
      'fieldset',
      {},
      h('legend', {}, label),
      h(
        'div',
        { class: 'chips' },
        chip('', 'Any'),
        all.map((value) => chip(value, value)),
      ),
    );
  });
  fill(byId('filters'), groups);
  byId('filter-box').hidden = groups.length === 0;
  fill(byId('filter-count'), narrowed > 0 ? ` (${narrowed})` : '');
}

/** Goes to another choice. @param {Choice} choice @param {boolean} isNew whether "back" leads to the one before */
function go(choice, isNew) {
  if (isNew) history.pushState(null, '', urlOf(choice));
  else history.replaceState(null, '', urlOf(choice));
  void show(choice);
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

try {
  const shell = showShell(readChoice().category);
  field().value = readChoice().q;
  const search = debounced(() => go({ ...readChoice(), q: field().value.trim() }, false), 150);
  field().addEventListener('input', search);
  byId('search').addEventListener('submit', (event) => {
    event.preventDefault();
    go({ ...readChoice(), q: field().value.trim() }, true);
  });
  byId('filters').addEventListener('change', () => {
    const data = new FormData(/** @type {HTMLFormElement} */ (byId('filters')));
    const chosen = [...data].filter(([, value]) => value !== '');
    const attributes = Object.fromEntries(chosen.map(([name, value]) => [name.slice(prefix.length), String(value)]));
    go({ ...readChoice(), attributes }, true);
    fill(byId('filter-count'), chosen.length > 0 ? ` (${chosen.length})` : '');
  });
  byId('more').addEventListener('click', () => void more(readChoice(), current.signal));
  addEventListener('popstate', () => {
    field().value = readChoice().q;
    void show(readChoice());
    void showFilters(readChoice());
  });
  await Promise.all([shell, show(readChoice()), showFilters(readChoice())]);
} catch (error) {
  showFailure(error);
}
