import { available } from '../cart.js';
import { choices } from '../choices.js';
import { h } from '../dom.js';
import { gallery } from '../gallery.js';
import { priceOf, priorOf } from '../groups.js';
import { money, percent, percentOff } from '../money.js';
import { categories, priceNote } from '../shell.js';
import { catalogueUrl } from '../urls.js';
import { buyForm } from './buy.js';
import { details } from './details.js';

/** @typedef {import('../api.js').ListedProduct} Product */

/** Stock from which on the page shows how little is left. */
const few = 5;

/**
 * The page of a product.
 * @param {Product} product with its variants and pictures
 * @param {HTMLElement | null} description
 * @param {(variant: { slug: string }, name: string, value: string) => void} choose
 */
export async function productView(product, description, choose) {
  const left = available(product);
  const { title, brand, media = [], variants = [] } = product;
  const self = { ...product, available: left };
  const status = h('p', { role: 'status', class: 'said', id: 'said' });
  const note = priceNote();
  return h(
    'div',
    { class: 'product' },
    gallery(media, title),
    h(
      'div',
      { class: 'facts' },
      await crumbs(product),
      brand && h('p', { class: 'note' }, brand),
      h('h1', {}, title),
      h('p', { class: 'price' }, priceOf(product)),
      priorNote(product),
      note && h('p', { class: 'note' }, note),
      choices(self, [self, ...variants], choose),
      buyForm(product, left, status),
      left > 0 && left <= few && h('p', { class: 'few' }, left === 1 ? 'Only 1 left' : `Only ${left} left`),
      status,
      description,
      details(product),
    ),
  );
}

/** The price before a reduction in words, and how much is taken off it. @param {Product} product */
function priorNote(product) {
  const prior = priorOf(product);
  if (!prior) return null;
  const off = percentOff(product.price, prior);
  const less = off > 0 ? ` (−${percent(String(off))})` : '';
  return h('p', { class: 'note' }, `Lowest price of the last 30 days before the reduction: ${money(prior)}${less}`);
}

/** @param {Product} product */
async function crumbs({ categoryIds }) {
  for (const { root, children } of await categories) {
    const child = children.find(({ id }) => categoryIds.includes(id));
    const path = child ? [root, child] : categoryIds.includes(root.id) ? [root] : [];
    if (path.length > 0) {
      return h(
        'nav',
        { 'aria-label': 'Breadcrumb', class: 'crumbs' },
        h(
          'ol',
          {},
          path.map(({ slug, name }) => h('li', {}, h('a', { href: catalogueUrl([['category', slug]]) }, name))),
        ),
      );
    }
  }
  return null;
}

/** The slug of the category that the head marks. @param {Product} product */
export async function categoryOf({ categoryIds }) {
  const all = (await categories).flatMap(({ root, children }) => [root, ...children]);
  return all.find(({ id }) => categoryIds.includes(id))?.slug;
}
