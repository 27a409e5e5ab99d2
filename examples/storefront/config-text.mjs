/**
 * The text of the page's config.js: where its store is. Everything else the page asks the store.
 * @param {Omit<import('./shop/config.d.ts').Config, 'key'> & { key: string }} place
 */
export function configText(place) {
  return `// All of it may be read by everybody.\nexport default ${JSON.stringify(place, null, 2)};\n`;
}
