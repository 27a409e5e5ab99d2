/** Libraries of the page, which needs them for descriptions in Markdown and HTML only. */
export const libraries = [
  { name: 'dompurify.js', file: new URL('./purify.es.mjs', import.meta.resolve('dompurify')) },
  { name: 'marked.js', file: new URL('./marked.esm.js', import.meta.resolve('marked')) },
];
