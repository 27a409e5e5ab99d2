import { sql } from 'kysely';
import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { transact } from '../engine/transaction.ts';
import { emit } from '../events/emit.ts';
import type { EventType } from '../events/events.ts';
import type { EntityOf, GivenInput, Printer, Shape } from '../fields/entity.ts';
import { breathe } from '../kernel/breathe.ts';
import { CommerceError, notFound, quote } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { type Json, toJson } from '../kernel/json.ts';
import { definedOnly } from '../kernel/parse.ts';
import { findReferences, type Reference } from '../resources/references.ts';
import { lockRows } from '../storage/locks.ts';
import { preparedChange, preparedInsert, preparedPerLength } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';

/** Tables whose rows can be written in bulk. */
type BulkTable = 'products' | 'categories' | 'pages' | 'customers';

/** Id and timestamps that an imported item keeps; clients cannot set them. */
export interface KeptFacts {
  id: string;
  createdAt?: string;
  updatedAt?: string;
  publishedAt?: string | null;
}

/** One row of a batch. */
export interface BulkRow {
  /** Fields of the resource; an absent one keeps the stored value. */
  input: Record<string, unknown>;
  /** Fields that only a new item takes; an existing item ignores them. */
  onlyNew?: Record<string, unknown> | undefined;
  /** Refuses the row with this error, whatever its input. */
  refused?: CommerceError | undefined;
  /** For a new item, if the store has not used the id yet. */
  kept?: KeptFacts | undefined;
}

export interface BulkOptions {
  /** The field by which a row finds its item. */
  match: string;
  /** True if subscribers receive events. */
  events: boolean;
  /** Runs everything, then rolls it back. */
  dryRun: boolean;
  /** Skips the rows after the first refused one. */
  stopAtRefusal: boolean;
  /** Refuses rows that do not name an existing item. */
  onlyExisting?: boolean;
  /** Sets the stock of a row even if orders have moved it since it was last set. */
  overwriteStock?: boolean;
  /** Called before the rows are decided, in their transaction; can change their input. */
  before?: (tx: TxContext) => Promise<void>;
  /** Called in the transaction after the rows are written. */
  inTransaction?: (tx: TxContext, outcomes: readonly BulkOutcome[]) => Promise<void>;
}

export type BulkOutcome =
  | { kind: 'created' | 'updated' | 'unchanged'; id: string }
  | { kind: 'refused'; error: CommerceError }
  | { kind: 'left' };

interface Item {
  id: string;
  createdAt: string;
  updatedAt: string;
}

/** A field that is unique in a store. */
interface UniqueKey<T> {
  column: string;
  field: string;
  of(item: T): string | null;
  /** Value of the column in a row's input; undefined without one. */
  ofInput(input: Record<string, unknown>): string | undefined;
}

/** One change of a batch. */
export interface Written<T> {
  before: T | undefined;
  after: T;
  /** The item's number in the search index, for resources that have one. */
  number: number;
  /** True if orders have moved the item's stock since it was last set, for resources with stock. */
  isMoved: boolean;
}

/** Describes how a kind of resource is written in bulk; each item is changed as by the resource's own operations. */
export interface Bulk<T extends Item> {
  table: BulkTable;
  /** `product`, in events and in the audit log. */
  noun: 'product' | 'category' | 'page' | 'customer';
  softDeleted: boolean;
  entity: Printer<T>;
  keys: readonly UniqueKey<T>[];
  /** @throws CommerceError `validation` */
  parse(ctx: Context, input: Record<string, unknown>): Record<string, unknown>;
  /** A new item. @throws CommerceError `validation`, also for a missing field */
  create(tx: TxContext, given: Record<string, unknown>, kept: KeptFacts | undefined): T;
  /** The item after the change, still with its old timestamps. @throws CommerceError */
  merge(tx: TxContext, before: T, given: Record<string, unknown>, options: BulkOptions, isMoved: boolean): T;
  /** After a change that `merge` allowed: true if orders have moved the item's stock since it was last set. */
  staysMoved?(before: T, given: Record<string, unknown>, options: BulkOptions, wasMoved: boolean): boolean;
  /** A changed item with its new timestamps. */
  touch(tx: TxContext, before: T, merged: T): T;
  references(item: T, before: T | undefined): Reference[];
  /** Columns other than the store, the id, `created_at` and `json`. */
  columns(item: T, number: number, isMoved: boolean): Record<string, unknown>;
  /** Names of the columns that a change writes; never `number`. */
  changed: readonly string[];
  /** Writes the tables that lists read. */
  list(tx: TxContext, written: readonly Written<T>[]): Promise<void>;
  /** Reserves numbers for that many new items before the transaction. */
  takeNumbers?(ctx: Context, count: number): Promise<number>;
  /** Takes the locks that come before the locks of the items. */
  lock?(tx: TxContext, rows: readonly BulkRow[]): Promise<void>;
}

