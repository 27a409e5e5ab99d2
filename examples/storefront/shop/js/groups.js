import { h } from './dom.js';
import { isAbove, money } from './money.js';
import { picture } from './picture.js';
import { productUrl } from './urls.js';

/** @typedef {import('./api.js').ListedProduct} Listed a product of a list, or the first of its variants */

/** The main picture of a product of a list. @param {Listed} product */
export const imageOf = ({ primaryMediaId, media = [] }) => media.find(({ id }) => id === primaryMediaId) ?? media[0];

/**
 * The name of a product of a list: the title of one that has variants without what tells it from them, "Mug" of "Mug, blue".
 * @param {Listed} product
 */
export function nameOf({ title, group }) {
  if (!group || group.count < 2) return title;
  const values = Object.values(group.attributes).flat().map(letters);
  const parts = title.split(/\s*[,:(/–]\s*|\s+-\s+/);
  const own = parts.findIndex((part, i) => i > 0 && values.some((value) => value !== '' && value === letters(part)));
  return own > 0
    ? title.slice(0, title.indexOf(parts[own] ?? '', parts[0]?.length)).replace(/[\s,:(/–-]+$/, '')
    : title;
}

/** @param {string} text */
const letters = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The price of a product, and the one before a reduction. @param {{ price: string, compareAtPrice: string | null }} product */
export function priceOf({ price, compareAtPrice }) {
  const isReduced = compareAtPrice !== null && isAbove(compareAtPrice, price);
  return isReduced
    ? [
        h('span', { class: 'reduced' }, h('span', { class: 'hidden' }, 'now '), money(price)),
        ' ',
        h('s', {}, h('span', { class: 'hidden' }, 'instead of '), money(compareAtPrice)),
      ]
    : [money(price)];
}

/** The price of a product with its variants; the lowest one if they differ. @param {Listed} product */
export function groupPrice(product) {
  const { group } = product;
  return group && group.minPrice !== group.maxPrice ? [`from ${money(group.minPrice)}`] : priceOf(product);
}

/**
 * A product in a list, with its variants.
 * @param {Listed} product
 * @param {{ eager?: boolean, sizes?: string }} [options] `eager` loads a picture at once, because it is visible without scrolling
 */
export function card(
  product,
  { eager = false, sizes = '(min-width: 64rem) 17rem, (min-width: 40rem) 30vw, 46vw' } = {},
) {
  const { group } = product;
  return h(
    'li',
    { class: 'card' },
    h('div', { class: 'frame' }, picture(imageOf(product), { sizes, eager, alt: '' })),
    h('h2', {}, h('a', { href: productUrl(product) }, nameOf(product))),
    h('p', { class: 'price' }, groupPrice(product)),
    group && group.count > 1 && h('p', { class: 'note' }, `${group.count} options`),
    group && !group.inStock && h('p', { class: 'badge' }, 'Sold out'),
  );
}
