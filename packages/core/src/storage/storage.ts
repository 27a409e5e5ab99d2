import type { CompiledQuery, DialectAdapter, Expression, Kysely, QueryResult, RawBuilder, SqlBool } from 'kysely';
import type { FairQueue } from '../kernel/fair-queue.ts';
import type { Schema } from './schema.ts';

/** The open database, or a transaction: anything that queries can run on. */
export type Db = Kysely<Schema>;

/**
 * The seam between the store and its database. It has one Kysely instance for the queries, which every domain writes once, and a few
 * members for the differences between the engines.
 */
export interface Storage {
  /** Address of the data for messages, without a password. */
  readonly location: string;
  /** True if the database does not exist yet, and is created on the first use. */
  readonly isMissing?: boolean;
  /** True if the database may have tables of the application before it has ours. */
  readonly hasOwnTables?: boolean;
  /** The open database: for reads of committed data, and for `db.transaction()`. */
  readonly db: Db;
  /** For reads of committed data; waiting writes do not delay them. */
  readonly reads: Db;
  /**
   * Opens a transaction, which its caller commits or rolls back.
   * @param isLong true if it can wait for the application; no other transaction then has to wait for its commit
   */
  begin(isLong?: boolean): Promise<OpenTransaction>;
  /** Delays the end of a transaction of several operations until reads begun in it have finished; see `unit.ts`. */
  during?<T>(reads: Promise<T>): Promise<T>;
  /**
   * Runs reads on one snapshot, such as a list and its total, despite concurrent commits. They can run more than once, and must wait for
   * nothing but the database.
   */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs reads on one snapshot whose cost grows with the store, without delaying other callers; at most two per store at once.
   * @throws CommerceError `unavailable` when too many wait, or one takes too long
   */
  scan<T>(storeId: string, work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs reads of the whole database on one snapshot, however long they take: for copies. */
  oneMoment<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Waits for the turn of a store's transaction if the engine can work on several stores at once, so that one store cannot take all of it.
   * @returns ends the turn
   * @throws CommerceError `unavailable` when the turn does not come in time
   */
  takeTurn(storeId: string): Promise<() => void>;
  /** Turns of the stores' reads, if the engine can get more reads at once than it has connections. */
  readonly readTurns?: FairQueue | undefined;
  /** The unique rule that a failed write broke, as `table.column` of the last key column, or undefined for any other error. */
  uniqueViolation(error: unknown): string | undefined;
  /** True when the whole transaction was given up for a temporary reason (deadlock, lost batch) and can run again. */
  isTransient(error: unknown): boolean;
  /** True when the database cannot be reached or stays locked; clients get 503. */
  isUnavailable(error: unknown): boolean;
  /** Reason why a database cannot be opened until a person acts, such as a wrong password. */
  refusal(error: unknown): string | undefined;
  /** Serialises transactions that lock the same name, whether an entity of that name exists or not. */
  lockName(tx: Db, name: string): Promise<void>;
  /** End of a table definition whose rows should be stored in key order; empty if the engine cannot do that. */
  readonly inKeyOrder: RawBuilder<unknown>;
  /** Follows the type of a text column that is sorted byte by byte; empty if the engine always does that. */
  readonly byBytes: RawBuilder<unknown>;
  /** The entries of a stored text's object or array at a field, as a table `entry` with the columns `key` (objects only) and `value`. */
  entriesOf(json: Expression<string>, field: string, kind: 'object' | 'array'): RawBuilder<unknown>;
  /** The condition that a folded text contains all words literally, checked on each row. */
  containsText(column: Expression<string>, words: readonly string[]): RawBuilder<SqlBool>;
  /** The substring index of products. */
  readonly search: SearchIndex;
  /** The substring index of orders. */
  readonly orderSearch: SearchIndex;
  /** Counts for the totals of lists. */
  readonly counts: CountStore;
  /** Indexes of tables: the existing ones, by name, and the definitions of the required ones; see `indexes.ts`. */
  readonly indexes: {
    found(): Promise<string[]>;
    readonly wanted: Readonly<Record<string, string>>;
    /** Runs before the definitions in a transaction that creates indexes, if the engine has to find operators for them. */
    prepare?(tx: Db): Promise<void>;
  };
  /** Spreads tables over several servers, if the engine has an extension for it. */
  readonly distribution?: Distribution;
  /** Faults in the stored pages and indexes; always empty if the engine checks them itself. */
  integrity(): Promise<string[]>;
  /** Backs up the database to a file without stopping writers. SQLite only. */
  backup?(file: string): Promise<void>;
  /** Number of open connections from programs of an earlier version, if the engine knows it. */
  olderConnections?(): Promise<number>;
  /** True if the database is read-only, such as a standby of another server. */
  isReadOnly(): Promise<boolean>;
  /**
   * The number of the last commit that a read would see now. Every commit of any process changes it before it returns, so what was read
   * since the same number was last seen is still what the database has. Absent if the engine would have to ask another computer for it.
   */
  lastCommit?(): number;
  /** Names of the tables in our schema or file, without tables of the engine and its extensions. */
  tables(db?: Db): Promise<string[]>;
  /** Size of the data with its indexes, in bytes. */
  size(): Promise<number>;
  /**
   * Detects faults that a query does not notice: a deleted file keeps answering while it is open.
   * @throws CommerceError `unavailable`
   */
  check(): Promise<void>;
  /** Copies that follow the database, if it was opened with any. */
  readonly replicas?: Replicas;
  /** Allows a user of the database only to read and write rows. Present only if the engine has users. */
  grant?(user: string): Promise<void>;
  /** Closes every connection; waits for open transactions. */
  close(): Promise<void>;
}

/** Readable copies of the database that follow it with a delay. */
export interface Replicas {
  /**
   * Chooses a copy that answers, is recent enough, and has everything committed before a position. Does not wait.
   * @param after a text from `position`; anything else excludes every copy
   * @returns undefined if the database itself has to be asked
   */
  choose(after: string | undefined): Replica | undefined;
  /** Records that a read was repeated at the database. */
  repeated(): void;
  /** The position after all commits so far, as text. */
  position(): Promise<string>;
  /** Numbers of reads open to copies that were given to one, and to the database. */
  readonly reads: Readonly<Record<'replica' | 'primary', number>>;
  /** Asks each copy for its state. */
  states(): Promise<ReplicaState[]>;
}

export interface Replica {
  /** The database, read through this copy; it cannot be written to. */
  readonly storage: Storage;
  /** Records that a read failed: the copy is skipped until it has answered again. */
  failed(): void;
}

export interface ReplicaState {
  /** The address, without a password. */
  location: string;
  isUp: boolean;
  /** Maximum age of its data in milliseconds; undefined if it was never known. */
  lag: number | undefined;
}

/** A transaction for writes; `db` is usable until it ends. */
export interface OpenTransaction {
  readonly db: Db;
  /** Runs a query of the application on its own tables. The driver converts the values of its rows as it does for any program. */
  runOwn(query: CompiledQuery): Promise<QueryResult<unknown>>;
  /** Resolves when the transaction is durable. If it rejects, nothing is kept. */
  commit(): Promise<void>;
  /** @param cause the error that led to the rollback */
  rollback(cause?: unknown): Promise<void>;
  /** Sets a mark to which the transaction can roll back, one at a time. */
  savepoint(): Promise<Savepoint>;
}

/** Mark in an open transaction, ended by one of the two. If either rejects, the whole transaction is lost. */
export interface Savepoint {
  /** Keeps the changes since then. @throws the error of a statement that was not awaited */
  release(): Promise<void>;
  /** Undoes the changes since then. */
  rollback(): Promise<void>;
}

/** A statement of an in-process database, which can run at once. */
export interface DirectStatement {
  /** True if it returns rows. */
  readonly reader: boolean;
  /** With true, `all` returns the values of the only column instead of rows. */
  pluck(on: boolean): this;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number };
}

