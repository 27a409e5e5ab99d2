import { sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import { CommerceError } from '../../errors.ts';
import { runTransaction } from '../run.ts';
import type { Db, Storage } from '../storage.ts';

/**
 * Names of all migrations, in the order in which they run. A start asks for no more: the migrations themselves are loaded where
 * one of them is pending.
 */
export const migrationNames = [
  '0001_initial',
  '0002_catalogue',
  '0003_product_blocks',
  '0004_refunds',
  '0005_edge',
  '0006_webhook_queues',
  '0007_payments',
  '0008_key_origins',
  '0009_bounds',
  '0010_subscribers',
  '0011_no_blocks',
  '0012_list_totals',
  '0013_imports',
  '0014_selling',
  '0015_media_uses',
  '0016_statistics',
  '0017_dashboard',
] as const;

export interface Migration {
  name: (typeof migrationNames)[number];
  up(db: Db, storage: Storage): Promise<void>;
}

/** Stands among the migrations of a database while a copy into it is unfinished, so that no program takes it for a whole one. */
export const unfinishedCopy = 'unfinished copy';

export interface MigrationStatus {
  /** Names of the migrations applied to the database. */
  applied: string[];
  /** Names of the migrations that this program would still run. */
  pending: string[];
}

/**
 * Brings the database up to date in one transaction: a kill at any point leaves it as it was, and of two processes that
 * start at once the second waits and finds nothing to do. Kysely's own migrator is not used, because it creates its tables
 * outside the transaction and would let an older program use a newer database.
 * @param options.isCopied whether the caller goes on with a copy into the database
 * @throws CommerceError `unavailable` when a newer program has already changed the database.
 */
export async function migrate(
  storage: Storage,
  clock: Clock,
  { isCopied = false }: { isCopied?: boolean } = {},
): Promise<MigrationStatus> {
  // Checked without the write lock first, because most starts find nothing to do.
  const before = await migrationStatus(storage, { isCopied });
  if (before.pending.length === 0) return { applied: [], pending: [] };
  const { migrations } = await import('./all.ts');
  const run = runTransaction(storage, async (db) => {
    await storage.lockName(db, 'migrations');
    await sql`create table if not exists schema_migrations (name text primary key, applied_at bigint not null)`.execute(
      db,
    );
    const { pending } = await statusOf(db, storage, isCopied);
    for (const migration of migrations) {
      if (!pending.includes(migration.name)) continue;
      await migration.up(db, storage);
      await db.insertInto('schema_migrations').values({ name: migration.name, applied_at: clock.now() }).execute();
    }
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

/**
 * @throws CommerceError `unavailable` when a newer program has already changed the database, or another program's tables are in it.
 */
export async function migrationStatus(
  storage: Storage,
  { isCopied = false }: { isCopied?: boolean } = {},
): Promise<MigrationStatus> {
  const tables = await storage.tables();
  if (tables.includes('schema_migrations') && (await isOurs(storage)))
    return statusOf(storage.reads, storage, isCopied);
  // Even an empty table of another program would be mixed up with ours, and theirs may have the same names.
  if (tables.length > 0) {
    throw new CommerceError('unavailable', `${storage.location} is the database of another program, not of Commerce`);
  }
  return { applied: [], pending: [...migrationNames] };
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
  if (status.pending.length > 0) throw new CommerceError('unavailable', lacking(storage, status));
}

async function statusOf(db: Db, storage: Storage, isCopied: boolean): Promise<MigrationStatus> {
  const rows = await db.selectFrom('schema_migrations').select('name').orderBy('name').execute();
  const applied = rows.map(({ name }) => name).filter((name) => name !== unfinishedCopy);
  if (applied.length < rows.length && !isCopied) {
    throw new CommerceError(
      'unavailable',
      `a copy into the database ${storage.location} was not finished; run the same copy again, which goes on from there`,
    );
  }
  const known = new Set<string>(migrationNames);
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new CommerceError(
      'unavailable',
      `the database ${storage.location} was changed by a newer version of Commerce (migration ${unknown.join(', ')}); install that version to use it`,
    );
  }
  return { applied, pending: migrationNames.filter((name) => !applied.includes(name)) };
}
