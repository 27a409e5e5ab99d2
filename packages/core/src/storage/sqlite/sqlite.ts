import { closeSync, constants, existsSync, openSync, type Stats, statSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect as KyselySqliteDialect, sql } from 'kysely';
import { CommerceError } from '../../kernel/errors.ts';
import { indexesOf } from '../indexes.ts';
import type { Schema } from '../schema.ts';
import type { Storage } from '../storage.ts';
import { SqliteCheckpoints } from './checkpoints.ts';
import { CommitNumber } from './commits.ts';
import { sqliteCounts } from './counts.ts';
import { SqliteDialect, SqliteTransactionDialect } from './dialect.ts';
import { openedLater } from './later.ts';
import { SqliteReader } from './reader.ts';
import { SqliteScans } from './scans.ts';
import { trigramIndex } from './search.ts';
import { isLockError, LostBatchError, SqliteWriter } from './writer.ts';

export interface SqliteOptions {
  /** The database file. If it does not exist, it is created on the first use, such as by `openCommerce`; its folder is not. */
  file: string;
  /** Refuses a file that does not exist instead of creating it. */
  mustExist?: boolean;
  /**
   * Accepts a file in which the application has tables of its own, and creates the tables of Commerce beside them. The file gets SQLite's
   * WAL mode. Without this, a file that began with other tables is refused.
   */
  ownTables?: boolean;
  /** Milliseconds that a transaction waits for other processes to release the file. */
  lockTimeout?: number;
}

// "Comm" in ASCII: marks the file as ours, so that another program's database is refused and not migrated.
const applicationId = 0x436f6d6d;

/**
 * Opens a SQLite file. One connection writes, in transactions that are durable when they return (synchronous=FULL). The default of
 * better-sqlite3 in WAL mode can lose the last commits on a power cut, and a payment provider does not repeat a notification that was
 * answered with 200. A second connection reads, and sees only committed data: everything that any process has acknowledged before.
 * @throws CommerceError `unavailable` when the file cannot be opened, or belongs to another program. For a file that has to be created,
 * the first use throws it.
 */
export function openSqlite(options: SqliteOptions): Storage {
  if (options.file === '' || options.file === ':memory:') {
    throw new CommerceError(
      'unavailable',
      `an in-memory database cannot be used (${JSON.stringify(options.file)}): name a file, such as commerce.db`,
    );
  }
  const file = resolve(options.file);
  if (options.mustExist || existsSync(file) || !isDirectory(dirname(file))) return openFile(file, options);
  return openedLater(file, () => openFile(file, options));
}