/** Rows that are decided between two pauses for other work. */
const rowsAtOnce = 10;

/** Maximum number of runs of a batch, which is decided again if another writer has taken one of its names. */
const maxRuns = 4;

interface StoredRow {
  id: string;
  json: string;
  number?: number;
  stock_moved?: number;
}

/**
 * Creates and changes items of one kind in one transaction with their events, audit entries and counts. A row changes the item with the
 * same value of the matched field, or creates one if none exists. A refused row changes nothing and does not affect the others.
 */
export function bulkOf<T extends Item>(kind: Bulk<T>) {
  const { table } = kind;
  const insert = preparedInsert<Record<string, unknown>>(table);
  const existing = (db: Db, storeId: string) => {
    // Every table has these columns; the type checker is shown only one table.
    const all = db.selectFrom(table as 'products').where('store_id', '=', storeId);
    // A literal, because a partial index cannot serve a condition whose value is unknown when the query is planned.
    return kind.softDeleted ? all.where('status', '<>', sql.lit('deleted')) : all;
  };
  const idsBy = new Map(
    kind.keys.map(({ column }) => [
      column,
      preparedPerLength<{ storeId: string }, { id: string | null }>((db, p, values) => {
        const wanted = sql<{ value: string }>`(values ${sql.join(values.map((value) => sql`(${value})`))})`;
        const value = sql.ref<string>('wanted.column1');
        const owner = existing(db, p('storeId'))
          .select('id')
          .where(column as 'slug', '=', value);
        // One index lookup for each value. For a list of values, PostgreSQL prefers to scan a table that was short when it made its plan.
        // It still does so in the thousandth batch.
        return db.selectFrom(wanted.as('wanted')).select(owner.as('id'));
      }),
    ]),
  );
  const usedIds = preparedPerLength<{ storeId: string }, { id: string }>((db, p, ids) =>
    db
      .selectFrom(table as 'products')
      .select('id')
      .where('store_id', '=', p('storeId'))
      .where('id', 'in', ids),
  );
  const locked = preparedPerLength<{ storeId: string }, StoredRow>((db, p, ids) => {
    const rows = existing(db, p('storeId')).select(['id', 'json']).where('id', 'in', ids).orderBy('id');
    return lockRows(db, kind.takeNumbers ? rows.select(['number', 'stock_moved']) : rows) as never;
  });
  const update = preparedChange<Record<string, unknown>>((db, p) => {
    const columns = [...kind.changed, 'json'].map((column) => [column, p(column)]);
    return db
      .updateTable(table as 'products')
      .set(Object.fromEntries(columns) as never)
      .where('store_id', '=', p('storeId') as string)
      .where('id', '=', p('id') as string);
  });

  /** Ids of the items that have one of the rows' values. */
  async function findIds(db: Db, storeId: string, rows: readonly Prepared[]): Promise<Set<string>> {
    const ids = new Set<string>();
    for (const key of kind.keys) {
      const values = new Set<string>();
      for (const { given } of rows) {
        const value = given && key.ofInput(given);
        if (value !== undefined) values.add(value);
      }
      if (values.size === 0) continue;
      for (const row of (await idsBy.get(key.column)?.(db, { storeId }, [...values])) ?? []) {
        if (row.id !== null) ids.add(row.id);
      }
    }
    return ids;
  }

  interface Prepared {
    row: BulkRow;
    given?: Record<string, unknown>;
    onlyNew?: Record<string, unknown> | undefined;
    refused?: CommerceError;
  }

  async function prepareRows(ctx: Context, rows: readonly BulkRow[]): Promise<Prepared[]> {
    const all: Prepared[] = [];
    for (const row of rows) {
      if (all.length % rowsAtOnce === rowsAtOnce - 1) await breathe();
      if (row.refused) {
        all.push({ row, refused: row.refused });
        continue;
      }
      try {
        const onlyNew = row.onlyNew && kind.parse(ctx, row.onlyNew);
        all.push({ row, given: kind.parse(ctx, row.input), onlyNew });
      } catch (error) {
        if (!(error instanceof CommerceError)) throw error;
        all.push({ row, refused: error });
      }
    }
    return all;
  }

  async function run(ctx: Context, rows: readonly BulkRow[], options: BulkOptions): Promise<BulkOutcome[]> {
    const { storage } = ctx.engine;
    let numbers = { next: 0, last: -1 };
    if (options.dryRun) numbers = { next: firstDryNumber, last: Number.POSITIVE_INFINITY };
    else if (kind.takeNumbers && !options.onlyExisting) {
      const all = rows.map((row): Prepared => ({ row, given: row.input }));
      const known = await reading(storage, (db) => findIds(db, ctx.store.id, all));
      const first = await kind.takeNumbers(ctx, Math.max(1, rows.length - known.size));
      numbers = { next: first, last: first + Math.max(1, rows.length - known.size) - 1 };
    }
    return transact(ctx, async (tx) => {
      await options.before?.(tx);
      const all = await prepareRows(tx, rows);
      await kind.lock?.(tx, rows);
      const batch = await readBatch(tx, all);
      const outcomes: BulkOutcome[] = [];
      const changes = new Map<string, Written<T>>();
      let isStopped = false;
      for (const [i, one] of all.entries()) {
        if (i % rowsAtOnce === rowsAtOnce - 1) await breathe();
        if (isStopped) {
          outcomes.push({ kind: 'left' });
          continue;
        }
        const outcome = decide(tx, batch, one, options, changes, numbers);
        outcomes.push(outcome);
        isStopped = options.stopAtRefusal && outcome.kind === 'refused';
      }
      await write(tx, [...changes.values()], options);
      await options.inTransaction?.(tx, outcomes);
      if (options.dryRun) throw new DryRun(outcomes);
      return outcomes;
    });
  }

  interface Batch {
    byId: Map<string, { item: T; number: number; isMoved: boolean }>;
    /** Owners of the values of each unique key, updated while the rows are decided one after another. */
    owners: Map<string, Map<string, string>>;
    usedIds: Set<string>;
    missing: (item: T, before: T | undefined) => CommerceError | undefined;
  }

  async function readBatch(tx: TxContext, all: readonly Prepared[]): Promise<Batch> {
    const { db } = tx;
    const storeId = tx.store.id;
    const ids = await findIds(db, storeId, all);
    const named = all.flatMap(({ row }) => (row.kept && isId(row.kept.id) ? [row.kept.id] : []));
    const used = new Set<string>();
    if (named.length > 0) for (const { id } of await usedIds(db, { storeId }, named)) used.add(id);
    for (const id of used) ids.add(id);
    const batch: Batch = {
      byId: new Map(),
      owners: new Map(kind.keys.map(({ column }) => [column, new Map()])),
      usedIds: used,
      missing: await findReferences(tx, referencesNamed(all), kind.references),
    };
    // In the order of their ids, so two batches never deadlock.
    const rows = ids.size === 0 ? [] : await locked(db, { storeId }, [...ids].sort());
    for (const row of rows) {
      const item = kind.entity.read(row.json);
      batch.byId.set(row.id, { item, number: row.number ?? 0, isMoved: row.stock_moved === 1 });
      for (const key of kind.keys) {
        const value = key.of(item);
        if (value !== null) batch.owners.get(key.column)?.set(value, row.id);
      }
    }
    return batch;
  }

  /** All ids that the rows can name, so one query finds which of them exist. */
  function referencesNamed(all: readonly Prepared[]): Reference[] {
    return all.flatMap(({ given, onlyNew = {} }) =>
      given ? [given, onlyNew].flatMap((input) => kind.references(input as unknown as T, undefined)) : [],
    );
  }

  function findMatch(batch: Batch, { row, given }: Prepared, match: string): string | undefined {
    if (match === 'id') return row.kept && batch.byId.has(row.kept.id) ? row.kept.id : undefined;
    const key = kind.keys.find(({ field }) => field === match);
    const value = given && key?.ofInput(given);
    return key && value !== undefined ? batch.owners.get(key.column)?.get(value) : undefined;
  }

  function decide(
    tx: TxContext,
    batch: Batch,
    prepared: Prepared,
    options: BulkOptions,
    changes: Map<string, Written<T>>,
    numbers: { next: number; last: number },
  ): BulkOutcome {
    const { row, given, refused } = prepared;
    if (refused || !given) return { kind: 'refused', error: refused as CommerceError };
    try {
      const id = findMatch(batch, prepared, options.match);
      const known = id === undefined ? undefined : batch.byId.get(id);
      const before = known?.item;
      let after: T;
      let isMoved = false;
      if (before) {
        const merged = kind.merge(tx, before, given, options, known.isMoved);
        if (Object.keys(changedFields(before, merged)).length === 0) return { kind: 'unchanged', id: before.id };
        after = kind.touch(tx, before, merged);
        isMoved = kind.staysMoved?.(before, given, options, known.isMoved) ?? false;
      } else {
        if (options.onlyExisting) throw notFound(kind.noun, row.kept?.id ?? '');
        const mayKeep = row.kept && isId(row.kept.id) && !batch.usedIds.has(row.kept.id);
        after = kind.create(tx, { ...prepared.onlyNew, ...definedOnly(given) }, mayKeep ? row.kept : undefined);
      }
      const broken = takenKey(batch, after) ?? batch.missing(after, before);
      if (broken) return { kind: 'refused', error: broken };
      if (!known && kind.takeNumbers && numbers.next > numbers.last) throw new MoreNumbersError();
      const number = known?.number ?? numbers.next++;
      const first = changes.get(after.id);
      changes.set(after.id, { before: first ? first.before : before, after, number, isMoved });
      for (const key of kind.keys) {
        const owners = batch.owners.get(key.column);
        const had = before ? key.of(before) : null;
        const has = key.of(after);
        if (had !== null && owners?.get(had) === after.id) owners.delete(had);
        if (has !== null) owners?.set(has, after.id);
      }
      batch.byId.set(after.id, { item: after, number, isMoved });
      batch.usedIds.add(after.id);
      return { kind: before ? 'updated' : 'created', id: after.id };
    } catch (error) {
      if (!(error instanceof CommerceError)) throw error;
      return { kind: 'refused', error };
    }
  }

  /** The error for an item whose unique value another item has. */
  function takenKey(batch: Batch, item: T): CommerceError | undefined {
    for (const key of kind.keys) {
      const value = key.of(item);
      const owner = value === null ? undefined : batch.owners.get(key.column)?.get(value);
      if (owner === undefined || owner === item.id) continue;
      const reason = `${quote(value)} already exists on another ${kind.noun}`;
      return new CommerceError('conflict', `${key.field} ${reason}`, { details: [{ field: key.field, reason }] });
    }
    return undefined;
  }

  async function write(tx: TxContext, written: readonly Written<T>[], options: BulkOptions): Promise<void> {
    const storeId = tx.store.id;
    const rows: Record<string, unknown>[] = [];
    const updates: Promise<unknown>[] = givenUp(written).map(({ item, columns }) =>
      update(tx.db, { storeId, id: item.id, ...columns, json: toJson(item) }),
    );
    for (const { before, after, number, isMoved } of written) {
      const json = toJson(after);
      if (before) {
        updates.push(update(tx.db, { storeId, id: after.id, ...kind.columns(after, number, isMoved), json }));
      } else {
        const created_at = Date.parse(after.createdAt);
        rows.push({ store_id: storeId, id: after.id, ...kind.columns(after, number, isMoved), created_at, json });
      }
      record(tx, before, after, json, options);
    }
    // Changes first, because a new item can have a name that a changed item gives up.
    await Promise.all(updates);
    for (let i = 0; i < rows.length; i += rowsAtOnce) {
      if (i > 0) await breathe();
      await insert(tx.db, rows.slice(i, i + rowsAtOnce));
    }
    await kind.list(tx, written);
  }

  /**
   * Changed items whose unique value another item takes over, with temporary values that no item has. They are written first, so no two
   * items ever have the same value, whatever the order of the changes.
   */
  function givenUp(written: readonly Written<T>[]): { item: T; columns: Record<string, unknown> }[] {
    const takers = kind.keys.map(({ of }) => new Map(written.map(({ after }) => [of(after), after.id])));
    return written.flatMap(({ before, after, number, isMoved }) => {
      const isTaken = kind.keys.some(({ of }, i) => {
        const had = before ? of(before) : null;
        const taker = had === null ? undefined : takers[i]?.get(had);
        return taker !== undefined && taker !== after.id;
      });
      const free = Object.fromEntries(kind.keys.map(({ column }) => [column, `~${after.id}`]));
      return isTaken ? [{ item: after, columns: { ...kind.columns(after, number, isMoved), ...free } }] : [];
    });
  }

  function record(tx: TxContext, before: T | undefined, after: T, json: Json<T>, { events }: BulkOptions): void {
    const action = `${kind.noun}.${before ? 'updated' : 'created'}` as EventType;
    if (events) emit(tx, action, after.id, json);
    const changes = before ? { changes: changedFields(before, after) } : {};
    audit(tx, { action, resourceType: kind.noun, resourceId: after.id, ...changes });
  }

  return async (ctx: Context, rows: readonly BulkRow[], options: BulkOptions): Promise<BulkOutcome[]> => {
    for (let time = 1; ; time++) {
      try {
        return await run(ctx, rows, options);
      } catch (error) {
        if (error instanceof DryRun) return error.outcomes;
        // Another writer has created an item of the same name in the meantime; the next run changes that item.
        const isTaken = ctx.engine.storage.uniqueViolation(error) !== undefined || error instanceof MoreNumbersError;
        if (!isTaken || time === maxRuns) throw error;
      }
    }
  };
}

/** Thrown to roll back the transaction of a dry run. */
class DryRun extends Error {
  override readonly name = 'DryRun';

  constructor(readonly outcomes: BulkOutcome[]) {
    super('a dry run writes nothing');
  }
}

/** Numbers that no real product will have, because the rows of a dry run are rolled back. */
const firstDryNumber = 4_000_000_000;

/** More rows turned out to be new than numbers were reserved. */
class MoreNumbersError extends Error {
  override readonly name = 'MoreNumbersError';
}

/**
 * Refuses a new item without one of the resource's required fields.
 * @throws CommerceError `validation`
 */
export function requireFields<S extends Shape>({ shape }: EntityOf<S>, given: object): asserts given is GivenInput<S> {
  const missing = Object.keys(shape).filter(
    (name) => shape[name]?.required && (given as Record<string, unknown>)[name] === undefined,
  );
  if (missing.length === 0) return;
  const details = missing.map((field) => ({ field, reason: 'is required' }));
  throw new CommerceError('validation', details.map(({ field, reason }) => `${field} ${reason}`).join('; '), {
    details,
  });
}
