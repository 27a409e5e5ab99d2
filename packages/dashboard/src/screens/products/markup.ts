/** Allowed in a description: words, lists, tables and links; nothing that is fetched, run or styled. */
const allowed = {
  ALLOWED_TAGS:
    'a b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i li ol p pre s small span strong sub sup table tbody td tfoot th thead tr u ul'.split(
      ' ',
    ),
  ALLOWED_ATTR: ['href', 'colspan', 'rowspan'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} as const;

/** A description in Markdown or HTML as safe nodes. Its libraries are loaded on first use. */
export async function nodesOf(description: string, format: 'markdown' | 'html'): Promise<DocumentFragment> {
  const { default: purify } = await import('dompurify');
  const html = format === 'html' ? description : (await import('marked')).parse(description, { async: false });
  return purify.sanitize(html, {
    ...allowed,
    ALLOWED_TAGS: [...allowed.ALLOWED_TAGS],
    ALLOWED_ATTR: [...allowed.ALLOWED_ATTR],
  });
}
