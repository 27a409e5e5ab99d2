import { defineConfig } from 'tsup';
import { writeRedoc } from '../server/src/service/redoc-bundle.ts';

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
  onSuccess: () => writeRedoc('dist'),
  noExternal: ['@commerce/core', '@commerce/server', 'aws4fetch', 'kysely', 'p-retry', 'zod'],
  external: [
    '@fastify/busboy',
    'better-sqlite3',
    'cli-progress',
    'csv-parse',
    'csv-stringify',
    'pg',
    'prom-client',
    'sharp',
    'undici',
  ],
  esbuildOptions(options) {
    options.conditions = ['source', 'import', 'module', 'default'];
  },
});
