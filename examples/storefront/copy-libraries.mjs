// Puts the libraries of the page next to its own files, for any web server: node copy-libraries.mjs
import { copyFile } from 'node:fs/promises';
import { libraries } from './libraries.mjs';

for (const { name, file } of libraries) await copyFile(file, new URL(`./shop/js/libraries/${name}`, import.meta.url));
