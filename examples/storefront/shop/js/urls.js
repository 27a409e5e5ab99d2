import config from '../config.js';

/** Pages that `prerender.mjs` writes. @typedef {'product' | 'category' | 'page'} Kind */

/**
 * The file of a page, in a shop whose pages are written as files; undefined if it has none. File systems allow 255 bytes for a name.
 * @param {Kind} kind
 * @param {string} slug
 * @param {number} [part] of a long list
 */
export const fileOf = (kind, slug, part = 1) =>
  config.prerendered && slug.length <= 200 && /^[a-z0-9-]+$/.test(slug)
    ? `${kind}-${slug}${dotted(part)}.html`
    : undefined;

/** The file of the list of all products. */
export const allFile = (part = 1) => `products${dotted(part)}.html`;

const dotted = (/** @type {number} */ part) => (part > 1 ? `.${part}` : '');

/** The page that lists by what its address says; the first page can be a file. */
export const listPage = config.prerendered ? 'catalogue.html' : 'index.html';

/**
 * Address of a list, or of the first page if nothing is asked for.
 * @param {[name: string, value: string][]} query
 */
export function catalogueUrl(query) {
  const [[name, value] = ['', ''], ...more] = query;
  if (name === '') return 'index.html';
  const file = more.length > 0 ? undefined : name === 'category' ? fileOf('category', value) : undefined;
  if (file) return file;
  if (config.prerendered && name === 'all' && more.length === 0) return allFile();
  return `${listPage}?${new URLSearchParams(query)}`;
}

/** @param {{ slug: string }} product */
export const productUrl = ({ slug }) => fileOf('product', slug) ?? `product.html?${new URLSearchParams({ slug })}`;

/** @param {{ slug: string }} page */
export const pageUrl = ({ slug }) => fileOf('page', slug) ?? `page.html?${new URLSearchParams({ slug })}`;

/**
 * What the address of this page names. Some servers leave out the ending of a file.
 * @param {Kind} kind
 * @param {string} [parameter]
 * @returns {{ slug: string, part: number }}
 */
export function named(kind, parameter = 'slug') {
  const [, slug, part = '1'] =
    new RegExp(`/${kind}-([a-z0-9-]+)(?:\\.(\\d{1,6}))?(?:\\.html)?$`).exec(location.pathname) ?? [];
  return { slug: slug ?? new URLSearchParams(location.search).get(parameter) ?? '', part: Number(part) };
}

/** The part of the list of all products that this page is; 0 if it is another page. */
export function allPart() {
  const [found, part = '1'] = /\/products(?:\.(\d{1,6}))?(?:\.html)?$/.exec(location.pathname) ?? [];
  return found === undefined ? 0 : Number(part);
}

/** The thank-you page of a checkout. @param {string} id */
export const returnUrl = (id) => `return.html?${new URLSearchParams({ checkout: id })}`;

/** The page to withdraw on. @param {string} [token] of the page of an order, behind the `#` so that no server sees it */
export const withdrawUrl = (token) => `withdraw.html${token ? `#${token}` : ''}`;
