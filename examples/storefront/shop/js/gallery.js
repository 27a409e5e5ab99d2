import { fill, h } from './dom.js';
import { picture } from './picture.js';

/** Most pictures of a product that are shown. */
const most = 12;

/**
 * The pictures of a product: one at a time, to be swiped, with thumbnails below. The arrow keys, Home and End move between them.
 * @param {import('./api.js').Media[]} found
 * @param {string} title
 */
export function gallery(found, title) {
  const sizes = '(min-width: 56rem) 36rem, 92vw';
  const media = found.slice(0, most);
  const altOf = (/** @type {number} */ i) =>
    media[i]?.altText || (media.length === 1 ? title : `${title}, picture ${i + 1} of ${media.length}`);
  if (media.length < 2) {
    return h(
      'div',
      { class: 'shots' },
      h('div', { class: 'shot' }, picture(media[0], { sizes, eager: true, alt: altOf(0) })),
    );
  }
  let current = 0;
  const strip = h(
    'ul',
    {
      class: 'strip',
      tabindex: 0,
      'aria-label': `Pictures of ${title}`,
      onkeydown: (event) => {
        const { key } = /** @type {KeyboardEvent} */ (event);
        const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: media.length - 1 }[key];
        if (to === undefined) return;
        event.preventDefault();
        go(to);
      },
      onscroll: () => mark(Math.round(strip.scrollLeft / strip.clientWidth)),
    },
    media.map((one, i) => h('li', { class: 'shot' }, picture(one, { sizes, eager: i === 0, alt: altOf(i) }))),
  );
  const thumbs = media.map((one, i) =>
    h(
      'button',
      {
        type: 'button',
        class: 'thumb',
        'aria-label': `Show picture ${i + 1} of ${media.length}`,
        onclick: () => go(i),
      },
      picture(one, { sizes: '4.5rem', alt: '' }),
    ),
  );
  const place = h('p', { class: 'place', 'aria-hidden': 'true' });

  /** @param {number} to */
  function go(to) {
    const index = Math.min(Math.max(to, 0), media.length - 1);
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    strip.scrollTo({ left: index * strip.clientWidth, behavior: isCalm ? 'instant' : 'smooth' });
    mark(index);
  }

  /** @param {number} index */
  function mark(index) {
    current = index;
    for (const [i, thumb] of thumbs.entries()) {
      if (i === index) thumb.setAttribute('aria-current', 'true');
      else thumb.removeAttribute('aria-current');
    }
    fill(place, `${index + 1} / ${media.length}`);
  }

  mark(0);
  return h(
    'div',
    { class: 'shots' },
    h('div', { class: 'stage' }, strip, place),
    h('div', { class: 'thumbs' }, thumbs),
  );
}
