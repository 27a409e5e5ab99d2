import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import { CommerceError } from '../../errors.ts';
import { distributionOfNew } from '../placing.ts';
import { runTransaction } from '../run.ts';
import type { Db, Storage } from '../storage.ts';
import { initial } from './0001_initial.ts';
import { migrations } from './all.ts';
import type { Migration } from './migration.ts';

/** Stands among the migrations of a database while a copy into it is unfinished, so that no program takes it for a whole one. */
export const unfinishedCopy = 'unfinished copy';

export interface MigrationStatus {
  /** Names of the migrations applied to the database. */
  applied: string[];
  /** Names of the migrations that this program would still run. */
  pending: string[];
}

/** What is about to be done to a database that has stores. */
export interface ComingMigrations {
  /** In their order, such as `0018_gift_cards`. */
  pending: readonly string[];
  /** Whether one of them changes or removes what is stored, beyond adding to it. */
  rewritesRows: boolean;
}

export interface MigrateOptions {
  /**
   * Called before a database that has stores is changed, for a copy of it; what it throws leaves the database as it is. Of two
   * processes that start at once, both may call it.
   */
  beforeMigrating?: ((coming: ComingMigrations) => Promise<void>) | undefined;
  /** Goes on also where servers of an older version use the database that would lose or break something. */
  ignoreOlderServers?: boolean | undefined;
  /** Whether the caller goes on with a copy into the database. */
  isCopied?: boolean;
}

/** Milliseconds that connections of servers that were just stopped may take to end. */
const olderPatience = 5000;

/**
 * Brings the database up to date in one transaction: a kill at any point leaves it as it was, and of two processes that
 * start at once the second waits and finds nothing to do. Kysely's own migrator is not used, because it creates its tables
 * outside the transaction and would let an older program use a newer database.
 * @throws CommerceError `unavailable` when a newer program has already changed the database, and when servers of an older one use it
 * that cannot go on with what it would become.
 */
export async function migrate(
  storage: Storage,
  clock: Clock,
  { isCopied = false, ignoreOlderServers = false, beforeMigrating }: MigrateOptions = {},
): Promise<MigrationStatus> {
  // Checked without the write lock first, because most starts find nothing to do.
  const before = await migrationStatus(storage, { isCopied });
  if (before.pending.length === 0) return { applied: [], pending: [] };
  if (before.applied.length > 0) {
    const coming = migrations.filter(({ name }) => before.pending.includes(name));
    if (!ignoreOlderServers) await refuseOlderServers(storage, coming);
    if (beforeMigrating && (await hasStores(storage))) {
      await beforeMigrating({ pending: before.pending, rewritesRows: coming.some((one) => one.rewritesRows) });
    }
  }
  const run = runTransaction(storage, async (db) => {
    await storage.lockName(db, 'migrations');
    await sql`create table if not exists schema_migrations (name text primary key, applied_at bigint not null)`.execute(
      db,
    );
    const { pending } = await statusOf(db, storage, isCopied);
    const distributeNew = await distributionOfNew(db, storage);
    for (const migration of migrations) {
      if (!pending.includes(migration.name)) continue;
      await migration.up(db, storage);
      await db.insertInto('schema_migrations').values({ name: migration.name, applied_at: clock.now() }).execute();
    }
    await distributeNew();
    return { applied: pending, pending: [] };
  });
  return run.catch((error) => {
    if (!isDenied(error)) throw error;
    throw new CommerceError(
      'unavailable',
      `${lacking(storage, before)}, and this user may not make them; run \`commerce migrate\` as the owner of the database first`,
    );
  });
}

/** Whether the database has users, and this one lacks a right: codes of PostgreSQL for it, and for a schema that is not seen without one. */
function isDenied(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === '42501' || code === '3F000';
}

function lacking(storage: Storage, { applied, pending }: MigrationStatus): string {
  const lacks = applied.length === 0 ? 'has no tables of Commerce yet' : `lacks the migrations ${pending.join(', ')}`;
  return `the database ${storage.location} ${lacks}`;
}

