// Builds the pages into `dist`, and copies them to the packages that ship them. Every file but the page has a content hash in its name, and
// its compressed forms next to it. So the server only has to choose one.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';

/** Most bytes of the first screen, compressed: the page, its script with direct imports, styles and signs. */
const maxFirstScreen = 120_000;

const types = { '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' };

const here = fileURLToPath(new URL('.', import.meta.url));
const out = join(here, 'dist');
await rm(out, { recursive: true, force: true });
await mkdir(join(out, 'assets'), { recursive: true });

/** One style sheet: base styles first, then the kit, then the screens. */
async function stylesheet() {
  const names = ['tokens', 'base', 'frame', 'kit', 'forms', 'list'].map((name) => `src/styles/${name}.css`);
  const screens = await readdir(join(here, 'src/screens'), { recursive: true });
  const own = screens.filter((name) => name.endsWith('.css')).sort();
  return [...names, ...own.map((name) => `src/screens/${name}`)].map((name) => `@import './${name}';`).join('\n');
}

const overview = '../screens/overview/overview.tsx';

/**
 * Keeps the first screen in few files. The list of screens brings the overview along, and every screen imports the start, which has loaded
 * it: so all parts of both are needed by the same files, and are not split by which screens share which part.
 */
const inFewFiles = {
  name: 'in-few-files',
  setup({ onLoad }) {
    const change = (filter, loader, to) =>
      onLoad({ filter }, async ({ path }) => ({ contents: to(await readFile(path, 'utf8')), loader }));
    const lazily = `() => import('${overview}')`;
    change(/[\\/]src[\\/]app[\\/]routes\.ts$/, 'ts', (text) =>
      text.includes(lazily)
        ? `import Overview from '${overview}';\n${text.replace(lazily, 'async () => ({ default: Overview })')}`
        : fail(`the list of screens does not load ${overview}`),
    );
    change(
      /[\\/]src[\\/]screens[\\/][^\\/]+[\\/][^\\/]+\.tsx$/,
      'tsx',
      (text) => `import '../../app/start.tsx';\n${text}`,
    );
  },
};

const shared = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  outdir: join(out, 'assets'),
  target: ['chrome123', 'firefox120', 'safari17.5'],
  write: true,
  metafile: true,
  logLevel: 'warning',
};
const [scripts, styles] = await Promise.all([
  build({
    ...shared,
    entryPoints: { main: 'src/main.ts' },
    format: 'esm',
    splitting: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'file' },
    legalComments: 'none',
    plugins: [inFewFiles],
  }),
  build({
    ...shared,
    stdin: { contents: await stylesheet(), resolveDir: here, loader: 'css', sourcefile: 'styles.css' },
    entryNames: 'styles-[hash]',
  }),
]);

const outputs = Object.fromEntries(
  Object.entries({ ...scripts.metafile.outputs, ...styles.metafile.outputs }).map(([path, output]) => [
    basename(path),
    output,
  ]),
);
const entryOf = (source) =>
  Object.keys(outputs).find((name) => outputs[name].entryPoint?.endsWith(source)) ??
  fail(`no output is made of ${source}`);
const entry = entryOf('src/main.ts');
const start = entryOf('src/app/start.tsx');
const css = Object.keys(outputs).find((name) => name.endsWith('.css')) ?? fail('there are no styles');

/** The file with its direct imports. */
function withImports(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const one of outputs[name].imports) if (one.kind === 'import-statement') withImports(basename(one.path), found);
  return found;
}

const page = (await readFile(join(here, 'src/index.html'), 'utf8'))
  .replace('%css%', css)
  .replace('%entry%', entry)
  .replace(
    '%preload%',
    [...withImports(start, withImports(entry))]
      .slice(1)
      .map((name) => `<link rel="modulepreload" href="%root%assets/${name}">`)
      .join('\n'),
  )
  .replace('%icon%', await addIcon());
await writeFile(join(out, 'index.html'), page);

/** The icon in the browser tab. */
async function addIcon() {
  const text = await readFile(join(here, 'src/icons/favicon.svg'));
  const name = `favicon-${createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase()}.svg`;
  await writeFile(join(out, 'assets', name), text);
  outputs[name] = { bytes: text.length, imports: [] };
  return name;
}

const files = {};
const sizes = new Map();
await Promise.all(
  Object.keys(outputs).map(async (name) => {
    const path = join(out, 'assets', name);
    const bytes = await readFile(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    const [gz, br] = await Promise.all([
      promisify(gzip)(bytes, { level: 9 }),
      promisify(brotliCompress)(bytes, { params }),
    ]);
    await Promise.all([writeFile(`${path}.gz`, gz), writeFile(`${path}.br`, br)]);
    const type = types[name.slice(name.lastIndexOf('.'))] ?? fail(`${name} has no known type`);
    files[`assets/${name}`] = { type };
    sizes.set(name, { plain: bytes.length, gzip: gz.length, br: br.length });
  }),
);
const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
await writeFile(join(out, 'manifest.json'), `${JSON.stringify({ files: sorted }, undefined, 2)}\n`);

const first = new Set([
  ...withImports(start, withImports(entry)),
  css,
  ...Object.keys(outputs).filter((name) => name.endsWith('.svg')),
]);
const firstGzip = [...first].reduce((sum, name) => sum + sizes.get(name).gzip, (await promisify(gzip)(page)).length);
const row = (name, ...cells) =>
  console.log(`  ${name.padEnd(34)}${cells.map((cell) => String(cell).padStart(10)).join('')}`);
row('dashboard, bytes', 'plain', 'gzip', 'brotli');
for (const [name, { plain, gzip, br }] of [...sizes].sort(([, a], [, b]) => b.gzip - a.gzip)) {
  row(`${first.has(name) ? '* ' : '  '}${name}`, plain, gzip, br);
}
console.log(`  * first screen: ${firstGzip} bytes gzip of at most ${maxFirstScreen}`);
if (firstGzip > maxFirstScreen) fail(`the first screen takes ${firstGzip} bytes, more than ${maxFirstScreen}`);

for (const name of ['server', 'cli']) {
  const place = join(here, '..', name, 'dist');
  if (!existsSync(place)) continue;
  await rm(join(place, 'dashboard'), { recursive: true, force: true });
  await cp(out, join(place, 'dashboard'), { recursive: true });
}

function fail(message) {
  throw new Error(message);
}
