import { defineConfig } from 'tsup';
import { writeRedoc } from './src/service/redoc-bundle.ts';

export default defineConfig({
  entry: { index: 'src/index.ts' },
  format: 'esm',
  target: 'node20',
  dts: true,
  sourcemap: true,
  clean: true,
  onSuccess: () => writeRedoc('dist'),
});
