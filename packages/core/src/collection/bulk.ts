import { sql } from 'kysely';
import { changedFields } from '../audit/audit.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { transact } from '../engine/transaction.ts';
import type { EntityOf, GivenChanges, Printer, Shape } from '../fields/entity.ts';
import { breathe } from '../kernel/breathe.ts';
import { CommerceError, notFound, quote } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { toJson } from '../kernel/json.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { findReferences, type Reference } from '../resources/references.ts';
import { takeNumbers } from '../resources/sequences.ts';
import { lockRows } from '../storage/locks.ts';
import { changedColumns, preparedInsert, preparedPerLength, preparedUpdate } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { Locked } from './items.ts';
import type { BulkOutcome, BulkRow, Item, Kind, UniqueKey, Written } from './kind.ts';
import type { Writing } from './write.ts';

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

/** Rows that are decided between two pauses for other work. */
const rowsAtOnce = 10;

/** Maximum number of runs of a batch, which is decided again if another writer has taken one of its names. */
const maxRuns = 4;

/** A new or changed item of a batch. */
type Changed<T> = Written<T> & { after: T; wasMoved: boolean; notes: Record<string, string> };

/** The value of a unique column that a row gives. */
function valueIn<T>(given: object, { field, ofGiven = (value) => value }: UniqueKey<T>): string | undefined {
  const value = (given as Record<string, unknown>)[field];
  return typeof value === 'string' ? ofGiven(value) : undefined;
}

interface StoredRow {
  id: string;
  json: string;
  number?: number;
  stock_moved?: number;
  prices?: string;
}

/**
 * Creates and changes items of one kind in one transaction with their events, audit entries and counts. A row changes the item with the
 * same value of the matched field, or creates one if none exists. A refused row changes nothing and does not affect the others.
 */
