import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { packagesOf, sourcesOf, writeLicences } from '../../release/licences.ts';

const modules = {
  index: 'src/index.ts',
  sqlite: 'src/storage/sqlite/sqlite.ts',
  postgres: 'src/storage/postgres/postgres.ts',
  schemas: 'src/schemas/index.ts',
  webhook: 'src/webhooks/verify.ts',
  testing: 'src/testing/index.ts',
};

export default defineConfig({
  // Programs that the others start, beside which they lie.
  entry: {
    ...modules,
    decoder: 'src/media/decoder.js',
    scanner: 'src/storage/sqlite/scanner.js',
    checkpointer: 'src/storage/sqlite/checkpointer.js',
  },
  format: 'esm',
  target: 'node22',
  // Types are checked by `npm run types`; here they are only written. Those of the simulator, which is not published, become part of
  // `testing`, as its code does.
  dts: {
    entry: modules,
    compilerOptions: { noCheck: true, paths: { '@commerce/simulator': ['../simulator/src/index.ts'] } },
  },
  sourcemap: true,
  silent: true,
  clean: true,
  onSuccess: async () => {
    await cp('src/invoices/render/fonts', 'dist/fonts', { recursive: true });
    // The mail server of `testing`, which only tests need, is in the build instead of a dependency.
    await writeLicences('dist', packagesOf(await sourcesOf('dist')));
  },
});
