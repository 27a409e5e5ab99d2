import config from '../config.js';
import { getImages } from './api.js';
import { fill, h } from './dom.js';
import { card, groupPrice, imageOf, nameOf } from './groups.js';
import { picture } from './picture.js';
import { shop } from './shop.js';
import { catalogueUrl, productUrl } from './urls.js';

/** @typedef {import('./groups.js').Listed} Listed */
/** @typedef {{ root: import('./api.js').Category, children: import('./api.js').Category[] }} Branch */

/** Newest products at the top of the first page. */
export const heroCount = 3;

/**
 * The top of the first page: the newest product in large, and the next ones.
 * @param {HTMLElement} place
 * @param {Listed[]} newest
 */
export function showHero(place, newest) {
  const [first, ...next] = newest;
  place.hidden = false;
  const url = first ? productUrl(first) : 'index.html';
  fill(
    place,
    h(
      'div',
      { class: 'hero-words' },
      h('h1', {}, config.intro || shop.name),
      first && [
        h('p', { class: 'eyebrow' }, 'New in the shop'),
        h('p', { class: 'hero-name' }, nameOf(first)),
        h('p', { class: 'price' }, groupPrice(first)),
        h(
          'p',
          {},
          h(
            'a',
            { class: 'button primary', href: url },
            'View product',
            h('span', { class: 'hidden' }, `: ${nameOf(first)}`),
          ),
        ),
      ],
    ),
    first &&
      h(
        'a',
        { class: 'hero-picture', href: url, tabindex: -1, 'aria-hidden': 'true' },
        picture(imageOf(first), { sizes: '(min-width: 56rem) 36rem, 92vw', eager: true, alt: '' }),
      ),
    next.length > 0 &&
      h(
        'ul',
        { class: 'hero-next', 'aria-label': 'More new products' },
        next.map((group) => card(group, { eager: true, sizes: '(min-width: 56rem) 15rem, 46vw' })),
      ),
  );
}

/**
 * The categories with a picture each: their own, or that of one of their products.
 * @param {HTMLElement} place
 * @param {Branch[]} tree
 * @param {Listed[]} products
 */
export async function showTiles(place, tree, products) {
  const own = await getImages(tree.flatMap(({ root }) => root.seoImageId ?? []));
  place.hidden = tree.length === 0;
  fill(
    place,
    h('h2', {}, 'Shop by category'),
    h(
      'ul',
      { class: 'tiles' },
      tree.map(({ root, children }) => {
        const ids = [root, ...children].map(({ id }) => id);
        const inside = products.filter(({ categoryIds }) => categoryIds.some((id) => ids.includes(id)));
        // The newest product is in the large picture above.
        const shown = inside.find((product) => product !== products[0] && imageOf(product)) ?? inside[0];
        const image = own.get(root.seoImageId ?? '') ?? (shown && imageOf(shown));
        return h(
          'li',
          {},
          h(
            'a',
            { class: 'tile', href: catalogueUrl([['category', root.slug]]) },
            picture(image, { sizes: '(min-width: 40rem) 45vw, 92vw', alt: '' }),
            h('span', {}, root.name),
          ),
        );
      }),
    ),
  );
}
