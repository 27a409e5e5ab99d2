import { getImages, getProduct, Refused } from '../api.js';
import { addToCart, available, readCart } from '../cart.js';
import { choices } from '../choices.js';
import { formatted } from '../description.js';
import { byId, fill, h } from '../dom.js';
import { gallery } from '../gallery.js';
import { priceOf } from '../groups.js';
import { setHead } from '../head.js';
import { categories, priceNote, showCategories, showFailure, showShell } from '../shell.js';
import { catalogueUrl, productUrl } from '../urls.js';

/** @typedef {import('../api.js').ListedProduct} Product */

/** Stock from which on the page shows how little is left. */
const few = 5;

async function start() {
  const product = await load(new URLSearchParams(location.search).get('slug') ?? '');
  await Promise.all([show(product), showCategoriesOf(product)]);
}

/** @param {string} slug */
async function load(slug) {
  const product = slug ? await getProduct(slug) : undefined;
  if (!product) throw new Refused(404, { code: 'NOT_FOUND', message: '' });
  return product;
}

/** @param {Product} product */
async function showCategoriesOf({ categoryIds }) {
  const all = (await categories).flatMap(({ root, children }) => [root, ...children]);
  await showCategories(all.find(({ id }) => categoryIds.includes(id))?.slug);
}

/** @param {Product} product */
async function show(product) {
  const left = available(product);
  const found = product.media ?? [];
  const { seoImageId, variants = [] } = product;
  const seoImage = found.find(({ id }) => id === seoImageId);
  // Everything is shown at once, so that nothing moves.
  const [trail, description, images] = await Promise.all([
    crumbs(product),
    formatted(product.description, product.descriptionFormat),
    seoImageId && !seoImage ? getImages([seoImageId]) : undefined,
  ]);
  const self = { ...product, available: left };
  setHead({
    title: product.seoTitle || product.title,
    description: product.seoDescription || product.description,
    image: seoImage ?? images?.get(seoImageId ?? '') ?? found[0],
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
        choices(self, [self, ...variants], (variant, name, value) => void choose(variant.slug, name, value)),
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
          path.map(({ slug, name }) => h('li', {}, h('a', { href: catalogueUrl([['category', slug]]) }, name))),
        ),
      );
    }
  }
  return null;
}

/** @param {string} slug @param {string} name @param {string} value */
async function choose(slug, name, value) {
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
