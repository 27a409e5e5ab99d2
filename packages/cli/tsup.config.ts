import { cp, readFile, rm } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { inDashboard, writeLicences } from '../../release/licences.ts';
import { writeReference } from '../server/src/service/reference-files.ts';

export default defineConfig({
  entry: {
    main: 'src/main.ts',
    // Programs that the service starts from its own folder.
    decoder: '../core/src/media/decoder.js',
    scanner: '../core/src/storage/sqlite/scanner.js',
    checkpointer: '../core/src/storage/sqlite/checkpointer.js',
  },
  format: 'esm',
  target: 'node22',
  // Commands are loaded on demand.
  splitting: true,
  clean: true,
  sourcemap: true,
  silent: true,
  metafile: true,
  esbuildOptions(options) {
    options.conditions = ['source', 'import', 'module', 'default'];
    // Keeps names, for stack traces.
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  onSuccess: async () => {
    await writeReference('dist');
    await writeLicences('dist', [...(await packagesIn('dist/metafile-esm.json')), ...inDashboard]);
    await rm('dist/metafile-esm.json');
    await cp('../core/src/invoices/render/fonts', 'dist/fonts', { recursive: true });
    await cp('../dashboard/dist', 'dist/dashboard', { recursive: true });
  },
});

/** Packages whose code is in the build, by the bundler's report; workspace packages are ours. */
async function packagesIn(report: string): Promise<string[]> {
  const { outputs } = JSON.parse(await readFile(report, 'utf8')) as { outputs: Record<string, { inputs: object }> };
  const paths = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const found = paths.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  return [...new Set(found.filter((name) => name !== undefined))];
}
