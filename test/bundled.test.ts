import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// An application in one file, as docs/bundlers.md makes it: what the packages read and start themselves is found all the same.

const root = fileURLToPath(new URL('..', import.meta.url));

/** Uploads an image, reads in a thread, and asks for the pages; prints what came of it. */
const application = `
import { readFile } from 'node:fs/promises';
import { createFirstStore, createMedia, openCommerce, openMediaFolder } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { createFetchHandler } from '@commerce/server';

async function main() {
  const [folder, file] = process.argv.slice(2);
  const files = await openMediaFolder({ directory: folder + '/media' });
  const commerce = await openCommerce({ storage: openSqlite({ file: folder + '/shop.db' }), media: { files, url: '/media' } });
  const { store } = await createFirstStore(commerce.engine, { type: 'embedder', id: null }, { name: 'Mugs', currency: 'EUR' });
  const shop = await commerce.store(store.id);
  const said = ({ kind, message }) => kind + ': ' + message;
  const upload = [{ fileName: 'mug.png', mimeType: 'image/png', content: [await readFile(file)] }];
  const image = await createMedia(shop, upload).then(([{ width, height }]) => width + ' × ' + height, said);
  const read = (db) => db.selectFrom('stores').select('id').execute();
  const scan = await commerce.engine.storage.scan(store.id, read).then((rows) => rows.length, said);
  const handle = createFetchHandler(commerce, { dashboard: true, onError: () => {} });
  const pages = {};
  for (const path of ['/docs', '/docs/redoc.js', '/dashboard']) pages[path] = (await handle(new Request('http://shop.test' + path))).status;
  const { info } = await (await handle(new Request('http://shop.test/openapi.json'))).json();
  console.log(JSON.stringify({ image, scan, pages, version: info.version }));
  await commerce.close();
}
main();
`;

const formats = {
  esm: {
    ending: 'mjs',
    // Packages of CommonJS in a bundle of modules call it.
    banner: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`,
  },
  cjs: { ending: 'cjs', banner: '' },
} as const;

const works = {
  image: '40 × 30',
  scan: 1,
  pages: { '/docs': 200, '/docs/redoc.js': 200, '/dashboard': 200 },
  version: '0.1.0',
};

describe('an application in a bundle of esbuild', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-bundled-'));
  const image = join(folder, 'mug.png');
  beforeAll(async () => {
    writeFileSync(image, await picture('png'));
    writeFileSync(join(folder, 'app.js'), application);
    for (const [format, { ending, banner }] of Object.entries(formats)) {
      await build({
        entryPoints: [join(folder, 'app.js')],
        outfile: join(folder, `app.${ending}`),
        bundle: true,
        platform: 'node',
        format: format as keyof typeof formats,
        external: ['sharp', 'better-sqlite3'],
        banner: { js: banner },
        nodePaths: [join(root, 'node_modules')],
        logLevel: 'silent',
      });
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs the bundle in a folder of its own, in which these packages are installed, with these files beside it. */
  async function run(format: keyof typeof formats, installed: readonly string[], beside: readonly string[] = []) {
    const place = mkdtempSync(join(folder, 'run-'));
    for (const name of installed) {
      const target = join(place, 'node_modules', name);
      mkdirSync(join(target, '..'), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), target);
    }
    for (const path of beside) cpSync(join(root, path), join(place, path.split('/').at(-1) ?? ''), { recursive: true });
    const bundle = `app.${formats[format].ending}`;
    cpSync(join(folder, bundle), join(place, bundle));
    const { stdout } = await promisify(execFile)(process.execPath, [join(place, bundle), place, image]);
    return JSON.parse(stdout);
  }

  const native = ['sharp', 'better-sqlite3'];
  for (const format of ['esm', 'cjs'] as const) {
    it(`works as ${format} with the packages installed`, async () => {
      expect(await run(format, [...native, '@commerce/core', '@commerce/server'])).toEqual(works);
    });

    it(`works as ${format} with the files of the packages beside it`, async () => {
      const ofCore = ['decoder.js', 'scanner.js', 'checkpointer.js', 'fonts'].map(
        (name) => `packages/core/dist/${name}`,
      );
      const ofServer = ['reference.html', 'reference.js', 'redoc.js', 'redoc.licences.txt', 'dashboard'];
      const files = [...ofCore, ...ofServer.map((name) => `packages/server/dist/${name}`)];
      expect(await run(format, native, files)).toEqual(works);
    });

    it(`names what is missing as ${format} without either`, async () => {
      const missing = (name: string) =>
        expect.stringContaining(`internal: the file ${name} of @commerce/core is missing`);
      expect(await run(format, native)).toEqual({
        image: missing('decoder.js'),
        scan: missing('scanner.js'),
        pages: { '/docs': 500, '/docs/redoc.js': 500, '/dashboard': 500 },
        version: '0.1.0',
      });
    });
  }
});
