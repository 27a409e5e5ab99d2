import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { distributionOfNew, placedTables } from '../placing.ts';
import { runTransaction } from '../run.ts';
import type { Db, Storage } from '../storage.ts';
import { initial } from './0001_initial.ts';
import { migrations } from './all.ts';
import type { Migration } from './migration.ts';

/** A row with this name marks a database with an unfinished copy, so that no program uses it as complete. */
export const unfinishedCopy = 'unfinished copy';

export interface MigrationStatus {
  /** Names of the migrations applied to the database. */
  applied: string[];
  /** Names of the migrations that this program would still run. */
  pending: string[];
}

/** The changes that are about to be made to a database with stores. */
export interface ComingMigrations {
  /** In their order, such as `0018_gift_cards`. */
  pending: readonly string[];
  /** True if one of them changes or removes stored data, and does not only add to it. */
  rewritesRows: boolean;
}

export interface MigrateOptions {
  /**
   * Called before a database that has stores is changed, to copy it first; if it throws, the database stays unchanged. If two processes
   * start at once, both can call it.
   */
  beforeMigrating?: ((coming: ComingMigrations) => Promise<void>) | undefined;
  /** Migrates even if servers of an older version, which would lose or break something, use the database. */
  ignoreOlderServers?: boolean | undefined;
  /** Whether the caller continues a copy into the database. */
  isCopied?: boolean;
}

/** Milliseconds to wait until the connections of servers that were just stopped have ended. */
const olderPatience = 5000;

/**
 * Brings the database up to date in one transaction: a kill at any point leaves it unchanged. If two processes start at once, the second
 * waits and then finds nothing to do. Kysely's own migrator is not used: it creates its tables outside the transaction and would let an
 * older program use a newer database.
 * @throws CommerceError `unavailable` when a newer program has already changed the database, or when servers of an older version use it and
 * could not continue.
 */
export async function migrate(
  storage: Storage,
  clock: Clock,
  { isCopied = false, ignoreOlderServers = false, beforeMigrating }: MigrateOptions = {},
): Promise<MigrationStatus> {
  // First checked without the write lock, because most starts find nothing to do.
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
    if (isTaken(error)) {
      const { message } = error as Error;
      throw new CommerceError(
        'unavailable',
        `${lacking(storage, before)}, and they cannot be created beside those of the application: ${message}. Rename it; nothing was changed`,
        { cause: error },
      );
    }
    if (!isDenied(error)) throw error;
    throw new CommerceError(
      'unavailable',
      `${lacking(storage, before)}, and this user cannot apply them; run \`commerce migrate\` as the owner of the database first`,
    );
  });
}

/**
 * True if the database has user accounts and this one lacks a right. Tests PostgreSQL's code for that, and the code for a schema that is
 * hidden without the right.
 */
function isDenied(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === '42501' || code === '3F000';
}

/** True if a table, an index or a view of the name exists already. */
function isTaken(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return code === '42P07' || (code === 'SQLITE_ERROR' && /already (?:exists|an index|a table)/.test(String(message)));
}

function lacking(storage: Storage, { applied, pending }: MigrationStatus): string {
  const lacks =
    applied.length === 0 ? 'does not have Commerce tables yet' : `lacks the migrations ${pending.join(', ')}`;
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
    `servers of an older version use the database ${storage.location} (${older} connections) and could not continue after ${breaking.length === 1 ? 'the migration' : 'the migrations'} ${names}: stop them all, then migrate, then start servers of this version. Nothing was changed`,
  );
}

/**
 * @param options.isInUse whether this program has already opened the database, which was up to date then
 * @throws CommerceError `unavailable` when a newer program has already changed the database, when an unreleased version created it, or when
 * it contains another program's tables. If the application may have its own, only those whose names are ours
 */
export async function migrationStatus(
  storage: Storage,
  { isCopied = false, isInUse = false }: { isCopied?: boolean; isInUse?: boolean } = {},
): Promise<MigrationStatus> {
  const tables = await storage.tables();
  if (tables.includes('schema_migrations') && (await isOurs(storage)))
    return statusOf(storage.reads, storage, isCopied, isInUse);
  // Even an empty table of another program would be mixed up with ours, and their tables can have the same names.
  if (storage.hasOwnTables) {
    const taken = tables.filter((name) => ourTables.has(name)).sort();
    if (taken.length > 0) {
      throw new CommerceError(
        'unavailable',
        `${storage.location} has tables that are not of Commerce and have names that Commerce uses: ${taken.join(', ')}; rename them, or use another database or schema`,
      );
    }
  } else if (tables.length > 0) {
    throw new CommerceError('unavailable', `${storage.location} is the database of another program, not of Commerce`);
  }
  return { applied: [], pending: migrations.map(({ name }) => name) };
}

const ourTables: ReadonlySet<string> = new Set(placedTables);

/** Whether the table of migrations is ours; several other programs use the same name. */
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
 * Checks the migrations; writes nothing.
 * @throws CommerceError `unavailable` when the database lacks migrations
 */
export async function requireMigrated(storage: Storage): Promise<void> {
  if (storage.isMissing) {
    const message = `cannot open the database ${storage.location}: it does not exist, and migrate: false creates none`;
    throw new CommerceError('unavailable', message, { reason: 'noDatabaseFile' });
  }
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
      `the database ${storage.location} was created by an unreleased version of Commerce: export its products, categories, customers and pages with that version and import them into a new database; other data cannot be moved`,
    );
  }
  if (applied.length < rows.length && !isCopied) {
    throw new CommerceError(
      'unavailable',
      `a copy into the database ${storage.location} was not finished; run the same copy again to continue`,
    );
  }
  const unknown = applied.filter((name) => !migrations.some((one) => one.name === name));
  // A newer program checks whether this version uses the database, and changes it only if this version can continue.
  if (unknown.length > 0 && !(isInUse && storage.olderConnections)) {
    throw new CommerceError(
      'unavailable',
      `the database ${storage.location} was changed by a newer version of Commerce (migration ${unknown.join(', ')}); install that version to use it`,
    );
  }
  return { applied, pending: migrations.map(({ name }) => name).filter((name) => !applied.includes(name)) };
}
