import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { keptBuild } from '../../../release/previous.mjs';
import { root } from './processes.ts';

const migrationName = '0019_next';

/** Adds to what there is, as a version does that older servers can bear: tables that they read have more columns. */
const migration = `
import { sql } from 'kysely';
export const next = {
  name: '${migrationName}',
  rewritesRows: false,
  letsOlderServersRun: true,
  async up(db) {
    for (const table of ['stores', 'products', 'orders', 'payments', 'checkouts', 'api_keys', 'events']) {
      await sql\`alter table \${sql.table(table)} add column next_note text not null default 'none'\`.execute(db);
    }
    await sql\`create table next_notes (store_id text not null, id text not null, primary key (store_id, id))\`.execute(db);
  },
};
`;

/** Changes to files below `migrations/` that make this version the next one. */
const changes: Record<string, (text: string) => string> = {
  'index.ts': (text) => replaced(text, '] as const;', `  '${migrationName}',\n] as const;`),
  'all.ts': (text) =>
    replaced(`import { next } from './${migrationName}.ts';\n${text}`, /\n\];\s*$/, '\n  next,\n];\n'),
  [`${migrationName}.ts`]: () => migration,
};

function replaced(text: string, part: string | RegExp, by: string): string {
  const changed = text.replace(part, by);
  if (changed === text) throw new Error(`${part} is not there to be replaced`);
  return changed;
}

/**
 * Builds a version after this one: the sources in hand with one more migration. It is kept for as long as they stay the same.
 * @returns its program, for `node`
 */
export async function buildOfNext(): Promise<string> {
  const [sources = ''] = (await readFile(join(root, 'node_modules/.cache/build.txt'), 'utf8')).split('\n');
  const version = createHash('sha256').update(sources).update(migration).digest('hex').slice(0, 12);
  const name = `next-${version}`;
  const kept = join(root, 'node_modules/.cache/previous');
  // Those of other sources are never asked for again.
  for (const other of await readdir(kept).catch(() => [])) {
    if (other.startsWith('next-') && other !== name) await rm(join(kept, other), { recursive: true, force: true });
  }
  return keptBuild(name, async (folder) => {
    for (const part of ['package.json', 'tsconfig.json', 'release', 'packages']) {
      await cp(join(root, part), join(folder, part), { recursive: true, filter: (path) => !isLeftOut(path) });
    }
    const migrations = join(folder, 'packages/core/src/storage/migrations');
    for (const [file, change] of Object.entries(changes)) {
      const path = join(migrations, file);
      await writeFile(path, change(await readFile(path, 'utf8').catch(() => '')));
    }
  });
}

/** True for what is installed or built, and for what tests alone need. */
function isLeftOut(path: string): boolean {
  return ['node_modules', 'dist', 'fixtures'].includes(basename(path)) || path.endsWith('.test.ts');
}
