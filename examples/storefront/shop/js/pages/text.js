import { getImages, listPages, Refused } from '../api.js';
import { formatOf, formatted } from '../description.js';
import { byId, fill, h } from '../dom.js';
import { setHead } from '../head.js';
import { showFailure, showShell } from '../shell.js';
import { pageUrl } from '../urls.js';

/** A text of the shop, such as an imprint, in Markdown or HTML. */
async function start() {
  const slug = new URLSearchParams(location.search).get('slug') ?? '';
  const [page] = slug ? (await listPages(slug)).items : [];
  if (!page) throw new Refused(404, { code: 'NOT_FOUND', message: '' });
  const { title, content, seoTitle, seoDescription, seoImageId } = page;
  const [text, images] = await Promise.all([
    formatted(content, formatOf(content, 'markdown'), { breaks: true }),
    seoImageId ? getImages([seoImageId]) : new Map(),
  ]);
  setHead({
    title: seoTitle || title,
    description: seoDescription || content,
    image: images.get(seoImageId ?? ''),
    url: pageUrl(page),
    type: 'article',
  });
  fill(byId('main'), h('article', { class: 'narrow' }, h('h1', {}, title), text));
}

void showShell();
await start().catch(showFailure);
