import { listPages, Refused } from './api.js';
import { byId, fill, h } from './dom.js';
import { setTitle, showFailure, showShell } from './shell.js';

/**
 * A text of the shop: paragraphs between empty lines, and headings that begin with "#". It is always shown as text, never as HTML.
 * @param {string} content
 */
const paragraphs = (content) =>
  content.split(/\n\s*\n/).map((block) => {
    const text = block.trim();
    return text.startsWith('#') ? h('h2', {}, text.replace(/^#+\s*/, '')) : h('p', { class: 'text' }, text);
  });

async function start() {
  const slug = new URLSearchParams(location.search).get('slug') ?? '';
  const [page] = slug ? (await listPages(slug)).items : [];
  if (!page) throw new Refused(404, { code: 'NOT_FOUND', message: '' });
  setTitle(page.title);
  fill(byId('main'), h('article', { class: 'narrow' }, h('h1', {}, page.title), paragraphs(page.content ?? '')));
}

void showShell();
await start().catch(showFailure);
