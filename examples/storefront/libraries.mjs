/** Libraries of the page, which needs them for descriptions in Markdown and HTML, and at the checkout for postal codes. */
export const libraries = [
  { name: 'dompurify.js', file: new URL('./purify.es.mjs', import.meta.resolve('dompurify')) },
  { name: 'marked.js', file: new URL('./marked.esm.js', import.meta.resolve('marked')) },
  { name: 'address-format.js', file: new URL('./index.esm.js', import.meta.resolve('localized-address-format')) },
];
