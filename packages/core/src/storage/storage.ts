import type { CompiledQuery, DialectAdapter, Expression, Kysely, QueryResult, RawBuilder, SqlBool } from 'kysely';
import type { StoreTurns } from '../semaphore.ts';
import type { Schema } from './schema.ts';

/** What queries run on: the open database, or the transaction in hand. */
export type Db = Kysely<Schema>;

/**
 * The seam between the store and its database: one Kysely instance for the queries, which every domain writes once,
 * and a handful of members for what the two engines do differently.
 */
export interface Storage {
  /** Where the data is, without a password: for messages. */
  readonly location: string;
  /** The open database: for reads of what is committed, and for `db.transaction()`. */
  readonly db: Db;
  /** For reads of what is committed: writes that wait for each other do not keep them waiting. */
  readonly reads: Db;
  /**
   * Opens a transaction, which its caller commits or rolls back.
   * @param isLong it may wait for what the application does: no other one is to be kept waiting for its commit
   */
  begin(isLong?: boolean): Promise<OpenTransaction>;
  /** Has a transaction of several operations wait for reads that were begun in it; see `unit.ts`. */
  during?<T>(reads: Promise<T>): Promise<T>;
  /**
   * Runs reads that see one moment, whatever commits meanwhile: a list and its total. They may be run more than once, and
   * wait for nothing but the database.
   */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs reads that see one moment and whose cost grows with the store, where they keep nobody else waiting; at most two of a store at
   * once.
   * @throws CommerceError `unavailable` when too many wait, or one takes too long
   */
  scan<T>(storeId: string, work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs reads of all that there is, which see one moment however long they take: for copies of the whole. */
  oneMoment<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Waits for the turn of a store's transaction, where the engine could work on several stores at once and one of them should
   * not have all of that.
   * @returns ends the turn
   * @throws CommerceError `unavailable` when the turn does not come in time
   */
  takeTurn(storeId: string): Promise<() => void>;
  /** Turns of the stores' reads, where an engine has fewer connections than reads may come at once. */
  readonly readTurns?: StoreTurns | undefined;
  /** The unique rule that a failed write broke, as `table.column` of the last key column, or undefined for any other error. */
  uniqueViolation(error: unknown): string | undefined;
  /** True when the whole transaction was given up for a reason that passes (deadlock, lost batch) and may be run again. */
  isTransient(error: unknown): boolean;
  /** True when the database cannot be reached or stays locked; told to clients as 503. */
  isUnavailable(error: unknown): boolean;
  /** Reason for which a database cannot be opened that stays until somebody does something, such as a wrong password. */
  refusal(error: unknown): string | undefined;
  /** Lets one transaction at a time go on that names the same thing, whether it exists yet or not. */
  lockName(tx: Db, name: string): Promise<void>;
  /** Ends the making of a table whose rows should lie in the order of its key; says nothing where an engine cannot do that. */
  readonly inKeyOrder: RawBuilder<unknown>;
  /** The condition that a folded text contains `folded`, every character literal, by looking at each row. */
  containsText(column: Expression<string>, folded: string): RawBuilder<SqlBool>;
  /** The substring index of products. */
  readonly search: SearchIndex;
  /** The substring index of orders. */
  readonly orderSearch: SearchIndex;
  /** Counts that the totals of lists come from. */
  readonly counts: CountStore;
  /** Indexes of tables: those that are there, by name, and the definitions of those that should be; see `indexes.ts`. */
  readonly indexes: {
    found(): Promise<string[]>;
    readonly wanted: Readonly<Record<string, string>>;
    /** Goes before the definitions in a transaction that makes indexes, if the engine has to find operators for them. */
    prepare?(tx: Db): Promise<void>;
  };
  /** Spreads tables over several servers, where an engine has an extension for it. */
  readonly distribution?: Distribution;
  /** Faults found in the stored pages and indexes; none where the engine looks after them itself. */
  integrity(): Promise<string[]>;
  /** Writes the whole database into a new file, as it is at one moment, while others go on writing; where it is a file itself. */
  backup?(file: string): Promise<void>;
  /** How many connections programs of an earlier version have to the database, where the engine knows. */
  olderConnections?(): Promise<number>;
  /** Whether nothing can be written to the database, such as to a standby of another server. */
  isReadOnly(): Promise<boolean>;
  /** Names of the tables that lie where ours do, or would, except for those of the engine and its extensions. */
  tables(db?: Db): Promise<string[]>;
  /** How many bytes the data takes, with its indexes. */
  size(): Promise<number>;
  /**
   * Looks for what a query does not notice: an open file goes on answering after it was deleted.
   * @throws CommerceError `unavailable`
   */
  check(): Promise<void>;
  /** Copies that follow the database, where it was opened with some. */
  readonly replicas?: Replicas;
  /** Lets a user of the database read and write rows, and no more; the engine has users where this is there. */
  grant?(user: string): Promise<void>;
  /** Closes every connection; waits for the transactions that are open. */
  close(): Promise<void>;
}

/** Copies of the database that follow it at some distance and may be read. */
export interface Replicas {
  /**
   * A copy that answers, is not too far behind, and has all that was committed before a position. Tells at once.
   * @param after as `position` told it; anything else is before no copy
   * @returns undefined where the database itself has to be asked
   */
  choose(after: string | undefined): Replica | undefined;
  /** Is told that a read was made at the database after all. */
  repeated(): void;
  /** The position behind all that was committed so far, as text. */
  position(): Promise<string>;
  /** How many reads that a copy may answer were given to one, and how many to the database. */
  readonly reads: Readonly<Record<'replica' | 'primary', number>>;
  /** Asks each copy how it is. */
  states(): Promise<ReplicaState[]>;
}

export interface Replica {
  /** The database, whose reads are made at this copy; it cannot be written to. */
  readonly storage: Storage;
  /** Is told that a read failed: the copy is left out until it has answered again. */
  failed(): void;
}

export interface ReplicaState {
  /** Where it is, without a password. */
  location: string;
  isUp: boolean;
  /** Milliseconds that its data may be old; undefined where that has never been known. */
  lag: number | undefined;
}

/** A transaction for writes; `db` is of use until it ends. */
export interface OpenTransaction {
  readonly db: Db;
  /** Resolves when the transaction is durable; nothing of it is left when this rejects. */
  commit(): Promise<void>;
  /** @param cause the error for which it is rolled back */
  rollback(cause?: unknown): Promise<void>;
  /** Sets a mark to which the transaction can go back, one at a time. */
  savepoint(): Promise<Savepoint>;
}

/** Mark in an open transaction, ended by one of the two. Where either rejects, the whole transaction is lost. */
export interface Savepoint {
  /** Keeps what was done since. @throws the error of a statement whose answer nobody has waited for */
  release(): Promise<void>;
  /** Undoes what was done since. */
  rollback(): Promise<void>;
}

/** A statement of a database in this process, to be run at once. */
export interface DirectStatement {
  /** Whether it returns rows. */
  readonly reader: boolean;
  /** With true, `all` returns the values of the only column instead of rows. */
  pluck(on: boolean): this;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number };
}

