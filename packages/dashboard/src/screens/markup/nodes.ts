import { api, at, had } from '../../api/client.ts';
import { can, who } from '../../api/session.ts';
import { service } from '../../browser/places.ts';

export type Markup = 'markdown' | 'html';

/** Allowed in a text: words, lists, tables, links, and pictures of the shop; nothing that is run or styled. */
const allowed = {
  ALLOWED_TAGS:
    'a b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i img li ol p pre s small span strong sub sup table tbody td tfoot th thead tr u ul'.split(
      ' ',
    ),
  ALLOWED_ATTR: ['href', 'src', 'alt', 'colspan', 'rowspan'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} as const;

/** Tags by which a text without a format of its own is recognised as HTML. */
const tags = /<\/?(?:a|b|blockquote|br|div|em|h[1-6]|i|img|li|ol|p|span|strong|table|ul)(?:\s[^<>]*)?\/?>/i;

/** The markup of a text without a format of its own, such as that of a page. */
export const markupOf = (text: string): Markup => (tags.test(text) ? 'html' : 'markdown');

/** The folder of the shop's pictures by the store, as far as it has been asked for. */
const folders = new Map<string, Promise<string | undefined>>();

/** The address that the pictures of the shop begin with; undefined without any picture. */
function pictureFolder(): Promise<string | undefined> {
  const store = who.value?.store.id ?? '';
  const known = folders.get(store);
  if (known) return known;
  const asked = (async () => {
    if (!can('media.read')) return undefined;
    const { items } = await had(api.GET('/stores/{storeId}/media', { params: { path: at(), query: { limit: 1 } } }));
    const [first] = items;
    if (!first) folders.delete(store);
    return first && new URL('.', new URL(first.url, `${service}/`)).href;
  })();
  folders.set(store, asked);
  asked.catch(() => folders.delete(store));
  return asked;
}

/** A text in Markdown or HTML as safe nodes. Its libraries are loaded on first use. */
export async function nodesOf(text: string, markup: Markup): Promise<DocumentFragment> {
  const [{ default: purify }, folder] = await Promise.all([
    import('dompurify'),
    /<img|!\[/i.test(text) ? pictureFolder().catch(() => undefined) : undefined,
  ]);
  const html = markup === 'html' ? text : (await import('marked')).parse(text, { async: false });
  // Before the nodes belong to this document, which would load the pictures of any host.
  purify.addHook('afterSanitizeAttributes', (node) => {
    const address = node.getAttribute('src');
    if (address === null) return;
    const isOwn = URL.canParse(address, `${service}/`) && isIn(folder, new URL(address, `${service}/`).href);
    if (!isOwn) node.removeAttribute('src');
  });
  const nodes = purify.sanitize(html, {
    ...allowed,
    ALLOWED_TAGS: [...allowed.ALLOWED_TAGS],
    ALLOWED_ATTR: [...allowed.ALLOWED_ATTR],
  });
  purify.removeAllHooks();
  for (const picture of nodes.querySelectorAll('img:not([src])'))
    picture.replaceWith(picture.getAttribute('alt') ?? '');
  for (const picture of nodes.querySelectorAll('img')) picture.setAttribute('referrerpolicy', 'no-referrer');
  return nodes;
}

const isIn = (folder: string | undefined, address: string) => folder !== undefined && address.startsWith(folder);
