import { type SelectQueryBuilder, sql } from 'kysely';
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

/** A page that reads a limited number of rows. */
interface BoundedPage<Rows> {
  total: number;
  /** In the order of the list. */
  rows: Rows;
  /** True if a page with this many items is complete. The read limit can end a page early if the matches are far apart. */
  isComplete(length: number): boolean;
}

/**
 * A page of a list, in descending order of its columns. Undefined if more than `maxRows` rows would have to be read.
 * @param columns order of the list
 */
export async function boundedPage<Tables, From extends keyof Tables>(
  db: Db,
  { among, matches, ...known }: Filtered<SelectQueryBuilder<Tables, From, object>>,
  { limit, offset }: Window,
  columns: readonly string[],
  maxRows: number,
): Promise<BoundedPage<SelectQueryBuilder<Tables, From, object>> | undefined> {
  const count = known.count ?? (await countUpTo(db, among, maxRows));
  if (count === undefined) return undefined;
  const isLong = count > maxRows;
  const isFiltered = among !== matches;
  let total = isFiltered ? known.total : count;
  if (total === undefined && !isLong) total = await countUpTo(db, matches, maxRows);
  if (total === undefined) return undefined;
  const left = Math.max(0, Math.min(limit, total - offset));
  if (isLong && left > 0 && offset + left > maxRows) return undefined;
  const end = isLong && isFiltered && left > 0 ? await endOfWalk(among, columns, maxRows) : undefined;
  let rows = matches.limit(left).offset(offset);
  for (const column of columns) rows = rows.orderBy(sql.ref(column), 'desc');
  if (!end) return { total, rows, isComplete: () => true };
  return { total, rows: rows.where(isUpTo(columns, end)), isComplete: (length) => length === left };
}

/** The values of a row that order a list. */
export type Place = readonly (string | number)[];

/**
 * The place of the last row that a read of `maxRows` rows reaches; undefined if the list ends before. An index must contain the rows in the
 * order of the list.
 */
export async function endOfWalk<Tables, From extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, From, object>,
  columns: readonly string[],
  maxRows: number,
): Promise<Place | undefined> {
  if (!Number.isFinite(maxRows)) return undefined;
  let walk = rows.select(columns.map((column, i) => sql.ref<string | number>(column).as(`place_${i}`)));
  for (const column of columns) walk = walk.orderBy(sql.ref(column), 'desc');
  const end = await walk
    .limit(1)
    .offset(maxRows - 1)
    .executeTakeFirst();
  return end && Object.values(end as Record<string, string | number>);
}

/** The condition that a row is at or before a place. */
export function isUpTo(columns: readonly string[], place: Place) {
  return sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) >= (${sql.join(place)})`;
}
