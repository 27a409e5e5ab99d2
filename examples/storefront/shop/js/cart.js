import config from '../config.js';

/**
 * `options` is what the buyer wrote for it, by name. Two lines of one product can differ in it.
 * @typedef {{ id: string, title: string, quantity: number, options?: Record<string, string> }} CartLine
 */

const name = `cart ${config.storeId}`;
const checkoutName = `checkout ${config.storeId}`;

/** Most lines of a checkout. */
export const maxLines = 100;

/** Most pieces in the cart of a product without a stock limit. */
export const maxQuantity = 99;

/**
 * The cart of this browser. Prices are not stored: the store sets them.
 * @returns {CartLine[]}
 */
export function readCart() {
  const lines = read(localStorage, name);
  return Array.isArray(lines) ? lines.filter(isLine) : [];
}

/** @param {any} line @returns {line is CartLine} */
function isLine(line) {
  return (
    typeof line?.id === 'string' &&
    typeof line.title === 'string' &&
    line.quantity >= 1 &&
    Object.values(line.options ?? {}).every((text) => typeof text === 'string')
  );
}

/** Tells lines apart: the product and what was written for it. @param {Pick<CartLine, 'id' | 'options'>} line */
const keyOf = ({ id, options = {} }) => JSON.stringify([id, ...Object.entries(options).toSorted()]);

/** @param {CartLine[]} lines */
export function writeCart(lines) {
  write(localStorage, name, lines.slice(0, maxLines));
  dispatchEvent(new Event('cart'));
}

/** @param {Pick<CartLine, 'id' | 'options'>} of @param {number} quantity none removes the line */
export function setQuantity(of, quantity) {
  const key = keyOf(of);
  writeCart(
    readCart().flatMap((line) => (keyOf(line) === key ? (quantity < 1 ? [] : [{ ...line, quantity }]) : [line])),
  );
}

/** Pieces in the cart. @param {string} [productId] only those of a product, whatever was written for them */
export const countCart = (productId) =>
  readCart().reduce((sum, { id, quantity }) => (productId === undefined || id === productId ? sum + quantity : sum), 0);

/**
 * Adds pieces, unless the cart would then have more than the stock that the store shows.
 * @param {import('./api.js').Product} product
 * @param {number} quantity
 * @param {Record<string, string>} [options] what the buyer wrote for it
 * @returns {boolean} whether they were added
 */
export function addToCart(product, quantity, options = {}) {
  const lines = readCart();
  const { id, title } = product;
  const added = { id, title, quantity, ...(Object.keys(options).length > 0 && { options }) };
  const line = lines.find((one) => keyOf(one) === keyOf(added));
  if (countCart(id) + quantity > available(product) || (!line && lines.length >= maxLines)) return false;
  if (line) setQuantity(line, line.quantity + quantity);
  else writeCart([...lines, added]);
  return true;
}

/**
 * Pieces that can be bought now. The store shows at most ten.
 * @param {import('./api.js').Product} product
 */
export function available({ trackStock, allowBackorder, stock }) {
  return trackStock && !allowBackorder ? Math.max(0, stock) : maxQuantity;
}

/**
 * The checkout that this browser has under way.
 * @typedef {{ id: string, secret: string | null }} Started
 * @returns {Started | null}
 */
export function readStarted() {
  const started = read(localStorage, checkoutName);
  return typeof started?.id === 'string' ? started : null;
}

/** @param {Started | null} started */
export function writeStarted(started) {
  if (started) write(localStorage, checkoutName, started);
  else localStorage.removeItem(checkoutName);
}

/** @param {Storage} storage @param {string} key @returns {any} */
export function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {Storage} storage @param {string} key @param {unknown} value */
export function write(storage, key, value) {
  storage.setItem(key, JSON.stringify(value));
}
