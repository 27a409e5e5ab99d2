import config from '../config.js';
import { listCategories, listPages, Refused } from './api.js';
import { countCart } from './cart.js';
import { byId, fill, h } from './dom.js';
import { setTitle } from './head.js';
import { searchBox, wireSearch } from './search.js';
import { ships, shop } from './shop.js';
import { catalogueUrl, pageUrl, withdrawUrl } from './urls.js';

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

/** Categories in two levels, loaded once a page. */
export const categories = listCategories().then(
  ({ items }) => {
    const sorted = items.toSorted((a, b) => a.name.localeCompare(b.name, shop.locale));
    return sorted
      .filter(({ parentId }) => parentId === null)
      .map((root) => ({ root, children: sorted.filter(({ parentId }) => parentId === root.id) }));
  },
  () => [],
);

/** The texts of the shop, loaded once a page. */
const texts = listPages().then(
  ({ items }) => items,
  () => [],
);

/** Head and foot of every page. */
export async function showShell() {
  fill(
    byId('header'),
    h('a', { class: 'skip', href: '#main' }, 'Skip to content'),
    h(
      'div',
      { class: 'bar' },
      h('a', { class: 'brand', href: 'index.html' }, shop.name),
      searchBox(),
      h('a', { class: 'cart-link', href: 'cart.html', id: 'cart-link' }),
    ),
    h('nav', { 'aria-label': 'Categories', id: 'categories', class: 'categories' }),
  );
  wireSearch();
  showCount();
  addEventListener('cart', showCount);
  addEventListener('storage', showCount);
  await Promise.all([showCategories(), showFoot()]);
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

/**
 * The categories in the head.
 * @param {string} [active] slug of the category that the page shows; empty on the page of all products
 */
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
          href: catalogueUrl([['category', slug]]),
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
              href: catalogueUrl([['all', '1']]),
              ...(active === '' && { 'aria-current': 'page' }),
            },
            'All products',
          ),
        ),
        tree.map(({ root }) => link(root)),
      ),
  );
}

async function showFoot() {
  const links = h('ul', {});
  fill(byId('footer'), h('p', {}, `All prices in ${shop.currency}, ${taxNote()}.`), links);
  const link = (/** @type {string} */ href, /** @type {string} */ text) => h('li', {}, h('a', { href }, text));
  // The way to withdraw and the texts of the law are on every page, whatever else can be loaded.
  const fixed = () => [
    link(withdrawUrl(), 'withdraw from contract here'),
    ...legal.map(({ slug, title }) => link(pageUrl({ slug }), title)),
  ];
  fill(links, fixed());
  const others = (await texts).filter(({ slug }) => !legal.some((one) => one.slug === slug));
  fill(
    links,
    fixed(),
    others.map(({ slug, title }) => link(pageUrl({ slug }), title)),
  );
}

/** Names of the texts that buyers must be able to read. @type {Record<keyof typeof shop.pages, string>} */
const legalTitles = {
  terms: 'Terms',
  privacy: 'Privacy',
  imprint: 'Imprint',
  withdrawal: 'Right of withdrawal',
  shipping: 'Shipping',
};

/** The published ones, each once: a page can be several of them. */
const legal = Object.entries(legalTitles)
  .map(([name, title]) => ({ slug: shop.pages[/** @type {keyof typeof shop.pages} */ (name)], title }))
  .filter((one, i, all) => one.slug !== null && all.findIndex(({ slug }) => slug === one.slug) === i)
  .map(({ slug, title }) => ({ slug: slug ?? '', title }));

/** What a price says of the tax. */
const taxNote = () => (shop.taxIncluded ? 'incl. tax' : 'plus any tax');

/** What is contained in a price, and what is added to it. */
export function priceNote() {
  if (!ships) return taxNote();
  return shop.taxIncluded ? 'incl. tax, plus shipping' : 'plus shipping and any tax';
}

/**
 * Shows an error on the page, and moves the focus there.
 * @param {unknown} error
 */
export function showFailure(error) {
  if (!(error instanceof Refused)) console.error(error);
  const heading = h('h1', { tabindex: -1 }, 'Something went wrong');
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
        h('a', { class: 'button plain', href: 'index.html' }, 'To the home page'),
      ),
    ),
  );
  setTitle('Something went wrong');
  heading.focus();
}

/**
 * The message of a failure for a buyer.
 * @param {unknown} error
 */
export function wordsFor(error) {
  if (!(error instanceof Refused)) return 'Something went wrong on this page.';
  if (error.status === 0) return 'The shop cannot be reached. Please check your connection.';
  if (error.status === 404) return 'This page does not exist, or not any more.';
  if (error.code === 'TOO_MANY_OPEN_CHECKOUTS')
    return 'The shop takes no more orders to be paid this way at the moment. Please choose another way to pay.';
  if (error.status === 429)
    return error.retryAfter > 60
      ? 'You have too many unpaid orders, or have ordered too often. Please choose another way to pay, or come back in an hour.'
      : 'Too many requests. Please wait a minute.';
  if (error.code === 'UNAVAILABLE')
    return 'The shop or its payment provider does not answer at the moment. Nothing was ordered. Please try again.';
  if (error.status >= 500) return 'Something went wrong in the shop. Nothing was ordered.';
  return error.message;
}
