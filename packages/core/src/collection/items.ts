import { type SelectQueryBuilder, sql } from 'kysely';
import type { Context, Engine, TxContext } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import type { Printer } from '../fields/entity.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import type { Json, List } from '../kernel/json.ts';
import type { CollectionTable } from '../kernel/nouns.ts';
import {
  boundedPage,
  type Filtered,
  newestFirst,
  type Place,
  type Sorting,
  type Window,
} from '../resources/bounded.ts';
import { itemColumns, readPage } from '../resources/list-json.ts';
import { requireVersion } from '../resources/versions.ts';
import { lockRows } from '../storage/locks.ts';
import { prepared, preparedColumn } from '../storage/prepared.ts';
import { readingOf } from '../storage/run.ts';
import type { Schema } from '../storage/schema.ts';
import type { Db } from '../storage/storage.ts';

/** The tables that store a resource's text by store and id. */
type ItemTable = CollectionTable | 'media' | 'orders' | 'discounts' | 'withdrawals' | 'invoices';

type ItemQuery = SelectQueryBuilder<Schema, 'products', { json: string }>;

/** The text of an item, and the number of the fields that it was printed with. */
interface StoredItem {
  json: string;
  shape?: number;
  number?: number;
  stock_moved?: number;
  prices?: string;
}

/** A locked item, with the facts of its row that it does not show. */
export interface Locked<T> {
  item: T;
  /** Its number in the search index, for resources that have one. */
  number: number;
  /** True if orders have moved its stock since it was last set, for resources with stock. */
  isMoved: boolean;
  /** What the row notes of it; empty for nothing. */
  notes: string;
}

/** The view that a public actor has of one kind of resource. */
export interface PublicView<T> {
  /** The visible items. */
  among(items: ItemQuery, storeId: string): ItemQuery;
  /** The visible text. */
  text(ctx: Context, json: Json<T>): Json<T> | Promise<Json<T>>;
}

/** The view of a resource with a status. */
export const publishedAlone = {
  among: (items: ItemQuery) => items.where('status', '=', sql.lit('published')),
};

/** Finds resources of one kind by id. */
export interface Items<T> {
  /** The text of the answer. @throws CommerceError `notFound`, also for another store's id and for a malformed one. */
  read(ctx: Context, id: string): Promise<Json<T>>;
  /**
   * Reads the resource and locks it until the transaction ends.
   * @throws CommerceError `notFound`; `conflict` when the caller expects another version
   */
  lock(tx: TxContext, id: string): Promise<T>;
  /** Like `lock`, with the facts of the row. */
  lockRow(tx: TxContext, id: string): Promise<Locked<T>>;
  /** Like `lock`, but accepts any version; undefined if the resource does not exist. */
  lockIfAny(tx: TxContext, id: string): Promise<T | undefined>;
}

/**
 * @param name the name of the resource in messages
 * @param softDeleted whether deleted items keep their row, with status `deleted`
 * @param options.answered converts the stored text to the answer, if they differ
 * @param options.publicView left out if public actors see nothing
 * @param options.isNumbered for products, whose rows have more facts
 * @param options.entity for resources whose rows store the number of their fields; see `EntityOf.shapeNumber`
 */
