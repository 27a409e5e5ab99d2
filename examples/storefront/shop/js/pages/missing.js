import { byId, fill, h } from '../dom.js';
import { setTitle } from '../head.js';
import { showShell } from '../shell.js';
import { listPage, named } from '../urls.js';

/** Where something is shown that was published after the files were written; undefined if the address names nothing. */
function liveUrl() {
  for (const [kind, page, parameter] of /** @type {const} */ ([
    ['product', 'product.html', 'slug'],
    ['category', listPage, 'category'],
    ['page', 'page.html', 'slug'],
  ])) {
    const { slug } = named(kind, '');
    if (slug) return `${page}?${new URLSearchParams({ [parameter]: slug })}`;
  }
  return undefined;
}

const url = liveUrl();
if (url) location.replace(url);
else {
  setTitle('Not found');
  fill(
    byId('main'),
    h(
      'div',
      { class: 'narrow' },
      h('h1', {}, 'Not found'),
      h('p', {}, 'This page does not exist, or not any more.'),
      h('p', {}, h('a', { class: 'button', href: 'index.html' }, 'To the home page')),
    ),
  );
  void showShell();
}
