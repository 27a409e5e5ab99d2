import { cp, readFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';
import { inDashboard, writeLicences } from '../../release/licences.ts';
import { writeRedoc } from '../server/src/service/redoc-bundle.ts';

/** Packages whose code is in the program, beside those of the workspace. */
const bundled = ['aws4fetch', 'get-east-asian-width', 'is-network-error', 'kysely', 'p-retry', 'zod'];

/**
 * Leaves out the parts of Zod that are not used: half of what every start would have to read. Imported as a namespace, as it is here, its
 * functions are told apart by the bundler; imported by the name `z`, they come all together, in fifty languages.
 */
const zodInParts: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'zod-in-parts',
  setup(build) {
    build.onLoad({ filter: /[\\/]packages[\\/](core|server|cli)[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes("import { z } from 'zod'")) return undefined;
      return { contents: text.replace("import { z } from 'zod'", "import * as z from 'zod'"), loader: 'ts' };
    });
  },
};

// One program in few files: loading Kysely's and Zod's hundreds of modules one by one took longer than everything else of
// a start. What has native parts, or is not always needed, stays a package of its own and is loaded when it is used.
export default defineConfig({
  // The decoder of pictures and the threads of the database are programs that this one starts, beside which they lie.
  entry: {
    main: 'src/main.ts',
    decoder: '../core/src/media/decoder.js',
    scanner: '../core/src/storage/scanner.js',
    checkpointer: '../core/src/storage/checkpointer.js',
  },
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  clean: true,
  onSuccess: async () => {
    await writeRedoc('dist');
    await writeLicences('dist', [...bundled, ...inDashboard]);
    await cp('../dashboard/dist', 'dist/dashboard', { recursive: true });
  },
  noExternal: ['@commerce/core', '@commerce/server', ...bundled],
  external: [
    '@fastify/busboy',
    'better-sqlite3',
    'cli-progress',
    'csv-parse',
    'csv-stringify',
    'modern-tar',
    'pg',
    'prom-client',
    'sharp',
    'undici',
  ],
  esbuildPlugins: [zodInParts],
  esbuildOptions(options) {
    options.conditions = ['source', 'import', 'module', 'default'];
    // Names stay, for traces of faults.
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
});
