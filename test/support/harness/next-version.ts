import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { migrations } from '@commerce/core';
import { root } from './processes.ts';

const execute = promisify(execFile);

type Migration = (typeof migrations)[number];

export const nextName = '0002_next';

/** Runs work as a version of the program with one more migration. */
export async function withNextMigration<T>(next: Omit<Migration, 'name'>, work: () => Promise<T>): Promise<T> {
  const list = migrations as Migration[];
  list.push({ name: nextName, ...next });
  try {
    return await work();
  } finally {
    list.pop();
  }
}

/** Versions after this one, by what their migration does. */
const kinds = {
  /** More columns in tables, and another table: older servers can continue. */
  adding: `
  rewritesRows: false,
  letsOlderServersRun: true,
  async up(db) {
    for (const table of ['stores', 'products', 'orders', 'payments', 'checkouts', 'api_keys', 'events']) {
      await sql\`alter table \${sql.table(table)} add column next_note text not null default 'none'\`.execute(db);
    }
    await sql\`create table next_notes (store_id text not null, id text not null, primary key (store_id, id))\`.execute(db);
  },`,
  /** Every order is rewritten: older servers cannot continue. */
  rewriting: `
  rewritesRows: true,
  letsOlderServersRun: false,
  async up(db) {
    await sql\`alter table orders add column next_note text\`.execute(db);
    await sql\`update orders set next_note = status\`.execute(db);
  },`,
} as const;

/** Builds are below the installed packages, so that they find them. */
const cache = join(root, 'node_modules/.cache/next');

/**
 * Builds a version after this one: the present sources with one more migration. A build is reused until the present version is built from
 * other sources.
 * @returns its program, for `node`
 */
export async function buildOfNext(kind: keyof typeof kinds): Promise<string> {
  const migration = `
import { sql } from 'kysely';
export const next = {
  name: '${nextName}',${kinds[kind]}
};
`;
  const sum = createHash('sha256').update(migration);
  for (const path of await filesOf(join(root, 'packages/cli/dist'))) sum.update(await readFile(path));
  const name = `${kind}-${sum.digest('hex').slice(0, 12)}`;
  const folder = join(cache, name);
  const program = join(folder, 'packages/cli/bin/commerce.js');
  if (existsSync(folder)) return program;
  await mkdir(cache, { recursive: true });
  // Builds of other sources are not used again.
  for (const other of await readdir(cache)) {
    if (other.startsWith(`${kind}-`)) await rm(join(cache, other), { recursive: true, force: true });
  }
  const making = await mkdtemp(join(cache, 'making-'));
  try {
    for (const part of ['package.json', 'tsconfig.json', 'release', 'packages']) {
      await cp(join(root, part), join(making, part), { recursive: true, filter: (path) => !isLeftOut(path) });
    }
    const list = join(making, 'packages/core/src/storage/migrations/all.ts');
    const text = await readFile(list, 'utf8');
    const longer = text.replace('[initial]', '[initial, next]');
    if (longer === text) throw new Error(`${list} has no list to add a migration to`);
    await writeFile(list, `import { next } from './${nextName}.ts';\n${longer}`);
    await writeFile(join(list, `../${nextName}.ts`), migration);
    await linkPackages(making);
    const build = (part: string, script: string) =>
      execute(process.execPath, [script], { cwd: join(making, 'packages', part) });
    await build('dashboard', 'build.mjs');
    await build('cli', join(root, 'node_modules/tsup/dist/cli-default.js'));
    // Another process can have finished the same build.
    await rename(making, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return program;
}

/** Every file below a folder. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** True for installed or built files, and for tests. */
function isLeftOut(path: string): boolean {
  return ['node_modules', 'dist'].includes(basename(path)) || path.endsWith('.test.ts');
}

/** Makes its packages find each other, instead of the present version's. */
async function linkPackages(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@commerce'), { recursive: true });
  for (const name of ['core', 'simulator', 'server', 'dashboard', 'cli']) {
    if (name !== 'cli') await symlink(`../../packages/${name}`, join(modules, '@commerce', name));
    const own = join(root, 'packages', name, 'node_modules');
    if (existsSync(own)) await symlink(own, join(folder, 'packages', name, 'node_modules'));
  }
}
