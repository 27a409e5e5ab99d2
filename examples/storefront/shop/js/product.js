import { getImages, listProducts, listVariants, Refused } from './api.js';
import { addToCart, available } from './cart.js';
import { describe } from './description.js';
import { byId, fill, h } from './dom.js';
import { money } from './money.js';
import { picture } from './picture.js';
import { catalogueUrl, categories, productUrl, setTitle, showFailure, showShell, taxNote } from './shell.js';

/** @typedef {import('./api.js').Product} Product */

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
  await Promise.all([show(product), showShell(await slugOfCategory(product))]);
}

/** @param {Product} product */
async function slugOfCategory({ categoryIds }) {
  const all = (await categories).flatMap(({ root, children }) => [root, ...children]);
  return all.find(({ id }) => categoryIds.includes(id))?.slug ?? '';
}

/** @param {Product} product */
async function show(product) {
  setTitle(product.title);
  const left = available(product);
  const status = h('p', { role: 'status', class: 'said', id: 'said' });
  const ids = [...new Set([product.primaryMediaId, ...product.mediaIds])].filter((id) => id !== null);
  const shot = h('div', { class: 'shots' });
  fill(
    byId('main'),
    h(
      'div',
      { class: 'product' },
      shot,
      h(
        'div',
        { class: 'facts' },
        await crumbs(product),
        h('h1', {}, product.title),
        h(
          'p',
          { class: 'price' },
          money(product.price),
          product.compareAtPrice && [
            ' ',
            h('s', {}, h('span', { class: 'hidden' }, 'instead of '), money(product.compareAtPrice)),
          ],
        ),
        h('p', { class: 'note' }, taxNote()),
        await describe(product),
        choices(product),
        h(
          'form',
          {
            class: 'buy',
            onsubmit: (event) => {
              event.preventDefault();
              put(product, status);
            },
          },
          h('button', { class: 'primary', disabled: left === 0 }, left === 0 ? 'Sold out' : 'Put into the cart'),
        ),
        left > 0 && left <= few && h('p', { class: 'few' }, left === 1 ? 'The last one' : `Only ${left} left`),
        status,
      ),
    ),
  );
  const images = await getImages(ids);
  const found = ids.flatMap((id) => images.get(id) ?? []);
  const sizes = '(min-width: 56rem) 36rem, 92vw';
  fill(
    shot,
    found.length > 0
      ? found
          .slice(0, 12)
          .map((media, i) => picture(media, { sizes, eager: i === 0, alt: media.altText ?? product.title }))
      : picture(undefined, { sizes }),
  );
}

/** @param {Product} product */
async function crumbs({ categoryIds }) {
  for (const { root, children } of await categories) {
    const child = children.find(({ id }) => categoryIds.includes(id));
    const path = child ? [root, child] : categoryIds.includes(root.id) ? [root] : [];
    if (path.length > 0) {
      return h(
        'nav',
        { 'aria-label': 'Where this is', class: 'crumbs' },
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

/** @param {Product} product @param {HTMLElement} status */
function put(product, status) {
  if (addToCart(product)) fill(status, 'It is in your cart. ', h('a', { href: 'cart.html' }, 'To the cart'));
  else fill(status, 'There are no more of these. ', h('a', { href: 'cart.html' }, 'To the cart'));
}

/** Attributes in which the variants differ, as radio buttons; a choice leads to the variant that fits it best. @param {Product} product */
function choices(product) {
  const names = [...new Set(variants.flatMap(({ attributes }) => Object.keys(attributes)))];
  const differing = names.filter((name) => new Set(variants.map(({ attributes }) => attributes[name])).size > 1);
  return differing.map((name) => {
    const values = [...new Set(variants.map(({ attributes }) => attributes[name]))]
      .filter((value) => value !== undefined)
      .sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
    return h(
      'fieldset',
      { class: 'choice' },
      h('legend', {}, name[0]?.toLocaleUpperCase() + name.slice(1)),
      h(
        'div',
        { class: 'chips' },
        values.map((value) => {
          const variant = nearest(product, name, value);
          const isGone = available(variant) === 0;
          const input = h('input', {
            type: 'radio',
            name,
            value,
            checked: product.attributes[name] === value,
            onchange: () => void choose(variant, name, value),
          });
          return h(
            'label',
            { class: isGone ? 'chip gone' : 'chip' },
            input,
            h('span', {}, value, isGone && h('span', { class: 'hidden' }, ' (sold out)')),
          );
        }),
      ),
    );
  });
}

/**
 * The variant with a value that shares most of the other attributes.
 * @param {Product} product
 * @param {string} name
 * @param {string} value
 * @returns {Product}
 */
function nearest(product, name, value) {
  const shared = (/** @type {Product} */ one) =>
    Object.entries(product.attributes).filter(([key, its]) => key !== name && one.attributes[key] === its).length;
  const fitting = variants.filter(({ attributes }) => attributes[name] === value);
  return fitting.reduce((best, one) => (shared(one) > shared(best) ? one : best), fitting[0] ?? product);
}

/** @param {Product} variant @param {string} name @param {string} value */
async function choose(variant, name, value) {
  history.replaceState(null, '', productUrl(variant));
  await show(variant);
  const chosen = [...document.querySelectorAll('input')].find((input) => input.name === name && input.value === value);
  chosen?.focus();
}

await start().catch(async (error) => {
  void showShell();
  showFailure(error);
});
