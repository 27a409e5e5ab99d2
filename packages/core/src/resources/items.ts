import { type SelectQueryBuilder, sql } from 'kysely';
import type { Context, Engine, TxContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { isId } from '../ids.ts';
import type { Json, List } from '../json.ts';
import { lockRows } from '../storage/locks.ts';
import { preparedColumn } from '../storage/prepared.ts';
import { storageError } from '../storage/run.ts';
import type { Schema } from '../storage/schema.ts';
import type { Db } from '../storage/storage.ts';
import { listJson } from './list-json.ts';
import { requireVersion } from './versions.ts';

/** The tables whose rows keep a resource's text under its store and id. */
type ItemTable = 'products' | 'categories' | 'pages' | 'customers' | 'media' | 'orders';

/** How one kind of resource is found by its id. */
export interface Items<T> {
  /** The text as it is answered. @throws CommerceError `notFound`, also for another store's id and for a malformed one. */
  read(ctx: Context, id: string): Promise<Json<T>>;
  /**
   * The resource, kept from changing until the transaction ends.
   * @throws CommerceError `notFound`; `conflict` when its caller expects another version
   */
  lock(tx: TxContext, id: string): Promise<T>;
  /** As `lock`, of any version; undefined where there is none. */
  lockIfAny(tx: TxContext, id: string): Promise<T | undefined>;
}

/**
 * @param name what the resource is called in messages
 * @param softDeleted whether deleted ones keep their row, with that status
 * @param answered the text as it is answered, where it is not the stored one
 */
export function itemsOf<T>(
  table: ItemTable,
  name: string,
  softDeleted: boolean,
  answered: (engine: Engine, json: Json<T>) => Json<T> = (_, json) => json,
): Items<T> {
  const byId = (db: Db, storeId: string, id: string) => {
    // Every item table has these columns; the type checker follows one of them.
    const query = db
      .selectFrom(table as 'products')
      .select('json')
      .where('store_id', '=', storeId)
      .where('id', '=', id);
    return softDeleted ? query.where('status', '<>', sql.lit('deleted')) : query;
  };
  const stored = preparedColumn<{ storeId: string; id: string }, string>((db, p) => byId(db, p('storeId'), p('id')));
  const locked = preparedColumn<{ storeId: string; id: string }, string>((db, p) =>
    lockRows(db, byId(db, p('storeId'), p('id'))),
  );
  const lockedJson = async (tx: TxContext, id: string) => {
    // A text that is no id may be one that no database takes, such as NUL at PostgreSQL.
    if (!isId(id)) return undefined;
    const [json] = await locked(tx.db, { storeId: tx.store.id, id });
    return json;
  };
  return {
    async read(ctx, id) {
      if (!isId(id)) throw notFound(name, id);
      const { storage } = ctx.engine;
      let found: string[];
      try {
        found = await stored(storage.reads, { storeId: ctx.store.id, id });
      } catch (error) {
        throw storageError(storage, error);
      }
      const [json] = found;
      if (json === undefined) throw notFound(name, id);
      return json as Json<T>;
    },
    async lock(tx, id) {
      const json = await lockedJson(tx, id);
      if (json === undefined) throw notFound(name, id);
      requireVersion(tx, id, () => answered(tx.engine, json as Json<T>));
      return JSON.parse(json);
    },
    async lockIfAny(tx, id) {
      const json = await lockedJson(tx, id);
      return json && JSON.parse(json);
    },
  };
}

/** Size of a list, as far as it is known before it is read. */
interface Known {
  /** Rows that the filters match; absent where they have to be counted. */
  total?: number | undefined;
  /** Rows that have to be looked at one by one for a text; absent where an index leads to the matches. */
  scanned?: number | undefined;
}

/**
 * A page of a list, newest first; undefined where more than `maxRows` rows would have to be looked at.
 * @param matches rows that the filters match, without order
 */
export async function readNewest<T>(
  db: Db,
  matches: SelectQueryBuilder<Schema, ItemTable, object>,
  window: { limit: number; offset: number },
  { total, scanned = 0 }: Known,
  maxRows: number,
): Promise<Json<List<T>> | undefined> {
  const walked = total === undefined ? 0 : Math.min(window.offset, total);
  if (Math.max(scanned, walked) > maxRows) return undefined;
  const all = matches as SelectQueryBuilder<Schema, 'products', object>;
  const counted = total ?? (await countRows(all));
  const page = all
    .select('json')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(window.limit)
    .offset(window.offset);
  return (await listJson<T>(db, page, String(counted)).executeTakeFirstOrThrow()).list;
}

async function countRows(query: SelectQueryBuilder<Schema, 'products', object>): Promise<number> {
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return total;
}
