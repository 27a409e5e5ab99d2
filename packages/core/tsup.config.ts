import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    sqlite: 'src/storage/sqlite.ts',
    postgres: 'src/storage/postgres.ts',
    schemas: 'src/schemas.ts',
    webhook: 'src/webhooks/verify.ts',
    testing: 'src/testing/index.ts',
  },
  format: 'esm',
  target: 'node20',
  dts: true,
  sourcemap: true,
  clean: true,
});