function openFile(file: string, options: SqliteOptions): Storage {
  const { mustExist = false, ownTables = false } = options;
  const openReading = () => readingConnection(file, ownTables);
  const writing = openConnection(file, mustExist, ownTables);
  let reading: Database.Database;
  try {
    claimFile(writing, file, ownTables);
    reading = openReading();
  } catch (error) {
    writing.close();
    throw describeOpenError(error, file);
  }
  const opened = statSync(file);
  const commits = new CommitNumber(file);
  const reader = new SqliteReader(reading, commits);
  const checkpoints = new SqliteCheckpoints(file, writing);
  const writer = new SqliteWriter(writing, options.lockTimeout ?? 10_000, () => {
    reader.committed();
    checkpoints.committed();
  });
  const db = new Kysely<Schema>({ dialect: new SqliteDialect(writer, reader) });
  const transactions = new Kysely<Schema>({ dialect: new SqliteTransactionDialect(writer) });
  const scans = new SqliteScans(file);
  const snapshots = new Kysely<Schema>({
    dialect: new KyselySqliteDialect({ database: async () => openReading() }),
  });
  return {
    location: file,
    hasOwnTables: ownTables,
    db,
    reads: db,
    async begin(isLong) {
      await writer.begin(isLong);
      let isOpen = true;
      return {
        db: transactions,
        runOwn: (query) => transactions.executeQuery(query),
        commit() {
          isOpen = false;
          return writer.commit();
        },
        // After a failed commit nothing is left to roll back.
        rollback: async () => (isOpen ? writer.rollback() : undefined),
        async savepoint() {
          const { release, rollback } = writer.savepoint();
          return { release: async () => release(), rollback: async () => rollback() };
        },
      };
    },
    // All its reads run in one turn of the event loop on one snapshot, unless a commit of this process comes between them. Then it runs
    // once more on a connection that commits do not touch.
    async snapshot(work) {
      let before = Number.NaN;
      try {
        const result = await reader.hold(() => {
          before = reader.snapshot;
          return work(db);
        });
        if (reader.isLatest(before)) return result;
      } catch (error) {
        if (reader.isLatest(before)) throw error;
      }
      return snapshots.transaction().execute(work);
    },
    scan: (storeId, work) => scans.run(storeId, work),
    async oneMoment(work) {
      const whole = new Kysely<Schema>({
        dialect: new KyselySqliteDialect({ database: async () => openReading() }),
      });
      return whole
        .transaction()
        .execute(work)
        .finally(() => whole.destroy());
    },
    // There is one writer, whose transactions are short and share a commit.
    takeTurn: async () => writer.takeTurn(),
    uniqueViolation,
    isTransient: (error) => error instanceof LostBatchError,
    isUnavailable: (error) => isLockError(error) || hasCode(error, 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_READONLY'),
    // A bad file is refused at opening, before a storage exists.
    refusal: () => undefined,
    // Only one transaction writes at a time, so every name is locked.
    lockName: async () => {},
    inKeyOrder: sql`without rowid`,
    byBytes: sql``,
    entriesOf: (json, field) => sql`json_each(${json}, ${sql.lit(`$.${field}`)}) as entry`,
    containsText: (column, words) =>
      sql`(${sql.join(
        words.map((word) => sql`instr(${column}, ${word}) > 0`),
        sql` and `,
      )})`,
    search: trigramIndex(writer, 'product_search'),
    orderSearch: trigramIndex(writer, 'order_search'),
    counts: sqliteCounts(writer),
    indexes: {
      wanted: indexesOf.sqlite,
      async found() {
        const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'index'`.execute(db);
        return rows.map(({ name }) => name);
      },
    },
    async integrity() {
      // A separate connection: one that has used FTS5 before mistakes later writes for damage.
      const looking = openReading();
      try {
        const faults = looking.pragma('integrity_check(10)') as { integrity_check: string }[];
        // The first fault can have many lines.
        return faults.flatMap((fault) => fault.integrity_check.split('\n')).filter((fault) => fault !== 'ok');
      } catch (error) {
        // Damage can stop the check itself.
        if (hasCode(error, 'SQLITE_CORRUPT', 'SQLITE_NOTADB')) return [(error as Error).message];
        throw error;
      } finally {
        looking.close();
      }
    },
    async backup(target) {
      makePrivate(target);
      const source = openReading();
      try {
        // In one step: a commit of another process between two steps would restart the backup.
        await source.backup(target, { progress: () => 2 ** 30 });
      } finally {
        source.close();
      }
    },
    lastCommit: () => reader.lastCommit,
    // Opening it takes the lock for writing.
    isReadOnly: async () => false,
    async tables(from = db) {
      const { rows } = await sql<{ name: string }>`
        select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'`.execute(from);
      return rows.map(({ name }) => name);
    },
    size: async () => sizeOf(reading),
    check: () => checkFile(file, opened),
    async close() {
      await Promise.all([writer.close(), scans.close()]);
      await checkpoints.close();
      await db.destroy();
      await snapshots.destroy();
      reader.close();
      writing.close();
      commits.close();
    },
  };
}

function openConnection(file: string, mustExist: boolean, ownTables: boolean): Database.Database {
  if (mustExist && !existsSync(file)) {
    throw new CommerceError('unavailable', `cannot open the database ${file}: the file does not exist`, {
      reason: 'noDatabaseFile',
    });
  }
  let connection: Database.Database;
  if (!mustExist) makePrivate(file);
  try {
    // The first pragma a connection runs: without it, a file that another process holds fails at once.
    connection = new Database(file, { timeout: 5000, fileMustExist: mustExist });
  } catch (error) {
    throw describeOpenError(error, file);
  }
  try {
    // Before anything is set: WAL mode is written into the file, and another program's file is not ours to change.
    isOurs(connection, file, ownTables);
    connection.pragma('journal_mode = WAL');
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    connection.pragma('cache_size = -16000');
    connection.pragma('temp_store = MEMORY');
    // One long transaction leads to a long log; the excess is freed after it is copied.
    connection.pragma(`journal_size_limit = ${64 * 1024 * 1024}`);
  } catch (error) {
    connection.close();
    throw describeOpenError(error, file);
  }
  return connection;
}

/** Creates the file if it does not exist, readable only by its owner; SQLite gives its other files the same permissions. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch {
    // Opening it as a database reports why it cannot be created.
  }
}

function readingConnection(file: string, ownTables: boolean): Database.Database {
  const connection = openConnection(file, true, ownTables);
  connection.pragma('query_only = 1');
  return connection;
}

/** Marks a file as ours if it has no mark, and checks that it is writable. */
function claimFile(connection: Database.Database, file: string, ownTables: boolean): void {
  connection.exec('begin immediate');
  try {
    const isClaimed = isOurs(connection, file, ownTables) || markOf(connection) !== 0;
    // SQLite opens a file without write permission as read-only, and even this transaction begins: only a write fails.
    connection.pragma(`application_id = ${applicationId}`);
    connection.exec(isClaimed ? 'rollback' : 'commit');
  } finally {
    if (connection.inTransaction) connection.exec('rollback');
  }
}

/**
 * False for an empty file, and for one of the application that does not have our tables yet.
 * @throws CommerceError `unavailable` for another program's database.
 */
function isOurs(connection: Database.Database, file: string, ownTables: boolean): boolean {
  const found = markOf(connection);
  if (found === applicationId || hasOurTables(connection)) return true;
  const tables = connection.prepare('select count(*) from sqlite_master').pluck().get();
  if (ownTables || (found === 0 && tables === 0)) return false;
  throw new CommerceError('unavailable', `${file} is the database of another program, not of Commerce`);
}

function markOf(connection: Database.Database): unknown {
  return connection.pragma('application_id', { simple: true });
}

/** True for the file of an application that has a mark of its own and our tables. Other programs have a table of this name, too. */
function hasOurTables(connection: Database.Database): boolean {
  const columns = connection.prepare("select name from pragma_table_info('schema_migrations')").pluck().all();
  if (!['name', 'applied_at'].every((name) => columns.includes(name))) return false;
  const first = connection.prepare("select count(*) from schema_migrations where name glob '0001_initial*'").pluck();
  return first.get() !== 0;
}

function describeOpenError(error: unknown, file: string): unknown {
  if (error instanceof CommerceError) return error;
  return new CommerceError('unavailable', `cannot open the database ${file}: ${whyNotOpen(error, file)}`, {
    cause: error,
  });
}

function whyNotOpen(error: unknown, file: string): string {
  const folder = dirname(file);
  if (hasCode(error, 'SQLITE_NOTADB')) return 'it is not a SQLite database';
  if (hasCode(error, 'SQLITE_CORRUPT')) return 'the file is damaged; restore it from a backup';
  if (isLockError(error)) return 'another process has locked it';
  if (isDirectory(file)) return 'it is a directory';
  if (!isDirectory(folder)) return `the directory ${folder} does not exist`;
  if (hasCode(error, 'SQLITE_READONLY'))
    return 'it is read-only; this user must be able to write to the file and its folder';
  if (hasCode(error, 'SQLITE_PERM', 'SQLITE_CANTOPEN')) return 'it cannot be read and written';
  return error instanceof Error ? error.message : String(error);
}

function sizeOf(connection: Database.Database): number {
  const [pages, bytes] = ['page_count', 'page_size'].map((pragma) => connection.pragma(pragma, { simple: true }));
  return Number(pages) * Number(bytes);
}

/**
 * Checks that the opened file still exists under its name. SQLite does not notice if it was deleted or replaced: it keeps using the old
 * one, which is lost when it is closed. The check uses stat instead of opening the file, because closing it again would release every lock
 * of this process on it.
 * @throws CommerceError `unavailable`
 */
async function checkFile(file: string, opened: Stats): Promise<void> {
  const fail = (why: string, cause?: unknown) => {
    throw new CommerceError('unavailable', `the database file ${why}`, { cause });
  };
  let found: Stats;
  try {
    found = await stat(file);
    await access(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    return fail(hasCode(error, 'ENOENT') ? 'is gone' : 'cannot be read and written', error);
  }
  if (found.ino !== opened.ino || found.dev !== opened.dev) fail('was replaced by another file; restart to use it');
  if (found.size === 0) fail('was emptied; restore it from a backup');
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && codes.some((prefix) => code.startsWith(prefix));
}

function uniqueViolation(error: unknown): string | undefined {
  if (!hasCode(error, 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY')) return undefined;
  // "UNIQUE constraint failed: products.store_id, products.slug"
  return /^[a-z_]+\.[a-z_]+$/.exec((error as Error).message.split(' ').at(-1) ?? '')?.[0];
}
