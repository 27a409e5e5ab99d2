import config from '../config.js';
import { h } from './dom.js';
import { shop } from './shop.js';

/** @typedef {{ title: string, url: string, description?: string | null | undefined, image?: import('./api.js').Media | undefined, type?: string, jsonLd?: string | undefined }} Facts */

/** @param {string} text */
export function setTitle(text) {
  document.title = text === shop.name ? text : `${text} – ${shop.name}`;
}

/**
 * What search engines and previews of links show: title, description, picture and the one address of this page.
 * @param {Facts} facts `url` relative to the shop; `jsonLd` as the text of structured data
 */
export function setHead({ title, url, description, image, type = 'website', jsonLd }) {
  setTitle(title);
  const address = new URL(url, location.href).href;
  const short = summaryOf(description ?? '');
  const picture = image && pictureOf(image);
  for (const old of document.head.querySelectorAll('[data-head]')) old.remove();
  const named = { description: short };
  const open = {
    'og:site_name': shop.name,
    'og:type': type,
    'og:title': title,
    'og:description': short,
    'og:url': address,
    'og:image': picture,
    'og:image:alt': picture && image?.altText,
  };
  const meta = (/** @type {string} */ key, /** @type {[string, string | null | undefined]} */ [name, content]) =>
    content ? [h('meta', { [key]: name, content, 'data-head': true })] : [];
  document.head.append(
    h('link', { rel: 'canonical', href: address, 'data-head': true }),
    ...Object.entries(named).flatMap((entry) => meta('name', entry)),
    ...Object.entries(open).flatMap((entry) => meta('property', entry)),
    ...(jsonLd ? [dataOf(jsonLd)] : []),
  );
}

/**
 * Browsers that check what scripts contain ask this policy, which only lets data through. The policy of the page allows one of this name.
 * @type {{ createScript(text: string): string } | undefined}
 */
let policy;

/** Data for programs, which browsers do not run. @param {string} json */
function dataOf(json) {
  const script = h('script', { type: 'application/ld+json', 'data-head': true });
  const { trustedTypes } =
    /** @type {{ trustedTypes?: { createPolicy(name: string, rules: object): NonNullable<typeof policy> } }} */ (
      /** @type {unknown} */ (globalThis)
    );
  policy ??= trustedTypes?.createPolicy('json-ld', {
    createScript(/** @type {string} */ text) {
      JSON.parse(text);
      return text;
    },
  });
  if (policy) script.textContent = policy.createScript(json);
  else script.append(json);
  return script;
}

/** The whole address of a picture in a format that everything reads. @param {import('./api.js').Media} image */
export const pictureOf = ({ url }) => new URL(`${url}?w=1280&format=jpeg`, config.url).href;

/** Longest description that search engines show. */
const longest = 160;

/**
 * A description in one line without markup, cut at a word.
 * @param {string} text
 */
function summaryOf(text) {
  const line = text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[*_#`]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest);
  const end = cut.lastIndexOf(' ');
  return `${end > 0 ? cut.slice(0, end) : cut}…`;
}
