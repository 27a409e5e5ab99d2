import { readdirSync, readFileSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Options } from 'tsup';
import { inDashboard, writeLicences } from '../../release/licences.ts';
import { writeReference } from '../server/src/service/reference-files.ts';

/** Packages whose code is in the program, beside those of the workspace. */
const bundled = ['aws4fetch', 'commander', 'get-east-asian-width', 'is-network-error', 'kysely', 'p-retry', 'zod'];

const core = new URL('../core/', import.meta.url);
const entries: Record<string, { source: string }> = JSON.parse(
  readFileSync(new URL('package.json', core), 'utf8'),
).exports;

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

/** Modules that are loaded when they are needed. */
const later = new Set<string>();
for (const folder of ['core', 'server', 'cli'].map((name) => new URL(`../${name}/src/`, import.meta.url))) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    const file = new URL(name, folder);
    for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(/\bimport\('([^']+)'\)/g)) {
      const entry = entries[from.replace('@commerce/core', '.')];
      if (entry) later.add(fileURLToPath(new URL(entry.source, core)));
      else if (from.startsWith('.')) later.add(fileURLToPath(new URL(from, file)));
    }
  }
}

// The process that supervises others needs nothing of the store, and stays small.
later.delete(fileURLToPath(new URL('src/serve/supervisor.ts', import.meta.url)));

/** What nearly every command needs. A file costs as much as 20 kB of code, so what two of three of them need is here too. */
const common = ['src/resource.ts', '../core/src/products/products.ts', '../core/src/products/list.ts'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

/** Built-in modules that most commands do without; loading them takes as long as an eighth of a start. */
const seldom = new Set(['node:crypto', 'node:dns', 'node:worker_threads']);

/**
 * Takes built-in modules, and the database, from the process. Imported, each would be wrapped with all it has, of which some is
 * loaded for that alone: promises with `node:fs`, since Node.js 22 all of undici with `node:http`.
 */
function withoutWrappers(text: string): string {
  return text.replace(
    /^import (?!type )(?:(\w+)|\{([^}]*)\}|\* as (\w+)) from '(node:[a-z/_]+|better-sqlite3)';/gm,
    (_, name?: string, names = '', all?: string, from = '') => {
      const whole = from.startsWith('node:')
        ? `globalThis.process.getBuiltinModule('${from}')`
        : `globalThis.process.getBuiltinModule('node:module').createRequire(import.meta.url)('${from}')`;
      if (name ?? all) return `const ${name ?? all} = ${whole};`;
      const parts = valuesOf(names).map((part) => part.split(' as '));
      return parts
        .map(([its = '', own = its]) =>
          seldom.has(from) && isOnlyCalled(own, text)
            ? `let ${own} = function (...args) { ${own} = ${whole}.${its}; return new.target ? new ${own}(...args) : ${own}(...args); };`
            : `const ${own} = ${whole}.${its};`,
        )
        .join(' ');
    },
  );
}

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

/**
 * Has each command load what it uses, in few files.
 *
 * The bundler puts whatever is reached through one index into the files of everything that imports that index: of core, all that
 * there is; of Zod, when imported by the name `z`, messages in fifty languages. So each name is imported from its own module.
 *
 * It makes a file for each group of modules that the same parts of the program need, dozens for a command. So each part that is
 * loaded later is said to need what nearly all of them do, which becomes one file and is loaded already.
 */
const inParts: Plugin = {
  name: 'in-parts',
  setup(build) {
    build.onLoad({ filter: /[\\/]packages[\\/](core|server|cli)[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = path === describedPath ? await textOfDescribed(build) : await readFile(path, 'utf8');
      const contents = withoutWrappers(text)
        .replace("import { z } from 'zod'", "import * as z from 'zod'")
        .replace(/^import \{([^}]*)\} from '@commerce\/core';/gm, (_, names: string) =>
          valuesOf(names)
            .map((name) => `import { ${name} } from ${JSON.stringify(modules.get(name))};`)
            .join(' '),
        );
      const imports = later.has(path) ? common.map((one) => `import ${JSON.stringify(one)};`) : [];
      return { contents: [contents, ...imports].join('\n'), loader: 'ts' };
    });
    // Said to do something when it is loaded: the packages say otherwise of all they have, and every such import would be warned of.
    build.onResolve({ filter: /\.ts$/ }, ({ path }) =>
      common.includes(path) ? { path, sideEffects: true } : undefined,
    );
    // Commander asks for what it would start other programs with, which it does not do here.
    build.onLoad({ filter: /[\\/]commander[\\/]lib[\\/]\w+\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(/\brequire\('(node:\w+)'\)/g, (_, name: string) =>
        name === 'node:child_process' ? '{}' : `globalThis.process.getBuiltinModule('${name}')`,
      ),
    }));
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
    await writeReference('dist');
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
  esbuildPlugins: [inParts],
  esbuildOptions(options) {
    options.conditions = conditions;
    // Names stay, for traces of faults.
    options.minifyWhitespace = true;
    options.minifySyntax = true;
  },
});