export function itemsOf<T>(
  table: ItemTable,
  name: string,
  softDeleted: boolean,
  {
    answered = (_, json) => json,
    publicView,
    entity,
    isNumbered,
  }: {
    answered?: (engine: Engine, json: Json<T>) => Json<T>;
    publicView?: PublicView<T>;
    entity?: Printer<T>;
    isNumbered?: boolean | undefined;
  } = {},
): Items<T> {
  const byId = (db: Db, storeId: string, id: string) => {
    // Every item table has these columns; the type checker follows one of the tables.
    const query = db
      .selectFrom(table as 'products')
      .select('json')
      .where('store_id', '=', storeId)
      .where('id', '=', id);
    return softDeleted ? query.where('status', '<>', sql.lit('deleted')) : query;
  };
  const whole = (db: Db, storeId: string, id: string) =>
    entity ? byId(db, storeId, id).select('shape') : byId(db, storeId, id);
  const stored = prepared<{ storeId: string; id: string }, StoredItem>((db, p) => whole(db, p('storeId'), p('id')));
  const locked = prepared<{ storeId: string; id: string }, StoredItem>((db, p) => {
    const row = whole(db, p('storeId'), p('id'));
    return lockRows(db, isNumbered ? row.select(['number', 'stock_moved', 'prices']) : row);
  });
  const printed = ({ json, shape = 0 }: StoredItem) =>
    entity ? entity.upToDate(json as Json<T>, shape) : (json as Json<T>);
  const ofPublic =
    publicView &&
    preparedColumn<{ storeId: string; id: string }, string>((db, p) =>
      publicView.among(byId(db, p('storeId'), p('id')), p('storeId')),
    );
  const readPublic = async (ctx: Context, id: string): Promise<Json<T>> => {
    if (!ofPublic || !publicView) {
      refusePublic(ctx);
      throw notFound(name, id);
    }
    const [json] = await readingOf(ctx, (db) => ofPublic(db, { storeId: ctx.store.id, id }));
    if (json === undefined) throw notFound(name, id);
    return publicView.text(ctx, json as Json<T>);
  };
  const lockedRow = async (tx: TxContext, id: string) => {
    // A text that is not an id can contain characters that a database rejects, such as NUL in PostgreSQL.
    if (!isId(id)) return undefined;
    const [row] = await locked(tx.db, { storeId: tx.store.id, id });
    return row;
  };
  const lockRow = async (tx: TxContext, id: string): Promise<Locked<T>> => {
    const row = await lockedRow(tx, id);
    if (row === undefined) throw notFound(name, id);
    const json = printed(row);
    requireVersion(tx, id, () => answered(tx.engine, json));
    return { item: JSON.parse(json), number: row.number ?? 0, isMoved: row.stock_moved === 1, notes: row.prices ?? '' };
  };
  return {
    async read(ctx, id) {
      if (!isId(id)) throw notFound(name, id);
      if (ctx.actor.isPublic) return readPublic(ctx, id);
      const [row] = await readingOf(ctx, (db) => stored(db, { storeId: ctx.store.id, id }));
      if (!row) throw notFound(name, id);
      return printed(row);
    },
    lockRow,
    lock: async (tx, id) => (await lockRow(tx, id)).item,
    async lockIfAny(tx, id) {
      const row = await lockedRow(tx, id);
      return row && JSON.parse(printed(row));
    },
  };
}

/** A page of a list, newest first; undefined if more than `maxRows` rows would have to be read. */
export function readNewest<T>(
  db: Db,
  filtered: Filtered<SelectQueryBuilder<Schema, ItemTable, object>>,
  window: Window,
  maxRows: number,
  entity?: Printer<T>,
): Promise<Json<List<T>> | undefined> {
  return readSorted<T>(db, filtered, window, { sorting: newestFirst }, maxRows, entity);
}

/**
 * Like `readNewest`, in another order.
 * @param start the place after which the page begins
 */
export async function readSorted<T>(
  db: Db,
  filtered: Filtered<SelectQueryBuilder<Schema, ItemTable, object>>,
  window: Window,
  { sorting, start }: { sorting: Sorting; start?: Place | undefined },
  maxRows: number,
  entity?: Printer<T>,
): Promise<Json<List<T>> | undefined> {
  const ofOneTable = filtered as Filtered<SelectQueryBuilder<Schema, 'products', object>>;
  const page = await boundedPage(db, ofOneTable, window, sorting, maxRows, start);
  if (!page) return undefined;
  const { list, length } = await readPage<T>(
    db,
    entity ? page.rows.select(itemColumns) : page.rows.select('json'),
    page.total,
    entity,
  );
  return page.isComplete(length) ? list : undefined;
}
