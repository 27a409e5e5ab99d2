import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { inDashboard, packagesOf, sourcesOf, writeLicences } from '../../release/licences.ts';
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
  esbuildOptions(options) {
    options.conditions = ['source', 'import', 'module', 'default'];
    // Keeps names, for stack traces.
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  onSuccess: async () => {
    await writeReference('dist');
    await writeLicences('dist', [...packagesOf(await sourcesOf('dist')), ...inDashboard]);
    await cp('../core/src/invoices/render/fonts', 'dist/fonts', { recursive: true });
    await cp('../dashboard/dist', 'dist/dashboard', { recursive: true });
  },
});
