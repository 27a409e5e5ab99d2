import { getImages, listProducts, listVariants, Refused } from '../api.js';
import { addToCart, available, readCart } from '../cart.js';
import { choices } from '../choices.js';
import { formatted } from '../description.js';
import { byId, fill, h } from '../dom.js';
import { gallery } from '../gallery.js';
import { priceOf } from '../groups.js';
import { setHead } from '../head.js';
import { categories, priceNote, showCategories, showFailure, showShell } from '../shell.js';
import { catalogueUrl, productUrl } from '../urls.js';

/** @typedef {import('../api.js').Product} Product */

/** Stock from which on the page shows how little is left. */
const few = 5;

/** @type {Product[]} */
let variants = [];

async function start() {
  const slug = new URLSearchParams(location.search).get('slug') ?? '';
  const [product] = slug ? (await listProducts({ slug })).items : [];
  if (!product) throw new Refused(404, { code: 'NOT_FOUND', message: '' });
  const { variantGroupId } = product;
  variants = variantGroupId === null ? [product] : (await listVariants(variantGroupId)).items;
  await Promise.all([show(product), showCategoriesOf(product)]);
}

/** @param {Product} product */
async function showCategoriesOf({ categoryIds }) {
  const all = (await categories).flatMap(({ root, children }) => [root, ...children]);
  await showCategories(all.find(({ id }) => categoryIds.includes(id))?.slug);
}

/** @param {Product} product */
async function show(product) {
  const left = available(product);
  const ids = [...new Set([product.primaryMediaId, ...product.mediaIds])].filter((id) => id !== null);
  const { seoImageId } = product;
  // Everything is shown at once, so that nothing moves.
  const [trail, description, images] = await Promise.all([
    crumbs(product),
    formatted(product.description, product.descriptionFormat),
    getImages(seoImageId ? [...ids, seoImageId] : ids),
  ]);
  const found = ids.flatMap((id) => images.get(id) ?? []);
  setHead({
    title: product.seoTitle || product.title,
    description: product.seoDescription || product.description,
    image: images.get(seoImageId ?? '') ?? found[0],
    url: productUrl(product),
    type: 'product',
  });
  const status = h('p', { role: 'status', class: 'said', id: 'said' });
  const note = priceNote();
  fill(
    byId('main'),
    h(
      'div',
      { class: 'product' },
      gallery(found, product.title),
      h(
        'div',
        { class: 'facts' },
        trail,
        h('h1', {}, product.title),
        h('p', { class: 'price' }, priceOf(product)),
        note && h('p', { class: 'note' }, note),
        choices(product, variants, (variant, name, value) => void choose(variant, name, value)),
        buyForm(product, left, status),
        left > 0 && left <= few && h('p', { class: 'few' }, left === 1 ? 'Only 1 left' : `Only ${left} left`),
        status,
        description,
      ),
    ),
  );
}

/** @param {Product} product @param {number} left @param {HTMLElement} status */
function buyForm(product, left, status) {
  const quantity = h('input', {
    id: 'quantity',
    type: 'number',
    min: 1,
    max: Math.max(left, 1),
    step: 1,
    value: 1,
    required: true,
    inputmode: 'numeric',
    disabled: left === 0,
  });
  return h(
    'form',
    {
      class: 'buy',
      onsubmit: (event) => {
        event.preventDefault();
        add(product, Number(quantity.value), status);
      },
    },
    h('div', { class: 'field quantity' }, h('label', { for: 'quantity' }, 'Quantity'), quantity),
    h('button', { class: 'primary', disabled: left === 0 }, left === 0 ? 'Sold out' : 'Add to cart'),
  );
}

/** @param {Product} product @param {number} quantity @param {HTMLElement} status */
function add(product, quantity, status) {
  const isAdded = addToCart(product, quantity);
  const inCart = readCart().find(({ id }) => id === product.id)?.quantity ?? 0;
  status.classList.toggle('refused', !isAdded);
  const reason = inCart > 0 ? `You have ${inCart} in your cart already, and there are no more.` : 'Your cart is full. ';
  fill(status, isAdded ? 'Added to your cart. ' : `${reason} `, h('a', { href: 'cart.html' }, 'View cart'));
}

/** @param {Product} product */
async function crumbs({ categoryIds }) {
  for (const { root, children } of await categories) {
    const child = children.find(({ id }) => categoryIds.includes(id));
    const path = child ? [root, child] : categoryIds.includes(root.id) ? [root] : [];
    if (path.length > 0) {
      return h(
        'nav',
        { 'aria-label': 'Breadcrumb', class: 'crumbs' },
        h(
          'ol',
          {},
          path.map(({ slug, name }) => h('li', {}, h('a', { href: catalogueUrl({ category: slug }) }, name))),
        ),
      );
    }
  }
  return null;
}

/** @param {Product} variant @param {string} name @param {string} value */
async function choose(variant, name, value) {
  history.replaceState(null, '', productUrl(variant));
  await show(variant);
  const chosen = [...document.querySelectorAll('input')].find((input) => input.name === name && input.value === value);
  chosen?.focus();
}

void showShell();
await start().catch(showFailure);
