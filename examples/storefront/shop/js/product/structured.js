import { nameOf } from '../groups.js';
import { pictureOf } from '../head.js';
import { shop } from '../shop.js';
import { productUrl } from '../urls.js';

/**
 * What search engines and assistants read of a product, as text; undefined without the file for it (`copy-libraries.mjs`).
 * @param {import('../api.js').ListedProduct} product with its variants and pictures
 */
export async function structured(product) {
  try {
    const { jsonLdText, productJsonLd } = await import('../libraries/json-ld.js');
    const { variants = [] } = product;
    const all = [product, ...variants];
    const values = (/** @type {string} */ name) => all.flatMap(({ attributes }) => attributes[name] ?? []);
    const attributes = Object.fromEntries(Object.keys(product.attributes).map((name) => [name, values(name)]));
    const { price } = product;
    const group = { count: all.length, minPrice: price, maxPrice: price, attributes, inStock: true };
    return jsonLdText(
      productJsonLd(product, variants, shop, {
        url: (one) => new URL(productUrl(one), location.href).href,
        image: pictureOf,
        groupName: nameOf({ ...product, group }),
      }),
    );
  } catch {
    return undefined;
  }
}
