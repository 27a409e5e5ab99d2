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

/** @typedef {Pick<import('./api.js').Product, 'price' | 'priorPrice' | 'unitPricing'>} Priced */

/**
 * The lowest price of the 30 days before a reduction; undefined if there is none. The law asks for this price, so the page shows no other
 * one as the price before: `compareAtPrice` is what the shop says it was.
 * @param {Pick<Priced, 'price' | 'priorPrice'>} product
 */
export const priorOf = ({ price, priorPrice }) =>
  priorPrice !== null && isAbove(priorPrice, price) ? priorPrice : undefined;

/** The price of a unit, such as a litre. @param {Pick<Priced, 'unitPricing'>} product */
const unitOf = ({ unitPricing }) =>
  unitPricing ? [' ', h('span', { class: 'unit' }, `${money(unitPricing.price)} / ${unitPricing.base}`)] : [];

/** The price of a product, the one before a reduction, and that of a unit. @param {Priced} product */
export function priceOf(product) {
  const { price } = product;
  const prior = priorOf(product);
  const shown = prior
    ? [
        h('span', { class: 'reduced' }, h('span', { class: 'hidden' }, 'now '), money(price)),
        ' ',
        h('s', {}, h('span', { class: 'hidden' }, 'instead of '), money(prior)),
      ]
    : [money(price)];
  return [...shown, ...unitOf(product)];
}

/** The price of a product with its variants; the lowest one if they differ. @param {Listed} product */
export function groupPrice(product) {
  const { group, price } = product;
  if (!group || group.minPrice === group.maxPrice) return priceOf(product);
  // The price of a unit is known of this variant.
  return [`from ${money(group.minPrice)}`, ...(price === group.minPrice ? unitOf(product) : [])];
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
