import { getImages, quote } from './api.js';
import { readCart } from './cart.js';
import { h } from './dom.js';
import { money } from './money.js';
import { shop } from './shop.js';

/** @typedef {import('./api.js').Quote} Quote */
/**
 * A line of the cart with what the store says of it. `image` is undefined when it has none.
 * @typedef {import('./cart.js').CartLine & { quoted: Quote['lines'][number], image: import('./api.js').Media | undefined }} Line
 */

/**
 * The cart as the store prices it now.
 * @param {Omit<import('./api.js').QuoteInput, 'items'>} [more] what is known of the order
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ lines: Line[], quoted: Quote | undefined }>}
 */
export async function quoteCart(more = {}, signal) {
  const cart = readCart();
  if (cart.length === 0) return { lines: [], quoted: undefined };
  const quoted = await quote({ items: cart.map(itemOf), ...more }, signal);
  const images = await getImages(quoted.lines.flatMap(({ mediaId }) => mediaId ?? []));
  const lines = quoted.lines.map((line, i) => ({
    id: cart[i]?.id ?? '',
    title: line.title ?? cart[i]?.title ?? '',
    quantity: line.quantity,
    ...(cart[i]?.options && { options: cart[i].options }),
    quoted: line,
    image: line.mediaId ? images.get(line.mediaId) : undefined,
  }));
  return { lines, quoted };
}

/** A line as the store takes it. @param {import('./cart.js').CartLine} line */
export const itemOf = ({ id, quantity, options }) => ({ productId: id, quantity, ...(options && { options }) });

/** What a buyer wrote for a line. @param {Record<string, string> | undefined} options */
export const optionsList = (options = {}) =>
  Object.keys(options).length > 0 &&
  h(
    'span',
    { class: 'options note' },
    Object.entries(options).map(([name, text]) => h('span', {}, `${name}: ${text}`)),
  );

/**
 * The reason why a line cannot be bought, in words; empty if it can.
 * @param {Line} line
 */
export function trouble({ quoted: { problem, available } }) {
  if (problem === null) return '';
  if (problem === 'PRODUCT_NOT_FOUND') return 'This product is no longer sold.';
  return available === 0 ? 'This product is sold out.' : `Only ${available} left.`;
}

/** Why a cart as a whole cannot be bought, in words; empty if it can. @param {Quote} quoted */
export function smallestOrder({ problems }) {
  if (!problems.some(({ code }) => code === 'BELOW_MINIMUM')) return '';
  // What the browser remembers of the shop can be a minute old.
  return shop.minSubtotal === null ? 'This order is too small.' : `The smallest order is ${money(shop.minSubtotal)}.`;
}
