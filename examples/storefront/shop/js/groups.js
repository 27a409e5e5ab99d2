import { available } from './cart.js';
import { h } from './dom.js';
import { money, toMinor } from './money.js';
import { picture } from './picture.js';
import { productUrl } from './urls.js';

/** @typedef {import('./api.js').Product} Product */
/** @typedef {Map<string, import('./api.js').Media>} Images */

/** Adds products to their groups of variants; a product without a group is by itself. @param {Map<string, Product[]>} groups @param {Product[]} products */
export function addToGroups(groups, products) {
  for (const product of products) {
    const name = product.variantGroupId ?? product.id;
    groups.set(name, [...(groups.get(name) ?? []), product]);
  }
}

/**
 * The variant that represents its group: one that can be bought.
 * @param {Product[]} group
 */
export const leader = (group) => /** @type {Product} */ (group.find((product) => available(product) > 0) ?? group[0]);

/** The picture of a group. @param {Product[]} group @param {Images} images */
export function imageOf(group, images) {
  const { primaryMediaId } = leader(group);
  return primaryMediaId ? images.get(primaryMediaId) : undefined;
}

/** Ids of the pictures of groups. @param {Product[][]} groups */
export const imageIds = (groups) => groups.flatMap((group) => leader(group).primaryMediaId ?? []);

/**
 * The common part of the variants' titles: "Mug" of "Mug, blue" and "Mug, red".
 * @param {Product[]} group
 */
export function nameOf(group) {
  const [first = '', ...rest] = group.map(({ title }) => title);
  if (rest.length === 0) return first;
  let length = first.length;
  for (const title of rest) while (!title.startsWith(first.slice(0, length))) length--;
  return /^(.+?)\s*[,:(/–-]\s*[^,:(/–-]*$/.exec(first.slice(0, length))?.[1] ?? first;
}

/** The price of a product, and the one before a reduction. @param {{ price: string, compareAtPrice: string | null }} product */
export function priceOf({ price, compareAtPrice }) {
  const isReduced = compareAtPrice !== null && toMinor(compareAtPrice) > toMinor(price);
  return isReduced
    ? [
        h('span', { class: 'reduced' }, h('span', { class: 'hidden' }, 'now '), money(price)),
        ' ',
        h('s', {}, h('span', { class: 'hidden' }, 'instead of '), money(compareAtPrice)),
      ]
    : [money(price)];
}

/** The price of a group; the lowest one if they differ. @param {Product[]} group */
export function groupPrice(group) {
  const cheapest = group.reduce((a, b) => (toMinor(b.price) < toMinor(a.price) ? b : a));
  return group.some(({ price }) => price !== cheapest.price) ? [`from ${money(cheapest.price)}`] : priceOf(cheapest);
}

/** Variants of a group in words. @param {Product[]} group */
export const options = (group) => (group.length > 1 ? `${group.length} options` : '');

/**
 * A group of variants in a list.
 * @param {Product[]} group
 * @param {Images} images
 * @param {{ eager?: boolean, sizes?: string }} [options] `eager` loads a picture at once, because it is visible without scrolling
 */
export function card(
  group,
  images,
  { eager = false, sizes = '(min-width: 64rem) 17rem, (min-width: 40rem) 30vw, 46vw' } = {},
) {
  const isGone = group.every((one) => available(one) === 0);
  return h(
    'li',
    { class: 'card' },
    h('div', { class: 'frame' }, picture(imageOf(group, images), { sizes, eager, alt: '' })),
    h('h2', {}, h('a', { href: productUrl(leader(group)) }, nameOf(group))),
    h('p', { class: 'price' }, groupPrice(group)),
    group.length > 1 && h('p', { class: 'note' }, options(group)),
    isGone && h('p', { class: 'badge' }, 'Sold out'),
  );
}
