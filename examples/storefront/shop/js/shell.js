import config from '../config.js';
import { listCategories, listPages, Refused } from './api.js';
import { countCart } from './cart.js';
import { byId, fill, h } from './dom.js';
import { percent } from './money.js';

/** @typedef {import('./api.js').Category} Category */

narrowPolicy();

/**
 * Lets the page connect only to the store. The policy in the page itself cannot name the store's address, which is a setting; both apply.
 */
function narrowPolicy() {
  const store = new URL(config.url).origin;
  const images = config.images ? new URL(config.images).origin : store;
  const content = `connect-src ${store}; img-src ${images} data:`;
  document.head.append(h('meta', { 'http-equiv': 'Content-Security-Policy', content }));
}

/** @param {Record<string, string>} query */
export const catalogueUrl = (query) => `index.html${Object.keys(query).length ? `?${new URLSearchParams(query)}` : ''}`;

/** @param {{ slug: string }} product */
export const productUrl = ({ slug }) => `product.html?${new URLSearchParams({ slug })}`;

/** Categories in two levels, loaded once a page. */
export const categories = listCategories().then(
  ({ items }) => {
    const sorted = items.toSorted((a, b) => a.name.localeCompare(b.name, config.locale));
    return sorted
      .filter(({ parentId }) => parentId === null)
      .map((root) => ({ root, children: sorted.filter(({ parentId }) => parentId === root.id) }));
  },
  () => [],
);

/**
 * Head and foot of every page.
 * @param {string} [active] slug of the category that is shown
 */
export async function showShell(active = '') {
  fill(
    byId('header'),
    h('a', { class: 'skip', href: '#main' }, 'Skip to the content'),
    h(
      'div',
      { class: 'bar' },
      h('a', { class: 'brand', href: 'index.html' }, config.name),
      h(
        'form',
        { role: 'search', class: 'search', action: 'index.html', id: 'search' },
        h('label', { class: 'hidden', for: 'q' }, 'Search the shop'),
        h('input', {
          id: 'q',
          name: 'q',
          type: 'search',
          placeholder: 'Search',
          maxlength: 200,
          autocomplete: 'off',
          enterkeyhint: 'search',
        }),
      ),
      h('a', { class: 'cart-link', href: 'cart.html', id: 'cart-link' }),
    ),
    h('nav', { 'aria-label': 'Categories', id: 'categories', class: 'categories' }),
  );
  showCount();
  addEventListener('cart', showCount);
  addEventListener('storage', showCount);
  showFoot();
  await showCategories(active);
}

function showCount() {
  const count = countCart();
  fill(
    byId('cart-link'),
    'Cart',
    h(
      'span',
      { class: 'count', ...(count === 0 && { hidden: true }) },
      count,
      h('span', { class: 'hidden' }, ' in it'),
    ),
  );
}

/** @param {string} active */
export async function showCategories(active) {
  const tree = await categories;
  const open = tree.find(({ root, children }) => root.slug === active || children.some(({ slug }) => slug === active));
  const link = (/** @type {Category} */ { slug, name }) =>
    h(
      'li',
      {},
      h(
        'a',
        {
          href: catalogueUrl({ category: slug }),
          'data-category': slug,
          ...(slug === active && { 'aria-current': 'page' }),
          ...(slug === open?.root.slug && { 'data-open': true }),
        },
        name,
      ),
    );
  fill(
    byId('categories'),
    tree.length > 0 &&
      h(
        'ul',
        {},
        h(
          'li',
          {},
          h(
            'a',
            {
              href: 'index.html',
              'data-category': '',
              ...(active === '' && byId('main').dataset.catalogue !== undefined && { 'aria-current': 'page' }),
            },
            'Everything',
          ),
        ),
        tree.map(({ root }) => link(root)),
      ),
    open &&
      open.children.length > 0 &&
      h('ul', { class: 'second', 'aria-label': open.root.name }, open.children.map(link)),
  );
}

async function showFoot() {
  const links = h('ul', {});
  fill(byId('footer'), h('p', {}, taxNote()), links);
  const { items } = await listPages().catch(() => ({ items: [] }));
  fill(
    links,
    items.map(({ slug, title }) => h('li', {}, h('a', { href: `page.html?${new URLSearchParams({ slug })}` }, title))),
  );
}

/** The currency of the prices in this shop, and their tax. */
export function taxNote() {
  if (Number(config.taxRate) === 0) return `All prices in ${config.currency}.`;
  const rate = percent(config.taxRate);
  return config.taxIncluded
    ? `All prices in ${config.currency}, with ${rate} tax.`
    : `All prices in ${config.currency}; ${rate} tax is added.`;
}

/** @param {string} text */
export function setTitle(text) {
  document.title = text === config.name ? text : `${text} – ${config.name}`;
}

/**
 * Shows an error on the page, and moves the focus there.
 * @param {unknown} error
 */
export function showFailure(error) {
  if (!(error instanceof Refused)) console.error(error);
  const heading = h('h1', { tabindex: -1 }, 'This did not work');
  fill(
    byId('main'),
    h(
      'div',
      { class: 'narrow' },
      heading,
      h('p', {}, wordsFor(error)),
      h(
        'p',
        {},
        h(
          'a',
          {
            class: 'button',
            href: location.href,
            onclick: (event) => {
              event.preventDefault();
              location.reload();
            },
          },
          'Try again',
        ),
        ' ',
        h('a', { class: 'button plain', href: 'index.html' }, 'To the shop'),
      ),
    ),
  );
  setTitle('This did not work');
  heading.focus();
}

/**
 * The message of a failure for a buyer.
 * @param {unknown} error
 */
export function wordsFor(error) {
  if (!(error instanceof Refused)) return 'Something went wrong in this page.';
  if (error.status === 0) return 'The shop cannot be reached. Please look at your connection.';
  if (error.status === 404) return 'There is no such thing in this shop, or not any more.';
  if (error.status === 429) return 'That was too fast for this shop. Please wait a minute.';
  if (error.code === 'UNAVAILABLE')
    return 'The shop or its payment provider does not answer at the moment. Nothing was ordered. Please try again.';
  if (error.status >= 500) return 'The shop has a fault. Nothing was ordered.';
  return error.message;
}