export function bulkOf<S extends Shape, T extends Item>(kind: Kind<S, T>, writing: Writing<S, T>) {
  const { table } = kind;
  const entity: EntityOf<S> = kind.entity;
  const printer: Printer<T> = kind.entity;
  const insert = preparedInsert<Record<string, unknown>>(table, undefined, true);
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
    return lockRows(db, kind.isNumbered ? rows.select(['number', 'stock_moved', 'prices']) : rows) as never;
  });
  const update = preparedUpdate<Record<string, unknown>>(table);

  /** Ids of the items that have one of the rows' values. */
  async function findIds(db: Db, storeId: string, rows: readonly Prepared[]): Promise<Set<string>> {
    const ids = new Set<string>();
    for (const key of kind.keys) {
      const values = new Set<string>();
      for (const { given } of rows) {
        const value = given && valueIn(given, key);
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
    given?: GivenChanges<S>;
    onlyNew?: GivenChanges<S> | undefined;
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
        const { update: schema } = entity.inputs(ctx.store.decimals);
        const onlyNew = row.onlyNew && (parse(schema, row.onlyNew) as GivenChanges<S>);
        all.push({ row, given: parse(schema, row.input) as GivenChanges<S>, onlyNew });
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
    else if (kind.isNumbered && !options.onlyExisting) {
      const all = rows.map((row): Prepared => ({ row, given: row.input as GivenChanges<S> }));
      const known = await reading(storage, (db) => findIds(db, ctx.store.id, all));
      const count = Math.max(1, rows.length - known.size);
      const first = await takeNumbers(ctx, 'products', count);
      numbers = { next: first, last: first + count - 1 };
    }
    return transact(ctx, async (tx) => {
      await options.before?.(tx);
      const all = await prepareRows(tx, rows);
      await kind.lock?.(tx, rows);
      const batch = await readBatch(tx, all);
      const outcomes: BulkOutcome[] = [];
      const changes = new Map<string, Changed<T>>();
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
    byId: Map<string, Locked<T>>;
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
      missing: await findReferences(tx, referencesNamed(all), writing.references),
    };
    // In the order of their ids, so two batches never deadlock.
    const rows = ids.size === 0 ? [] : await locked(db, { storeId }, [...ids].sort());
    for (const row of rows) {
      const item: T = printer.read(row.json);
      batch.byId.set(row.id, {
        item,
        number: row.number ?? 0,
        isMoved: row.stock_moved === 1,
        notes: row.prices ?? '',
      });
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
      given ? [given, onlyNew].flatMap((input) => writing.references(input, undefined)) : [],
    );
  }

  function findMatch(batch: Batch, { row, given }: Prepared, match: string): string | undefined {
    if (match === 'id') return row.kept && batch.byId.has(row.kept.id) ? row.kept.id : undefined;
    const key = kind.keys.find(({ field }) => field === match);
    const value = given && key && valueIn(given, key);
    return key && value !== undefined ? batch.owners.get(key.column)?.get(value) : undefined;
  }

  function decide(
    tx: TxContext,
    batch: Batch,
    prepared: Prepared,
    { match, onlyExisting, overwriteStock = false }: BulkOptions,
    changes: Map<string, Changed<T>>,
    numbers: { next: number; last: number },
  ): BulkOutcome {
    const { row, refused } = prepared;
    if (refused || !prepared.given) return { kind: 'refused', error: refused as CommerceError };
    try {
      const id = findMatch(batch, prepared, match);
      const known = id === undefined ? undefined : batch.byId.get(id);
      const before = known?.item;
      const given = before ? writing.withStoredKeys(tx, before, prepared.given, row.adds) : prepared.given;
      const warnings: { field: string; reason: string }[] = [];
      const warn = (field: string, reason: string) => warnings.push({ field, reason });
      const change = { before, given, input: row.input, isImport: true, kept: undefined, overwriteStock, warn };
      let changed: T;
      let isMoved = known?.isMoved ?? false;
      if (before) {
        const merged = writing.changed(tx, { ...change, isMoved });
        if (Object.keys(changedFields(before, merged)).length === 0)
          return { kind: 'unchanged', id: before.id, warnings };
        changed = writing.touched(tx, before, merged);
        isMoved = kind.staysMoved?.(before, { ...change, isMoved }) ?? false;
      } else {
        if (onlyExisting) throw notFound(kind.noun, row.kept?.id ?? '');
        const stated = { ...prepared.onlyNew, ...definedOnly(given) };
        requireFields(entity, stated);
        const mayKeep = row.kept && isId(row.kept.id) && !batch.usedIds.has(row.kept.id);
        changed = writing.changed(tx, { ...change, given: stated, kept: mayKeep ? row.kept : undefined, isMoved });
      }
      const { item: after, notes } = writing.noted(tx, changed, known?.notes);
      const broken = takenKey(batch, after) ?? batch.missing(after, before);
      if (broken) return { kind: 'refused', error: broken };
      if (!known && kind.isNumbered && numbers.next > numbers.last) throw new MoreNumbersError();
      const number = known?.number ?? numbers.next++;
      const first = changes.get(after.id) ?? { before, wasMoved: known?.isMoved ?? false };
      changes.set(after.id, { ...first, after, number, isMoved, notes });
      for (const key of kind.keys) {
        const owners = batch.owners.get(key.column);
        const had = before ? key.of(before) : null;
        const has = key.of(after);
        if (had !== null && owners?.get(had) === after.id) owners.delete(had);
        if (has !== null) owners?.set(has, after.id);
      }
      // The notes stay those of before the batch: what a later row replaces was never to be seen.
      batch.byId.set(after.id, { item: after, number, isMoved, notes: known?.notes ?? '' });
      batch.usedIds.add(after.id);
      return { kind: before ? 'updated' : 'created', id: after.id, warnings };
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
      const { taken = `already exists on another ${kind.noun}` } = key;
      const reason = `${quote(value)} ${taken}`;
      return new CommerceError('conflict', `${key.field} ${reason}`, {
        details: [{ field: key.field, reason, code: 'TAKEN' }],
        reason: 'taken',
      });
    }
    return undefined;
  }

  async function write(tx: TxContext, written: readonly Changed<T>[], { events }: BulkOptions): Promise<void> {
    const store_id = tx.store.id;
    const rows: Record<string, unknown>[] = [];
    const temporary = givenUp(written);
    const updates: Promise<unknown>[] = [...temporary].map(([id, free]) => update(tx.db, { store_id, id }, free));
    for (const { before, after, number, wasMoved, isMoved, notes } of written) {
      const json = toJson(after);
      const columns = { ...writing.columnsOf(after, isMoved), ...notes };
      if (before) {
        const stored = { ...kind.columns(before, wasMoved), ...temporary.get(after.id) };
        updates.push(update(tx.db, { store_id, id: after.id }, { ...changedColumns(stored, columns), json }));
      } else {
        const own = { store_id, id: after.id, ...(kind.isNumbered && { number }) };
        rows.push({ ...own, ...columns, created_at: Date.parse(after.createdAt), json });
      }
      writing.record(tx, before ? 'updated' : 'created', after, json, { events, before });
    }
    // Changes first, because a new item can have a name that a changed item gives up.
    await Promise.all(updates);
    for (let i = 0; i < rows.length; i += rowsAtOnce) {
      if (i > 0) await breathe();
      await insert(tx.db, rows.slice(i, i + rowsAtOnce));
    }
    await writing.list(tx, written);
  }

  /**
   * Temporary values of unique columns that no item has, by the ids of the items whose value another item takes over. They are written
   * first, so no two items ever have the same value, whatever the order of the changes.
   */
  function givenUp(written: readonly Changed<T>[]): Map<string, Record<string, unknown>> {
    const takers = kind.keys.map(({ of }) => new Map(written.map(({ after }) => [of(after), after.id])));
    const taken = written.filter(({ before, after }) =>
      kind.keys.some(({ of }, i) => {
        const had = before ? of(before) : null;
        const taker = had === null ? undefined : takers[i]?.get(had);
        return taker !== undefined && taker !== after.id;
      }),
    );
    const free = ({ id }: T) => Object.fromEntries(kind.keys.map(({ column }) => [column, `~${id}`]));
    return new Map(taken.map(({ after }) => [after.id, free(after)]));
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
    super('a dry run does not write');
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
function requireFields<S extends Shape>({ shape }: EntityOf<S>, given: object): void {
  const missing = Object.keys(shape).filter(
    (name) => shape[name]?.required && (given as Record<string, unknown>)[name] === undefined,
  );
  if (missing.length === 0) return;
  const details = missing.map((field) => ({ field, reason: 'is required', code: 'REQUIRED' as const }));
  throw new CommerceError('validation', details.map(({ field, reason }) => `${field} ${reason}`).join('; '), {
    details,
  });
}
