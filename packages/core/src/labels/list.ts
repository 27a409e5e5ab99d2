import { type SelectQueryBuilder, sql } from 'kysely';
import { readSorted } from '../collection/items.ts';
import type { Printer } from '../fields/entity.ts';
import type { Json, List } from '../kernel/json.ts';
import { countUpTo, type Place, type Sorting, type Window } from '../resources/bounded.ts';
import type { Schema } from '../storage/schema.ts';
import type { Db } from '../storage/storage.ts';
import type { LabelledTable } from '../storage/tables/resources.ts';
import { hasLabel, type Label, metadataLabels, tagLabels } from './labels.ts';

/** A range of creation times in milliseconds: from the first, up to but without the second. */
export interface Times {
  from?: number | undefined;
  to?: number | undefined;
}

/** The labels that a query of a list asks for. */
export function labelsAsked({
  metadata = {},
  tag,
}: {
  metadata?: Readonly<Record<string, string>> | undefined;
  tag?: string | undefined;
}): Label[] {
  return [...metadataLabels(metadata), ...(tag ? tagLabels([tag]) : [])];
}

/** The rows of one label, which the key of the table has in the order of time. */
function rowsOf(db: Db, storeId: string, resource: LabelledTable, [label, value]: Label, { from, to }: Times) {
  // The resource is a literal, so that a planner can tell its share of the rows.
  let rows = db
    .selectFrom('labels')
    .where('labels.store_id', '=', storeId)
    .where('labels.resource', '=', sql.lit(resource))
    .where('labels.label', '=', label)
    .where('labels.value', '=', value);
  if (from !== undefined) rows = rows.where('labels.made_at', '>=', from);
  if (to !== undefined) rows = rows.where('labels.made_at', '<', to);
  return rows;
}

/**
 * The label with the fewest items in a range of time, and their number; undefined if each has more than `most`. An index tells it.
 */
export async function rarest(
  db: Db,
  storeId: string,
  resource: LabelledTable,
  labels: readonly Label[],
  times: Times,
  most: number,
): Promise<{ label: Label; n: number } | undefined> {
  let found: { label: Label; n: number } | undefined;
  for (const label of labels) {
    const n = await countUpTo(db, rowsOf(db, storeId, resource, label, times), found ? found.n : most);
    if (n !== undefined && (!found || n < found.n)) found = { label, n };
  }
  return found;
}

/**
 * The items with a label, in the order of time. The index of the labels leads to them, whatever else is asked of them.
 */
function itemsWith<T extends LabelledTable>(
  db: Db,
  storeId: string,
  resource: T,
  label: Label,
  times: Times,
): SelectQueryBuilder<Schema, T, object> {
  const items = rowsOf(db, storeId, resource, label, times)
    // Keeps SQLite from beginning with all items. PostgreSQL joins in any order.
    .crossJoin(resource as 'orders')
    .where(sql.ref<string>(`${resource}.store_id`), '=', storeId)
    .where(sql.ref<string>(`${resource}.id`), '=', sql.ref<string>('labels.item_id'));
  return items as unknown as SelectQueryBuilder<Schema, T, object>;
}

/** The items that have all of some labels, each of which is looked up for each item. */
export function having<R extends LabelledTable>(
  items: SelectQueryBuilder<Schema, R, object>,
  storeId: string,
  resource: R,
  labels: readonly Label[],
  of?: Parameters<typeof hasLabel>[3],
): SelectQueryBuilder<Schema, R, object> {
  let some = items as unknown as SelectQueryBuilder<Schema, 'products', object>;
  for (const label of labels) some = some.where(hasLabel(storeId, resource, label, of));
  return labels.length === 0 ? items : (some as unknown as typeof items);
}

/** A list of items with labels, led by the rarest of them. */
export interface LabelledList<R extends LabelledTable> {
  storeId: string;
  resource: R;
  labels: readonly Label[];
  /** One of the labels, and the number of its items in the range of time. */
  rare: { label: Label; n: number };
  times: Times;
  /** Items of the store. */
  listed: number;
  /**
   * Adds all other filters as conditions that lead to no index. Answers its argument if there are none.
   * @param isLed true if the rows of a label in the range of time lead to the items, as `labels`; otherwise it adds that range, too
   */
  narrowed(items: SelectQueryBuilder<Schema, R, object>, isLed: boolean): SelectQueryBuilder<Schema, R, object>;
}

/** A page of a list of items with labels; undefined if more than `maxRows` rows would have to be read. */
export async function readLabelled<T, R extends LabelledTable>(
  db: Db,
  { storeId, resource, labels, rare, times, listed, narrowed }: LabelledList<R>,
  window: Window,
  { sorting, start }: { sorting: Sorting; start?: Place | undefined },
  maxRows: number,
  entity: Printer<T>,
): Promise<Json<List<T>> | undefined> {
  type Rows = SelectQueryBuilder<Schema, 'products', object>;
  const others = labels.filter((label) => label !== rare.label);
  const among = itemsWith(db, storeId, resource, rare.label, times);
  // From the row of the label, so that the items are not read for them.
  const matches = narrowed(having(among, storeId, resource, others, ['labels.made_at', 'labels.item_id']), true);
  const led = { among: among as unknown as Rows, count: rare.n, matches: matches as unknown as Rows };
  if (sorting.columns[0] === 'created_at') {
    const byTime = { columns: ['labels.made_at', 'labels.item_id'], isAscending: sorting.isAscending };
    return readSorted<T>(db, led, window, { sorting: byTime, start }, maxRows, entity);
  }
  const total = matches === among ? rare.n : await countUpTo(db, led.matches, maxRows);
  if (total === undefined) return undefined;
  // The number of items to read in the order of the list until the page is full, if the matches are evenly spread.
  const walked = ((window.offset + window.limit) * listed) / Math.max(total, 1);
  if (rare.n <= Math.max(maxFetched, walked)) {
    const order: Sorting = { ...sorting, isUnindexed: true };
    return readSorted<T>(db, { ...led, total }, window, { sorting: order, start }, maxRows, entity);
  }
  const all = db.selectFrom(resource as 'products').where('store_id', '=', storeId);
  const checked = narrowed(having(all as unknown as typeof among, storeId, resource, labels), false) as unknown as Rows;
  return readSorted<T>(
    db,
    { among: all, count: listed, matches: checked, total },
    window,
    { sorting, start },
    maxRows,
    entity,
  );
}

/** Items of a label that are fetched and sorted instead of walking the index of another order. */
const maxFetched = 5000;
