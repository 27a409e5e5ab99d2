// npm run docs: builds the book as pages into docs/.site, which open as files and below any prefix.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Inside the project, where the packages that it imports are found.
const folder = await mkdtemp(join(root, 'node_modules/.docs-'));
try {
  const outfile = join(folder, 'site.mjs');
  const entryPoints = [join(root, 'docs/site/site.ts')];
  await build({ entryPoints, outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm' });
  const { buildSite } = await import(pathToFileURL(outfile).href);
  const out = join(root, 'docs/.site');
  const pages = await buildSite(root, out);
  console.log(`${pages.length} pages: ${join(out, 'index.html')}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
