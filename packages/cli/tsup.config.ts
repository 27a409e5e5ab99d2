import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { inDashboard, writeLicences } from '../../release/licences.ts';
import { writeReference } from '../server/src/service/reference-files.ts';

/** Packages whose code is in the program, besides those of the workspace. */
const bundled = [
  'aws4fetch',
  'commander',
  'get-east-asian-width',
  'is-network-error',
  'kysely',
  'modern-tar',
  'p-retry',
  'zod',
];

export default defineConfig({
  entry: {
    main: 'src/main.ts',
    // Programs that the service starts; it looks for them in its own folder.
    decoder: '../core/src/media/decoder.js',
    scanner: '../core/src/storage/scanner.js',
    checkpointer: '../core/src/storage/checkpointer.js',
  },
  format: 'esm',
  target: 'node22',
  // Commands are loaded when they are called.
  splitting: true,
  clean: true,
  sourcemap: true,
  silent: true,
  noExternal: ['@commerce/core', '@commerce/server', ...bundled],
  esbuildOptions(options) {
    options.conditions = ['source', 'import', 'module', 'default'];
    // Names stay, for stack traces.
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
  onSuccess: async () => {
    await writeReference('dist');
    await writeLicences('dist', [...bundled, ...inDashboard]);
    await cp('../dashboard/dist', 'dist/dashboard', { recursive: true });
  },
});