async function hasStores(storage: Storage): Promise<boolean> {
  return (await storage.reads.selectFrom('stores').select('id').limit(1).executeTakeFirst()) !== undefined;
}

async function refuseOlderServers(storage: Storage, coming: readonly Migration[]): Promise<void> {
  const breaking = coming.filter((one) => !one.letsOlderServersRun);
  if (breaking.length === 0 || !storage.olderConnections) return;
  const deadline = performance.now() + olderPatience;
  let older = await storage.olderConnections();
  while (older > 0 && performance.now() < deadline) {
    await sleep(200);
    older = await storage.olderConnections();
  }
  if (older === 0) return;
  const names = breaking.map(({ name }) => name).join(', ');
  throw new CommerceError(
    'unavailable',
    `servers of an older version use the database ${storage.location} (${older} connections) and could not go on after ${breaking.length === 1 ? 'the migration' : 'the migrations'} ${names}: stop them all, then migrate, then start those of this version. Nothing was changed`,
  );
}

/**
 * @param options.isInUse whether this program has opened the database before, which was up to date then
 * @throws CommerceError `unavailable` when a newer program has already changed the database, when an unreleased one has made it, or when
 * another program's tables are in it
 */
export async function migrationStatus(
  storage: Storage,
  { isCopied = false, isInUse = false }: { isCopied?: boolean; isInUse?: boolean } = {},
): Promise<MigrationStatus> {
  const tables = await storage.tables();
  if (tables.includes('schema_migrations') && (await isOurs(storage)))
    return statusOf(storage.reads, storage, isCopied, isInUse);
  // Even an empty table of another program would be mixed up with ours, and theirs may have the same names.
  if (tables.length > 0) {
    throw new CommerceError('unavailable', `${storage.location} is the database of another program, not of Commerce`);
  }
  return { applied: [], pending: migrations.map(({ name }) => name) };
}

/** Whether the table of migrations is ours: those of several other programs have the same name. */
async function isOurs(storage: Storage): Promise<boolean> {
  try {
    await storage.reads.selectFrom('schema_migrations').select(['name', 'applied_at']).limit(1).execute();
    return true;
  } catch (error) {
    if (storage.isUnavailable(error) || storage.isTransient(error) || isDenied(error)) throw error;
    return false;
  }
}

/**
 * Writes nothing.
 * @throws CommerceError `unavailable` when the database lacks migrations
 */
export async function requireMigrated(storage: Storage): Promise<void> {
  const status = await migrationStatus(storage);
  if (status.pending.length === 0) return;
  const reason = status.applied.length === 0 ? 'noTables' : 'migrationsPending';
  throw new CommerceError('unavailable', lacking(storage, status), { reason });
}

async function statusOf(db: Db, storage: Storage, isCopied: boolean, isInUse = false): Promise<MigrationStatus> {
  const rows = await db.selectFrom('schema_migrations').select('name').orderBy('name').execute();
  const applied = rows.map(({ name }) => name).filter((name) => name !== unfinishedCopy);
  // Every version since the first release begins with the same migration.
  if (applied.length > 0 && !applied.includes(initial.name)) {
    throw new CommerceError(
      'unavailable',
      `the database ${storage.location} was made by an unreleased version of Commerce: export its products, categories, customers and pages with that version and import them into a new database; nothing else can be moved`,
    );
  }
  if (applied.length < rows.length && !isCopied) {
    throw new CommerceError(
      'unavailable',
      `a copy into the database ${storage.location} was not finished; run the same copy again, which goes on from there`,
    );
  }
  const unknown = applied.filter((name) => !migrations.some((one) => one.name === name));
  // A newer program has asked whether this one uses the database, and changes it only where this one can go on.
  if (unknown.length > 0 && !(isInUse && storage.olderConnections)) {
    throw new CommerceError(
      'unavailable',
      `the database ${storage.location} was changed by a newer version of Commerce (migration ${unknown.join(', ')}); install that version to use it`,
    );
  }
  return { applied, pending: migrations.map(({ name }) => name).filter((name) => !applied.includes(name)) };
}
