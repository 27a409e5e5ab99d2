import { h } from './dom.js';

/** Allowed in a description: words, lists, tables and links; nothing that is fetched, run or styled. */
const tags =
  'a b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i li ol p pre s small span strong sub sup table tbody td tfoot th thead tr u ul';

/**
 * The description of a product. A shop can bring Markdown and HTML from anywhere, so DOMPurify removes what could do harm. Without the
 * libraries next to this file it is shown as it is written.
 * @param {{ description: string | null, descriptionFormat: 'text' | 'markdown' | 'html' }} product
 */
export async function describe({ description, descriptionFormat }) {
  if (!description) return null;
  const plain = () => h('p', { class: 'description' }, description);
  if (descriptionFormat === 'text') return plain();
  try {
    const { default: purify } = await import('./dompurify.js');
    const html =
      descriptionFormat === 'html' ? description : (await import('./marked.js')).parse(description, { async: false });
    const options = { ALLOWED_TAGS: tags.split(' '), ALLOWED_ATTR: ['href', 'colspan', 'rowspan'] };
    const only = { ALLOW_ARIA_ATTR: false, ALLOW_DATA_ATTR: false, RETURN_DOM_FRAGMENT: /** @type {const} */ (true) };
    const element = h('div', { class: 'markup' });
    element.append(purify.sanitize(html, { ...options, ...only }));
    return element;
  } catch {
    return plain();
  }
}
