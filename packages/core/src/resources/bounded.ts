import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { unindexedNumber, unindexedText } from '../storage/planner.ts';
import type { Db } from '../storage/storage.ts';

/**
 * The number of rows that a query matches. Undefined if it is more than `maxRows`; reading stops there. An index must lead to the matches,
 * otherwise the rows that do not match are read too.
 */
export async function countUpTo<Tables, From extends keyof Tables>(
  db: Db,
  rows: SelectQueryBuilder<Tables, From, object>,
  maxRows: number,
): Promise<number | undefined> {
  const all = rows.select(sql.lit(1).as('one'));
  const some = Number.isFinite(maxRows) ? all.limit(maxRows + 1) : all;
  const { n } = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n > maxRows ? undefined : n;
}

/** Rows of a list, with and without its filters. */
export interface Filtered<Rows> {
  /** Rows to which an index leads, in the order of the list. */
  among: Rows;
  /** The number of these rows, if known. */
  count?: number | undefined;
  /** The rows that the other filters match too; the same query if there is no other filter. */
  matches: Rows;
  /** The number of matches, if known. */
  total?: number | undefined;
}

/** The part of a list that a page shows. */
export interface Window {
  limit: number;
  offset: number;
}

/** The order of a list: columns that an index has in this order. */
export interface Sorting {
  readonly columns: readonly string[];
  /** The direction of all columns. */
  readonly isAscending: boolean;
  /** Sorts the rows, which are few, instead of reading an index in this order. */
  readonly isUnindexed?: true;
  /** True if the first column is a text, not a number. */
  readonly isByText?: true;
}

/** The order of most lists. */
export const newestFirst: Sorting = { columns: ['created_at', 'id'], isAscending: false };

/** A page that reads a limited number of rows. */
interface BoundedPage<Rows> {
  total: number;
  /** In the order of the list. */
  rows: Rows;
  /** True if a page with this many items is complete. The read limit can end a page early if the matches are far apart. */
  isComplete(length: number): boolean;
}

/**
 * A page of a list. Undefined if more than `maxRows` rows would have to be read.
 * @param sorting columns in descending order, or another order
 * @param start the place after which the page begins; the offset counts from there
 */
export async function boundedPage<Tables, From extends keyof Tables>(
  db: Db,
  { among, matches, ...known }: Filtered<SelectQueryBuilder<Tables, From, object>>,
  { limit, offset }: Window,
  sorting: readonly string[] | Sorting,
  maxRows: number,
  start?: Place,
): Promise<BoundedPage<SelectQueryBuilder<Tables, From, object>> | undefined> {
  const order = 'columns' in sorting ? sorting : { columns: sorting, isAscending: false };
  const count = known.count ?? (await countUpTo(db, among, maxRows));
  if (count === undefined) return undefined;
  const isLong = count > maxRows;
  const isFiltered = among !== matches;
  let total = isFiltered ? known.total : count;
  if (total === undefined && !isLong) total = await countUpTo(db, matches, maxRows);
  if (total === undefined) return undefined;
  // How many items follow a place is not known.
  const left = Math.max(0, start ? limit : Math.min(limit, total - offset));
  if (isLong && left > 0 && offset + left > maxRows) return undefined;
  const walked = start ? among.where(isBehind(order, start)) : among;
  const end = isLong && isFiltered && left > 0 ? await endOfWalk(walked, order, maxRows) : undefined;
  let rows = sorted(start ? matches.where(isBehind(order, start)) : matches, order)
    .limit(left)
    .offset(offset);
  if (end) rows = rows.where(isUpTo(order, end));
  return { total, rows, isComplete: (length) => !end || length === left };
}

/** The rows in an order. */
export function sorted<Tables, From extends keyof Tables, O>(
  rows: SelectQueryBuilder<Tables, From, O>,
  { columns, isAscending, isUnindexed, isByText }: Sorting,
): SelectQueryBuilder<Tables, From, O> {
  let all = rows;
  for (const [i, column] of columns.entries()) {
    // Also the id behind it: for its sake alone SQLite has walked an index of all rows.
    const unindexed = i > 0 || isByText ? unindexedText : unindexedNumber;
    all = all.orderBy(isUnindexed ? unindexed(sql.ref<never>(column)) : sql.ref(column), isAscending ? 'asc' : 'desc');
  }
  return all;
}

/** The values of a row that order a list. */
export type Place = readonly (string | number)[];

/**
 * The place of the last row that a read of `maxRows` rows reaches; undefined if the list ends before. An index must contain the rows in the
 * order of the list.
 */
export async function endOfWalk<Tables, From extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, From, object>,
  order: Sorting,
  maxRows: number,
): Promise<Place | undefined> {
  if (!Number.isFinite(maxRows)) return undefined;
  const places = rows.select(order.columns.map((column, i) => sql.ref<string | number>(column).as(`place_${i}`)));
  const end = await sorted(places, order)
    .limit(1)
    .offset(maxRows - 1)
    .executeTakeFirst();
  return end && Object.values(end as Record<string, string | number>);
}

/** The condition that a row is at or before a place. */
export function isUpTo({ columns, isAscending }: Sorting, place: Place) {
  return compared(columns, isAscending ? sql`<=` : sql`>=`, place);
}

/** The condition that a row is after a place. */
function isBehind({ columns, isAscending }: Sorting, place: Place) {
  return compared(columns, isAscending ? sql`>` : sql`<`, place);
}

function compared(columns: readonly string[], operator: RawBuilder<unknown>, place: Place): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) ${operator} (${sql.join(place)})`;
}
