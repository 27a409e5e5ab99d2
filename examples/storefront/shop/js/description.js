import { h } from './dom.js';

/** Allowed in a description: words, lists, tables and links; nothing that is fetched, run or styled. */
const tags =
  'a b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i li ol p pre s small span strong sub sup table tbody td tfoot th thead tr u ul';

/** @typedef {'text' | 'markdown' | 'html'} Format */

/**
 * A text of the shop, formatted. A shop can bring Markdown and HTML from anywhere, so DOMPurify removes what could do harm. Without the
 * libraries in `libraries/` it is shown as it is written.
 * @param {string | null} text
 * @param {Format} format
 * @param {{ breaks?: boolean }} [options] whether a line of Markdown ends where it ends in the source
 */
export async function formatted(text, format, { breaks = false } = {}) {
  if (!text) return null;
  const plain = () => h('p', { class: 'description' }, text);
  if (format === 'text') return plain();
  try {
    const { default: purify } = await import('./libraries/dompurify.js');
    const html =
      format === 'html' ? text : (await import('./libraries/marked.js')).parse(text, { async: false, breaks });
    const options = { ALLOWED_TAGS: tags.split(' '), ALLOWED_ATTR: ['href', 'colspan', 'rowspan'] };
    const only = { ALLOW_ARIA_ATTR: false, ALLOW_DATA_ATTR: false, RETURN_DOM_FRAGMENT: /** @type {const} */ (true) };
    const content = purify.sanitize(html, { ...options, ...only });
    // The name of the product or page is the only heading of the first level.
    for (const heading of content.querySelectorAll('h1')) heading.replaceWith(h('h2', {}, ...heading.childNodes));
    return h('div', { class: 'markup' }, content);
  } catch {
    return plain();
  }
}

/**
 * The format of a text that does not say it. HTML begins with an element of a text.
 * @param {string | null} text
 * @param {Format} otherwise
 * @returns {Format}
 */
export const formatOf = (text, otherwise) =>
  /^\s*<(?:p|div|span|h[1-6]|ul|ol|dl|table|blockquote|strong|em|b|i|a|br)[\s/>]/i.test(text ?? '')
    ? 'html'
    : otherwise;
