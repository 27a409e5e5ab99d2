import { h } from '../dom.js';
import { shop } from '../shop.js';
import { allFile, catalogueUrl, fileOf } from '../urls.js';

/** @typedef {import('../home.js').Branch} Branch */

/** Products shown at a time. */
export const atOnce = 24;

/** The title of a part of a long list. @param {string} title @param {number} part */
export const partTitle = (title, part) => (part > 1 ? `${title}, page ${part}` : title);

/** The file of a part of a long list. @param {string} category its slug, empty for all products @param {number} part */
export const partUrl = (category, part) => (category ? (fileOf('category', category, part) ?? '') : allFile(part));

/** Above the rest of the products on the first page. */
export const homeIntro = () => [
  h('h2', {}, 'More products'),
  h('p', {}, h('a', { href: catalogueUrl([['all', '1']]) }, 'See all products')),
];

/**
 * Heading and text of a list, with links to the categories below.
 * @param {string} heading
 * @param {HTMLElement | null} text
 * @param {Branch | undefined} branch
 * @param {string} category slug of the category on the page
 */
export const listIntro = (heading, text, branch, category) => [
  h('h1', {}, heading),
  text,
  branch && branch.children.length > 0 && below(branch, category),
];

/** @param {Branch} branch @param {string} category */
function below({ root, children }, category) {
  const link = (/** @type {string} */ slug, /** @type {string} */ name) =>
    h(
      'li',
      {},
      h(
        'a',
        {
          class: 'chip',
          href: catalogueUrl([['category', slug]]),
          ...(slug === category && { 'aria-current': 'page' }),
        },
        name,
      ),
    );
  return h(
    'nav',
    { 'aria-label': root.name },
    h(
      'ul',
      { class: 'chips' },
      link(root.slug, `All ${root.name.toLocaleLowerCase(shop.locale)}`),
      ...children.map(({ slug, name }) => link(slug, name)),
    ),
  );
}
