import { getImages, getProduct, Refused } from './api.js';
import { available, readCart } from './cart.js';
import { toAmount, toMinor } from './money.js';

/** @typedef {import('./api.js').Product} Product */
/**
 * A line of the cart as the store has it now. `product` is undefined when it is not sold any more, `image` when it has none.
 * @typedef {{ id: string, title: string, quantity: number, product: Product | undefined, image: import('./api.js').Media | undefined }} Line
 */

/**
 * The cart with the current prices and stock.
 * @returns {Promise<Line[]>}
 */
export async function currentLines() {
  const cart = readCart();
  const products = await Promise.all(
    cart.map(({ id }) =>
      getProduct(id).catch((error) => {
        if (error instanceof Refused && error.status === 404) return undefined;
        throw error;
      }),
    ),
  );
  const images = await getImages(products.flatMap((product) => product?.primaryMediaId ?? []));
  return cart.map((line, i) => {
    const product = products[i];
    return {
      ...line,
      title: product?.title ?? line.title,
      product,
      image: product?.primaryMediaId ? images.get(product.primaryMediaId) : undefined,
    };
  });
}

/**
 * The reason why a line cannot be bought, in words; empty if it can.
 * @param {Line} line
 */
export function trouble({ product, quantity }) {
  if (!product) return 'This product is no longer sold.';
  const left = available(product);
  if (left === 0) return 'This product is sold out.';
  return left < quantity ? `Only ${left} left.` : '';
}

/** @param {Line[]} lines */
export const buyable = (lines) => lines.filter((line) => line.product !== undefined);

/**
 * Sum of the lines that can be bought; undefined without any.
 * @param {Line[]} lines
 */
export function subtotalOf(lines) {
  const some = buyable(lines);
  const [first] = some;
  if (!first?.product) return undefined;
  const sum = some.reduce(
    (total, { product, quantity }) => total + toMinor(product?.price ?? '0') * BigInt(quantity),
    0n,
  );
  return toAmount(sum, first.product.price);
}

/** @param {Line} line */
export const totalOf = ({ product, quantity }) =>
  product ? toAmount(toMinor(product.price) * BigInt(quantity), product.price) : undefined;
