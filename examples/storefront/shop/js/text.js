import { getImages } from './api.js';
import { h } from './dom.js';
import { setHead } from './head.js';
import { pageUrl } from './urls.js';

/** @typedef {import('./api.js').Page} Page */

/** What search engines and previews of links get of a text. @param {Page} page */
export async function setTextHead(page) {
  const { title, content, seoTitle, seoDescription, seoImageId } = page;
  const images = seoImageId ? await getImages([seoImageId]) : new Map();
  setHead({
    title: seoTitle || title,
    description: seoDescription || content,
    image: images.get(seoImageId ?? ''),
    url: pageUrl(page),
    type: 'article',
  });
}

/** @param {Page} page @param {HTMLElement | null} content */
export const textView = ({ title }, content) => h('article', { class: 'narrow' }, h('h1', {}, title), content);
