import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Options } from 'tsup';
import { inDashboard, writeLicences } from '../../release/licences.ts';
import { writeReference } from '../server/src/service/reference-files.ts';
import { joinParts } from './parts.ts';

/** Packages whose code is in the program, beside those of the workspace. */
const bundled = [
  'aws4fetch',
  'better-sqlite3',
  'commander',
  'get-east-asian-width',
  'is-network-error',
  'kysely',
  'modern-tar',
  'p-retry',
  'zod',
];

const workspace = ['@commerce/core', '@commerce/server'];

const core = new URL('../core/', import.meta.url);

/** Modules of core by the names that its index exports of them. */
const modules = new Map<string, string>();
const index = new URL('src/index.ts', core);
for (const [, names = '', from = ''] of readFileSync(index, 'utf8').matchAll(/^export \{([^}]*)\} from '([^']+)';/gm)) {
  for (const name of valuesOf(names)) modules.set(name, fileURLToPath(new URL(from, index)));
}

/** Names of an import or export without those of types. */
function valuesOf(names: string): string[] {
  const all = names.split(',').map((name) => name.trim());
  return all.filter((name) => name !== '' && !name.startsWith('type '));
}

/** Built-in modules that most commands do without; loading them takes as long as an eighth of a start. */
const seldom = new Set([
  'node:child_process',
  'node:crypto',
  'node:dns',
  'node:fs/promises',
  'node:module',
  'node:net',
  'node:stream/consumers',
  'node:stream/promises',
  'node:timers/promises',
  'node:worker_threads',
  'node:zlib',
]);

/**
 * Takes built-in modules from the process. Imported, each would be wrapped with all it has, of which some is
 * loaded for that alone: promises with `node:fs`, since Node.js 22 all of undici with `node:http`.
 */
function withoutWrappers(text: string): string {
  return text.replace(
    /^import (?!type )(?:(\w+)|\{([^}]*)\}|\* as (\w+)) from '(node:[a-z/_]+)';/gm,
    (_, name?: string, names = '', all?: string, from = '') => {
      const whole = `globalThis.process.getBuiltinModule('${from}')`;
      if (name ?? all) return `const ${name ?? all} = ${whole};`;
      const parts = valuesOf(names).map((part) => part.split(' as '));
      const declared = parts
        .map(([its = '', own = its]) =>
          seldom.has(from) && isOnlyCalled(own, text)
            ? `let ${own} = function (...args) { ${own} = ${whole}.${its}; return new.target ? new ${own}(...args) : ${own}(...args); };`
            : `const ${own} = ${whole}.${its};`,
        )
        .join(' ');
      return declared + linesOf(names);
    },
  );
}

/** As many ends of lines as a text has: what takes its place leaves the lines behind it where they were, for the map. */
const linesOf = (text: string) => text.replace(/[^\n]/g, '');

/** True for a function or class of which nothing but a call is needed, so that it may be fetched with the first one. */
function isOnlyCalled(name: string, text: string): boolean {
  return !new RegExp(`\\b(instanceof|extends)\\s+${name}\\b|\\b${name}\\.`).test(text);
}

type Plugin = NonNullable<Options['esbuildPlugins']>[number];
type PluginBuild = Parameters<Plugin['setup']>[0];

/** Conditions of exports: the sources of the workspace. */
const conditions = ['source', 'import', 'module', 'default'];

const describedPath = fileURLToPath(new URL('src/input/described.ts', import.meta.url));

/** What is known of fields, written down: to compute it takes as long as the rest of a start. */
async function textOfDescribed({ esbuild }: PluginBuild): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [describedPath],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    conditions,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const described: Record<string, unknown> = await import(`data:text/javascript;base64,${code}`);
  return Object.entries(described)
    .map(([name, value]) => `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`)
    .join('\n');
}