/**
 * Optional shortcuts of an engine past Kysely's executor, driver and connection, whose chain of promises costs as much as a statement on a
 * local file. Declared on the dialect's adapter, the only part of the engine that a query can reach.
 */
export interface Shortcuts {
  /** True if only one transaction writes at a time: data it has read cannot change before it ends. */
  readonly singleWriter?: true;
  /** The statement of a text, if the database is in this process. */
  statement?(text: string): DirectStatement;
  /** Runs a compiled query. */
  run?(query: CompiledQuery): Promise<QueryResult<unknown>>;
  /** Runs a compiled query without waiting for its answer. If it fails, so does the transaction. */
  later?(query: CompiledQuery): void;
  /** Receives the text of a query that will be run often. */
  prepare?(text: string): void;
}

export function shortcutsOf(db: Db): Shortcuts {
  return db.getExecutor().adapter as DialectAdapter & Shortcuts;
}

/** Tables of the substring indexes. */
/**
 * The columns of each search index. Words are searched in all of them; in `codes` without blanks and dashes, too.
 */
export const searchColumns = {
  product_search: ['title', 'text', 'codes'],
  order_search: ['text'],
} as const;

export type SearchTable = keyof typeof searchColumns;

/** The folded texts of a row, one for each column of its index. */
export type SearchTexts = readonly string[];