/**
 * Shortcuts that an engine may offer past Kysely's executor, driver and connection, whose chain of promises costs as much as a
 * statement on a local file. Declared on the dialect's adapter, which is what a query knows of its engine.
 */
export interface Shortcuts {
  /** True where one transaction writes at a time: what it has read cannot change before it ends. */
  readonly singleWriter?: true;
  /** The statement of a text, where the database is in this process. */
  statement?(text: string): DirectStatement;
  /** Runs a compiled query. */
  run?(query: CompiledQuery): Promise<QueryResult<unknown>>;
  /** Runs a compiled query whose answer nobody waits for; where it fails, so does the transaction. */
  later?(query: CompiledQuery): void;
  /** Is told of the text of a query that will be run again and again. */
  prepare?(text: string): void;
}

export function shortcutsOf(db: Db): Shortcuts {
  return db.getExecutor().adapter as DialectAdapter & Shortcuts;
}

/** Tables of the substring indexes. */
export type SearchTable = 'product_search' | 'order_search';

/**
 * A substring index over folded text. A row is named by its store and its own number within the store, so that an engine can keep one
 * store's rows together: by the store's id beside its other rows, or by the store's number where rows have nothing but a number.
 */
export interface SearchIndex {
  create(tx: Db): Promise<void>;
  put(tx: Db, row: SearchRow, folded: string): Promise<void>;
  /** As `put` for many rows of a store that are new. */
  putNew(tx: Db, store: SearchedStore, texts: readonly { number: number; folded: string }[]): Promise<void>;
  remove(tx: Db, row: SearchRow): Promise<void>;
  /** The texts of a store whose numbers are above `after`, in their order; at most `limit`. */
  texts(db: Db, store: SearchedStore, after: number, limit: number): Promise<{ number: number; text: string }[]>;
  /** A subquery of the numbers of the store's rows whose text contains `folded`, every character literal. */
  find(store: SearchedStore, folded: string): RawBuilder<number>;
  /** The condition that the text of the row with that number contains it, by looking at that row alone. */
  contains(store: SearchedStore, number: Expression<number>, folded: string): RawBuilder<SqlBool>;
}

