import { h } from './dom.js';

/** Widths of the images that the store creates. */
const widths = [160, 320, 640, 960, 1280];

/**
 * An image in the size and format that suits the screen.
 * @param {import('./api.js').Media | undefined} media
 * @param {{ sizes: string, eager?: boolean, alt?: string }} options `sizes` as of `<img>`
 */
export function picture(media, { sizes, eager = false, alt }) {
  if (!media) return h('div', { class: 'no-picture' });
  // A variant is never larger than the original.
  const fitting = widths.filter((width) => width <= media.width);
  const of = (/** @type {string} */ format) =>
    (fitting.length > 0 ? fitting : [media.width <= 64 ? 64 : 160])
      .map((width) => `${media.url}?w=${width}&format=${format} ${width}w`)
      .join(', ');
  return h(
    'picture',
    {},
    h('source', { type: 'image/webp', srcset: of('webp'), sizes }),
    h('img', {
      src: `${media.url}?w=640`,
      srcset: of('jpeg'),
      sizes,
      width: media.width,
      height: media.height,
      alt: alt ?? media.altText ?? '',
      loading: eager ? 'eager' : 'lazy',
      decoding: 'async',
      ...(eager && { fetchpriority: 'high' }),
    }),
  );
}