/**
 * A substring index over folded text. A row is named by its store and its own number within the store, so that an engine can keep one
 * store's rows together. An engine uses the store's id, or the store's number if its rows have only a number.
 */
export interface SearchIndex {
  create(tx: Db): Promise<void>;
  put(tx: Db, row: SearchRow, texts: SearchTexts): Promise<void>;
  /** Like `put`, for many new rows of a store. */
  putNew(tx: Db, store: SearchedStore, rows: readonly { number: number; texts: SearchTexts }[]): Promise<void>;
  remove(tx: Db, row: SearchRow): Promise<void>;
  /** The texts of a store whose numbers are above `after`, in order; at most `limit`. */
  texts(db: Db, store: SearchedStore, after: number, limit: number): Promise<{ number: number; texts: SearchTexts }[]>;
  /**
   * A subquery of the numbers of the store's rows whose texts contain all words literally.
   * @param words folded, at least one
   * @param where only in this column
   */
  find(store: SearchedStore, words: readonly string[], where?: string): RawBuilder<number>;
  /** The condition that the texts of the row with that number contain all words, checked on only that row. */
  contains(store: SearchedStore, number: Expression<number>, words: readonly string[]): RawBuilder<SqlBool>;
}

/** Change in the number of a list's rows that have one value. */
export interface CountChange {
  list: string;
  value: string;
  n: number;
  /** True if the row is dropped when the count of its value reaches zero. */
  isDroppedAtZero: boolean;
}

/** Actual placement of a table. */
export interface FoundPlacement {
  kind: 'distributed' | 'everywhere' | 'otherwise';
  /** Column by which it is distributed. */
  column: string | null;
  /** Tables of the same place have rows of the same value on the same server. */
  place: number;
  shards: number;
}

/** Distribution of tables over several servers by an extension of the engine. */
export interface Distribution {
  /** Name and version of the extension; undefined if this database does not have it. */
  extension(db: Db): Promise<string | undefined>;
  /** Servers that can hold rows, and whether the connected one is the coordinator. */
  servers(db: Db): Promise<{ withRows: number; isCoordinator: boolean }>;
  /** Our tables that the extension knows, by name. */
  found(db: Db): Promise<Map<string, FoundPlacement>>;
  /** Counts the bytes that the other servers of the database hold. */
  sizeElsewhere(db: Db): Promise<number>;
  /** Prepares a transaction for changes of many tables. */
  prepare(tx: Db): Promise<void>;
  placeEverywhere(tx: Db, table: string): Promise<void>;
  /** Distributes a table by a column, together with another one or in its own place. */
  placeBy(tx: Db, table: string, column: string, beside: string | undefined): Promise<void>;
  /** Takes all rows of a table back to the coordinator. */
  bringTogether(tx: Db, table: string): Promise<void>;
}

/** Counts by store, list and value. They are read from `list_totals`, which shows the changes of a transaction when it commits. */
export interface CountStore {
  /** Creates `list_counts`, `list_totals` and further objects that the engine needs. */
  create(tx: Db): Promise<void>;
  /** Adds a transaction's changes, each list and value once, at least one. */
  add(tx: Db, storeId: string, changes: readonly CountChange[]): Promise<void>;
  /** Called after the commit of a transaction that added changes. */
  committed?(storeId: string): void;
  /** Folds changes left by processes that have ended. */
  foldAll?(): Promise<void>;
}

/** A store as named by rows of the index. */
export interface SearchedStore {
  readonly id: string;
  readonly number: number;
}

export interface SearchRow {
  store: SearchedStore;
  number: number;
}
