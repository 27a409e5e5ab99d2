import type { Expression, Kysely, RawBuilder, SqlBool } from 'kysely';
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
  /** Reads go straight through; writes only inside `db.transaction()`, which is where they are durable. */
  readonly db: Db;
  /** For reads of what is committed: writes that wait for each other do not keep them waiting. */
  readonly reads: Db;
  /**
   * Runs reads that see one moment, whatever commits meanwhile: a list and its total. They may be run more than once, and
   * wait for nothing but the database.
   */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Waits for the turn of a store's transaction, where the engine could work on several stores at once and one of them should
   * not have all of that.
   * @returns ends the turn
   * @throws CommerceError `unavailable` when the turn does not come in time
   */
  takeTurn(storeId: string): Promise<() => void>;
  /** The unique rule that a failed write broke, as `table.column` of the last key column, or undefined for any other error. */
  uniqueViolation(error: unknown): string | undefined;
  /** True when the whole transaction was given up for a reason that passes (deadlock, lost batch) and may be run again. */
  isTransient(error: unknown): boolean;
  /** True when the database cannot be reached or stays locked; told to clients as 503. */
  isUnavailable(error: unknown): boolean;
  /** Lets one transaction at a time go on that names the same thing, whether it exists yet or not. */
  lockName(tx: Db, name: string): Promise<void>;
  /** Ends the making of a table whose rows should lie in the order of its key; says nothing where an engine cannot do that. */
  readonly inKeyOrder: RawBuilder<unknown>;
  /** The condition that a folded text contains `folded`, every character literal, by looking at each row. */
  containsText(column: Expression<string>, folded: string): RawBuilder<SqlBool>;
  /** The substring index of products. */
  readonly search: SearchIndex;
  /** How many bytes the data takes, with its indexes. */
  size(): Promise<number>;
  /**
   * Looks for what a query does not notice: an open file goes on answering after it was deleted.
   * @throws CommerceError `unavailable`
   */
  check(): Promise<void>;
  /** Closes every connection; waits for the transactions that are open. */
  close(): Promise<void>;
}

/**
 * A substring index over folded text. A row is named by its store's number and its own number within the store, so that
 * an engine can keep one store's rows together.
 */
export interface SearchIndex {
  create(tx: Db): Promise<void>;
  put(tx: Db, row: SearchRow, folded: string): Promise<void>;
  remove(tx: Db, row: SearchRow): Promise<void>;
  /** A subquery of the numbers of the store's rows whose text contains `folded`, every character literal. */
  find(storeNumber: number, folded: string): RawBuilder<number>;
  /** The condition that the text of the row with that number contains it, by looking at that row alone. */
  contains(storeNumber: number, number: Expression<number>, folded: string): RawBuilder<SqlBool>;
}

export interface SearchRow {
  storeNumber: number;
  number: number;
}

const separator = '\u001f';

/**
 * Text as the index keeps it and as a search term is compared: composed, lower case, and with the final sigma levelled,
 * because lower-casing picks `ς` or `σ` by what follows, which a substring does not know. The separator of `foldTexts` gives
 * way to a code point that no text is exchanged with.
 */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').replaceAll(separator, '\ufdd0');
}

/** Several texts to search as one; no term reaches from one into the next. */
export function foldTexts(...texts: (string | null)[]): string {
  return texts.map((text) => foldText(text ?? '')).join(separator);
}
