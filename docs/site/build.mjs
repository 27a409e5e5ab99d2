// npm run docs: builds the book as pages into docs/.site, which open as files and below any prefix.
import { join } from 'node:path';
import { buildSite } from './site.ts';

const root = join(import.meta.dirname, '../..');
const out = join(root, 'docs/.site');
const pages = await buildSite(root, out);
console.log(`${pages.length} pages: ${join(out, 'index.html')}`);
