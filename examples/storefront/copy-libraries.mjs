// Puts the libraries of the page next to its own files, for any web server: node copy-libraries.mjs
import { writeFile } from 'node:fs/promises';
import { libraries, readLibrary } from './libraries.mjs';

for (const library of libraries)
  await writeFile(new URL(`./shop/js/libraries/${library.name}`, import.meta.url), await readLibrary(library));
