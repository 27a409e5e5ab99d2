import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../storage/storage.ts';

/**
 * Number of rows that a query matches; undefined where they are more than `maxRows`, beyond which none is looked at. An index has to
 * lead to the matches, or the rows that do not match are looked at too.
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

/** Rows of a list by their filters. */
export interface Filtered<Rows> {
  /** Rows to which an index leads, in the order of the list. */
  among: Rows;
  /** How many these are, where that is known. */
  count?: number | undefined;
  /** Those of them that the other filters match too; the same query where there is no other filter. */
  matches: Rows;
  /** How many match, where that is known. */
  total?: number | undefined;
}

/** Part of a list, and how much of it is there. */
export interface Window {
  limit: number;
  offset: number;
}

/** A page that looks at no more rows than it may. */
interface BoundedPage<Rows> {
  total: number;
  /** In the order of the list. */
  rows: Rows;
  /** Whether a page of so many items is all of it: matches may lie farther apart than could be looked for them. */
  isComplete(length: number): boolean;
}

/**
 * A page of a list, from the largest values of its columns down; undefined where more than `maxRows` rows would have to be looked at.
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

/** The values of a row that a list is ordered by. */
export type Place = readonly (string | number)[];

/**
 * The place where a walk down a list ends that looks at `maxRows` rows; undefined where the list ends before. An index has to have the
 * rows in the order of the list.
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

/** The condition that a row does not come behind a place. */
export function isUpTo(columns: readonly string[], place: Place) {
  return sql<boolean>`(${sql.join(columns.map((column) => sql.ref(column)))}) >= (${sql.join(place)})`;
}
