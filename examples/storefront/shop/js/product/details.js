import { h } from '../dom.js';
import { shop } from '../shop.js';

/** @typedef {import('../api.js').Product} Product */

/** What tells the product apart, who made it and who answers for it, as the law asks it of an offer. @param {Product} product */
export function details({ sku, gtin, manufacturerId, responsiblePersonId, safetyNotes }) {
  const rows = [
    row('Article number', sku),
    row('GTIN', gtin),
    row('Manufacturer', partyOf(manufacturerId)),
    row('Responsible person in the EU', partyOf(responsiblePersonId)),
  ].filter((one) => one !== undefined);
  return [
    rows.length > 0 && [h('h2', {}, 'Details'), h('dl', { class: 'details' }, rows)],
    safetyNotes && [h('h2', {}, 'Safety'), h('p', { class: 'safety' }, safetyNotes)],
  ].flat();
}

/** @param {string} name @param {import('../dom.js').Child} value */
const row = (name, value) => (value ? h('div', {}, h('dt', {}, name), h('dd', {}, value)) : undefined);

/** Name, postal and electronic address. @param {string | null} id */
function partyOf(id) {
  const party = shop.parties.find((one) => one.id === id);
  if (!party) return null;
  const { name, address, email, url } = party;
  return h(
    'address',
    {},
    `${name}\n${address}`,
    email && ['\n', h('a', { href: `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}` }, email)],
    url && ['\n', isWeb(url) ? h('a', { href: url, rel: 'noopener noreferrer' }, url) : url],
  );
}

/** @param {string} url */
function isWeb(url) {
  const { protocol = '' } = URL.parse(url) ?? {};
  return protocol === 'https:' || protocol === 'http:';
}
