import { quote } from './api.js';
import { countCart, maxLines, maxQuantity, readCart, writeCart } from './cart.js';

/** A product and its quantity, in `buy=ID:2,ID:1`. Ids of products have 36 characters. */
const part = /^([A-Za-z0-9-]{1,64}):([1-9]\d?)$/;

/**
 * What a link wants to have in the cart. Anybody can write such a link, so everything unreadable in it is left out.
 * @param {string} text
 * @returns {{ wanted: Map<string, number>, isWhole: boolean }} quantities by id of a product; `isWhole` tells whether all of it was read
 */
function readLink(text) {
  /** @type {Map<string, number>} */
  const wanted = new Map();
  const parts = text.split(',', maxLines + 1);
  let isWhole = parts.length <= maxLines;
  for (const one of parts.slice(0, maxLines)) {
    const [, id, pieces] = part.exec(one) ?? [];
    if (id === undefined) isWhole = false;
    else wanted.set(id, Math.min((wanted.get(id) ?? 0) + Number(pieces), maxQuantity));
  }
  return { wanted, isWhole };
}

/**
 * Fills the cart from an address such as `cart.html?buy=ID:2,ID:1`, and removes this from the address. What was in the cart stays, and a product has at
 * least the quantity of the link then, so the same link does not add twice. Nothing is ordered.
 * @returns {Promise<string>} what the buyer must know about it; empty without such an address
 * @throws Refused if the store gives no prices; the address and the cart are as before
 */
export async function takeBuyLink() {
  const here = new URL(location.href);
  const text = here.searchParams.get('buy');
  if (text === null) return '';
  const { wanted, isWhole } = readLink(text);
  const items = [...wanted].map(([productId, quantity]) => ({ productId, quantity }));
  const { lines } = items.length > 0 ? await quote({ items }) : { lines: [] };
  let isAllThere = isWhole;
  for (const line of lines) {
    if (!line.productId || line.problem === 'PRODUCT_NOT_FOUND') isAllThere = false;
    else if (!fill(line.productId, line.title ?? '', line.quantity, line.available)) isAllThere = false;
  }
  here.searchParams.delete('buy');
  history.replaceState(history.state, '', here);
  return isAllThere
    ? 'The products of your link are in your cart.'
    : 'Not everything in your link could be put into your cart. Perhaps it is sold out.';
}

/**
 * @param {string} id @param {string} title @param {number} quantity
 * @param {number | null} left that the store shows; null without a limit
 * @returns {boolean} whether the cart has as much as the link wants
 */
function fill(id, title, quantity, left) {
  const missing = Math.min(quantity, left ?? maxQuantity) - countCart(id);
  if (missing > 0) {
    const cart = readCart();
    const same = cart.find((line) => line.id === id && line.options === undefined);
    if (!same && cart.length >= maxLines) return false;
    writeCart(
      same
        ? cart.map((line) => (line === same ? { ...line, quantity: line.quantity + missing } : line))
        : [...cart, { id, title, quantity: missing }],
    );
  }
  return countCart(id) >= quantity;
}
