import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import type { Printer } from '../fields/entity.ts';
import { fromJson, type Json, type List, toJson } from '../kernel/json.ts';
import { maxListBytes } from '../kernel/limits.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import type { Schema } from '../storage/schema.ts';
import type { Db } from '../storage/storage.ts';

/**
 * The answer of a list, `{"items":[…],"total":…}`, which the database builds from the rows' texts: fetching fifty rows and joining them
 * here took twice as long. Both engines aggregate the rows in the order of the subquery; an `order by` inside the aggregate would sort them
 * once more. After `maxListBytes` it stops: it then has fewer items than requested, and the same total.
 * @param page selects `json` in the order of the list, and `itemColumns` if there is an `entity`
 * @param total the number of all matches, as a decimal number
 */
export function listJson<T>(
  db: Db,
  page: SelectQueryBuilder<Schema, keyof Schema, { json: string }>,
  total: string | Expression<string>,
  entity?: Pick<Printer<T>, 'shapeNumber'>,
) {
  // The number of bytes before each item. `readPage` also counts the rows after the limit, because it has to know whether the page is
  // complete.
  const measured = db
    .selectFrom(page.as('page'))
    .select('json')
    .select(sql<number>`sum(octet_length(json)) over (rows unbounded preceding) - octet_length(json)`.as('before'));
  const fitting = sql`case when before < ${sql.lit(maxListBytes)} then json end`;
  const list = sql<
    Json<List<T>>
  >`'{"items":[' || coalesce(string_agg(${fitting}, ','), '') || '],"total":' || ${total} || '}'`;
  const isOld = entity
    ? sql<number>`max(case when shape = ${sql.lit(entity.shapeNumber)} then 0 else 1 end)`
    : sql<number>`0`;
  const all = entity ? measured.select(sql.ref('shape').as('shape')) : measured;
  return db.selectFrom(all.as('measured')).select([list.as('list'), isOld.as('isOld')]);
}

/** The columns of an item that a list of a resource needs. */
export const itemColumns = ['json', 'shape'] as const;

/** A list as the database built it, and whether another version printed one of its items. */
export interface StoredList<T> {
  list: Json<List<T>>;
  /** Null without items. */
  isOld: number | null;
}

/** The list with every item as this version prints it. */
export function upToDateList<T>(entity: Printer<T>, { list, isOld }: StoredList<T>): Json<List<T>> {
  if (!isOld) return list;
  const { items, total } = fromJson(list);
  return toJson({ items: items.map((item) => entity.of(item)), total });
}

/** The answer of a list whose items are known by their ids, in their order. It stops after `maxListBytes`. */
export async function listOfRows<T extends object>(
  db: Db,
  ids: readonly string[],
  total: number,
  storeId: string,
  entity: Printer<T>,
): Promise<Json<List<T>>> {
  const rows = ids.length === 0 ? [] : await productTexts(db, { storeId }, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const texts: string[] = [];
  let bytes = 0;
  for (const id of ids) {
    const row = byId.get(id);
    if (!row || bytes >= maxListBytes) continue;
    const json = entity.upToDate(row.json as Json<T>, row.shape);
    bytes += Buffer.byteLength(json);
    texts.push(json);
  }
  return `{"items":[${texts.join(',')}],"total":${total}}` as Json<List<T>>;
}

const productTexts = preparedPerLength<{ storeId: string }, { id: string; json: string; shape: number }>((db, p, ids) =>
  db.selectFrom('products').select(['id', 'json', 'shape']).where('store_id', '=', p('storeId')).where('id', 'in', ids),
);

/** The answer of an empty list. */
export function emptyList<T>(): Json<List<T>> {
  return toJson<List<T>>({ items: [], total: 0 });
}

/** The answer of a list, as `listJson` builds it, and the number of items on its page. */
export async function readPage<T>(
  db: Db,
  page: SelectQueryBuilder<Schema, keyof Schema, { json: string }>,
  total: number,
  entity?: Printer<T>,
): Promise<{ list: Json<List<T>>; length: number }> {
  const { length, ...stored } = await listJson<T>(db, page, String(total), entity)
    .select((eb) => eb.fn.countAll<number>().as('length'))
    .executeTakeFirstOrThrow();
  return { list: entity ? upToDateList(entity, stored) : stored.list, length };
}
