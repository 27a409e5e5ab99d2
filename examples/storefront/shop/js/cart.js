import config from '../config.js';

/** @typedef {{ id: string, title: string, quantity: number }} CartLine */

const name = `cart ${config.storeId}`;
const checkoutName = `checkout ${config.storeId}`;

/** Most lines of a checkout. */
const maxLines = 100;

/** Most pieces in the cart of a product without a stock limit. */
const maxQuantity = 99;

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
  return typeof line?.id === 'string' && typeof line.title === 'string' && line.quantity >= 1;
}

/** @param {CartLine[]} lines */
export function writeCart(lines) {
  write(localStorage, name, lines.slice(0, maxLines));
  dispatchEvent(new Event('cart'));
}

/** @param {string} id @param {number} quantity none removes the line */
export function setQuantity(id, quantity) {
  writeCart(readCart().flatMap((line) => (line.id === id ? (quantity < 1 ? [] : [{ ...line, quantity }]) : [line])));
}

export const countCart = () => readCart().reduce((sum, { quantity }) => sum + quantity, 0);

/**
 * Adds pieces, unless the cart would then have more than the stock that the store shows.
 * @param {import('./api.js').Product} product
 * @param {number} quantity
 * @returns {boolean} whether they were added
 */
export function addToCart(product, quantity) {
  const lines = readCart();
  const line = lines.find(({ id }) => id === product.id);
  const sum = (line?.quantity ?? 0) + quantity;
  if (sum > available(product) || (!line && lines.length >= maxLines)) return false;
  if (line) setQuantity(product.id, sum);
  else writeCart([...lines, { id: product.id, title: product.title, quantity }]);
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
