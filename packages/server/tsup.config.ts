import { defineConfig } from 'tsup';
import { inDashboard, writeLicences } from '../../release/licences.ts';
import { writeReference } from './src/service/reference-files.ts';

export default defineConfig({
  entry: { index: 'src/index.ts' },
  format: 'esm',
  target: 'node22',
  // Types are checked by `npm run types`; here they are only written.
  dts: { compilerOptions: { noCheck: true } },
  sourcemap: true,
  silent: true,
  clean: true,
  onSuccess: async () => {
    await writeReference('dist');
    await writeLicences('dist', inDashboard);
  },
});