/** Change of how many living rows of a list have one value. */
export interface CountChange {
  list: string;
  value: string;
  n: number;
  /** Whether the row of a value that nothing has any more is dropped. */
  isDroppedAtZero: boolean;
}

/** How a table is found to lie. */
export interface FoundPlacement {
  kind: 'distributed' | 'everywhere' | 'otherwise';
  /** Column by which it is distributed. */
  column: string | null;
  /** Tables of one place have their rows of the same value on the same server. */
  place: number;
  shards: number;
}

/** Distribution of tables over several servers by an extension of the engine. */
export interface Distribution {
  /** Name and version of the extension, where this database has it. */
  extension(db: Db): Promise<string | undefined>;
  /** Servers that may hold rows, and whether the one that is connected to leads the others. */
  servers(db: Db): Promise<{ withRows: number; isCoordinator: boolean }>;
  /** Those of our tables that the extension knows, by their name. */
  found(db: Db): Promise<Map<string, FoundPlacement>>;
  /** Counts the bytes that the other servers of the database hold. */
  sizeElsewhere(db: Db): Promise<number>;
  /** Readies a transaction for changes of many tables. */
  prepare(tx: Db): Promise<void>;
  placeEverywhere(tx: Db, table: string): Promise<void>;
  /** Distributes a table by a column, beside another one or in a place of its own. */
  placeBy(tx: Db, table: string, column: string, beside: string | undefined): Promise<void>;
  /** Takes all rows of a table back to the coordinator. */
  bringTogether(tx: Db, table: string): Promise<void>;
}

/** Counts by store, list and value. They are read from `list_totals`, in which the changes of a transaction are seen with its commit. */
export interface CountStore {
  /** Creates `list_counts` and `list_totals`, and what else the engine needs. */
  create(tx: Db): Promise<void>;
  /** Adds a transaction's changes, each list and value once, at least one. */
  add(tx: Db, storeId: string, changes: readonly CountChange[]): Promise<void>;
  /** Called after the commit of a transaction that has added some. */
  committed?(storeId: string): void;
  /** Tidies up what processes have left that ended. */
  foldAll?(): Promise<void>;
}

/** A store as rows of the index are named by it. */
export interface SearchedStore {
  readonly id: string;
  readonly number: number;
}

export interface SearchRow {
  store: SearchedStore;
  number: number;
}

const separator = '\u001f';

/** Texts of which nothing but the capitals is folded. */
const isAscii = /^[\n\r\t -~]*$/;

/**
 * Text as the index keeps it and as a search term is compared: composed, lower case, and with the final sigma levelled,
 * because lower-casing picks `ς` or `σ` by what follows, which a substring does not know. The separator of `foldTexts` gives
 * way to a code point that no text is exchanged with.
 */
export function foldText(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').replaceAll(separator, '\ufdd0');
}

/** Several texts to search as one; no term reaches from one into the next. */
export function foldTexts(...texts: (string | null)[]): string {
  return texts.map((text) => foldText(text ?? '')).join(separator);
}
