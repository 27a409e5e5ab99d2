import { getProduct, Refused } from '../api.js';
import { formatted } from '../description.js';
import { byId, fill } from '../dom.js';
import { setProductHead } from '../product/head.js';
import { categoryOf, productView } from '../product/view.js';
import { showCategories, showFailure, showShell } from '../shell.js';
import { named, productUrl } from '../urls.js';

/** @typedef {import('../api.js').ListedProduct} Product */

async function start() {
  const product = await load(named('product').slug);
  await Promise.all([show(product), categoryOf(product).then(showCategories)]);
}

/** @param {string} slug */
async function load(slug) {
  const product = slug ? await getProduct(slug) : undefined;
  if (!product) throw new Refused(404, { code: 'NOT_FOUND', message: '' });
  return product;
}

/** @param {Product} product */
async function show(product) {
  // Everything is shown at once, so that nothing moves.
  const [description] = await Promise.all([
    formatted(product.description, product.descriptionFormat),
    setProductHead(product),
  ]);
  fill(
    byId('main'),
    await productView(product, description, ({ slug }, name, value) => void change(slug, name, value)),
  );
}

/** @param {string} slug @param {string} name @param {string} value */
async function change(slug, name, value) {
  try {
    const product = await load(slug);
    history.replaceState(null, '', productUrl(product));
    await show(product);
  } catch (error) {
    return showFailure(error);
  }
  const chosen = [...document.querySelectorAll('input')].find((input) => input.name === name && input.value === value);
  chosen?.focus();
}

void showShell();
await start().catch(showFailure);