/** Writes what is not ASCII as escapes, as the bundler does but in regular expressions: V8 keeps such a text in half as many bytes. */
function inAscii(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Has each command evaluate what it uses.
 *
 * Importing one name from an index evaluates everything that the index leads to: all of core, and of Zod, imported by the name `z`,
 * messages in fifty languages. So each name is imported from its own module.
 */
const ownModules: Plugin = {
  name: 'own-modules',
  setup(build) {
    build.onLoad({ filter: /[\\/]packages[\\/](core|server|cli)[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = path === describedPath ? await textOfDescribed(build) : await readFile(path, 'utf8');
      const contents = withoutWrappers(text)
        .replace("import { z } from 'zod'", "import * as z from 'zod'")
        .replace(/^import \{([^}]*)\} from '@commerce\/core';/gm, (_, names: string) => {
          const imported = valuesOf(names).map(
            (name) => `import { ${name} } from ${JSON.stringify(modules.get(name.split(' as ')[0] ?? name))};`,
          );
          return imported.join(' ') + linesOf(names);
        });
      return { contents: inAscii(contents), loader: 'ts' };
    });
    // Commander asks for what it would start other programs with, which it does not do here.
    build.onLoad({ filter: /[\\/]commander[\\/]lib[\\/]\w+\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/\brequire\('(node:\w+)'\)/g, (_, name: string) =>
        name === 'node:child_process' ? '{}' : `globalThis.process.getBuiltinModule('${name}')`,
      ),
    }));
  },
};

/** Where the native part of SQLite is once its package is installed. */
const nativePart = 'better-sqlite3/build/Release/better_sqlite3.node';

/**
 * Has better-sqlite3's own code in the program, and its native part taken from where its package is installed: to find a dozen small files
 * and compile them takes as long as a tenth of a start. A native part elsewhere, or none, is left to `bindings`, which the package uses.
 */
const withSqlite: Plugin = {
  name: 'with-sqlite',
  setup(build) {
    build.onResolve({ filter: /^bindings$/ }, () => ({ path: 'bindings', namespace: 'sqlite' }));
    build.onResolve({ filter: /\.node$|^better-sqlite3\/package\.json$/ }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /.*/, namespace: 'sqlite' }, () => ({
      contents: `
        module.exports = (name) => {
          try {
            return require('${nativePart}');
          } catch (error) {
            if (error.code !== 'MODULE_NOT_FOUND') throw error;
            const own = require.resolve('better-sqlite3/package.json');
            const find = require('node:module').createRequire(own)('bindings');
            return find({ bindings: name, module_root: require('node:path').dirname(own) });
          }
        };`,
    }));
  },
};

/** Where the bundler leaves the parts of the program. */
const parts = 'dist/parts';

const common: Options = {
  target: 'node20',
  splitting: false,
  sourcemap: true,
  noExternal: workspace,
  external: ['@fastify/busboy', 'cli-progress', 'csv-parse', 'csv-stringify', 'pg', 'prom-client', 'sharp', 'undici'],
  esbuildPlugins: [ownModules],
  esbuildOptions(options) {
    options.conditions = conditions;
    // Names stay, for traces of faults.
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
};

// `npm run build` empties the folder before: each of the two would remove what the other has written.
export default defineConfig([
  // One file, which `bin/start.cjs` runs with what was compiled of it before: as hundreds of modules, loading took longer than
  // everything else of a start. What has native parts, or is not always needed, stays a package of its own and is loaded when it is used.
  {
    ...common,
    entry: { main: 'src/main.ts' },
    format: 'esm',
    splitting: true,
    outDir: parts,
    noExternal: [...workspace, ...bundled],
    esbuildPlugins: [ownModules, withSqlite],
    define: { 'import.meta.url': 'addressOfProgram' },
    onSuccess: async () => {
      await writeProgram('dist/main.cjs');
      await rm(parts, { recursive: true });
      await writeReference('dist');
      await writeLicences('dist', [...bundled, ...inDashboard]);
      await cp('../dashboard/dist', 'dist/dashboard', { recursive: true });
    },
  },
  // The decoder of pictures and the threads of the database are programs that this one starts, beside which they lie.
  {
    ...common,
    entry: {
      decoder: '../core/src/media/decoder.js',
      scanner: '../core/src/storage/scanner.js',
      checkpointer: '../core/src/storage/checkpointer.js',
    },
    format: 'esm',
  },
]);

/** Writes the program, ended by a sum of what it holds, which tells one build from another. */
async function writeProgram(path: string): Promise<void> {
  const { code, map } = await joinParts(parts, 'main.js');
  const [found] = /[^\0-\x7f]+/.exec(code) ?? [];
  if (found) throw new Error(`${path} holds ${found}; it is read as ASCII`);
  const text = `${code}//# sourceMappingURL=${basename(path)}.map`;
  await writeFile(path, `${text}\n//${createHash('sha256').update(text).digest('hex')}`);
  await writeFile(`${path}.map`, JSON.stringify(map));
}
