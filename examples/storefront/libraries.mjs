import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';

/**
 * Libraries of the page, which needs them for descriptions in Markdown and HTML, at the checkout for postal codes, and for structured data.
 */
export const libraries = [
  { name: 'dompurify.js', file: new URL('./purify.es.mjs', import.meta.resolve('dompurify')) },
  { name: 'marked.js', file: new URL('./marked.esm.js', import.meta.resolve('marked')) },
  { name: 'address-format.js', file: new URL('./index.esm.js', import.meta.resolve('localized-address-format')) },
  { name: 'json-ld.js', file: new URL('../storefront-client/json-ld.ts', import.meta.url) },
];

/** The text of a library as browsers run it. @param {(typeof libraries)[number]} library */
export async function readLibrary({ file }) {
  const text = await readFile(file, 'utf8');
  if (!file.pathname.endsWith('.ts')) return text;
  const { emitWarning } = process;
  // The only warning is that the function is new.
  process.emitWarning = () => {};
  try {
    // Types become blanks, so each line stays where it is.
    return stripTypeScriptTypes(text).replace(/[ \t]+$/gm, '');
  } finally {
    process.emitWarning = emitWarning;
  }
}
