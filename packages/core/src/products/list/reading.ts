import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Context, lastsUntil } from '../../engine/context.ts';
import { listCounts } from '../../resources/counts.ts';
import type { Db } from '../../storage/storage.ts';
import { heldProducts, nextRelease } from './held.ts';
import { all, checkedStatus, type Filters, type Match, matchesOf, ofStatus } from './matches.ts';
import type { Place } from './order.ts';
import type { ProductSort } from './query.ts';
import { maxEntries, memoryOf, nameOf, type Remembered } from './remembered.ts';

/** A list of products: filters, order and window. */
export interface Wanted {
  filters: Filters;
  sort: ProductSort;
  /** The searched text, for `relevance`. */
  text: string;
  /** One product of each variant group. */
  isGrouped: boolean;
  limit: number;
  offset: number;
  /** The product before the first one of the page. */
  start: Place | undefined;
  /** Matches that the list leaves out, the groups that they are in, and how many entries of the list they are. */
  without?: { ids: readonly string[]; groups: readonly string[]; entries: number };
}

/** What finding a list needs to know of the store. */
export interface Reading {
  ctx: Context;
  db: Db;
  maxRows: number;
  /** Matches that are fetched and kept in order at most. */
  maxEntries: number;
  /** Of the store's lists; anything remembered of another version is out of date. */
  version: number;
  /** Products that cannot be bought only because orders hold every piece. Read only for lists of what can be bought. */
  held: readonly string[];
}

export async function openReading(ctx: Context, db: Db, maxRows: number, needsHeld: boolean): Promise<Reading> {
  const version = (await listCounts(db, ctx.store.id, 'products.version')).get('') ?? 0;
  const now = ctx.engine.clock.now();
  const held = needsHeld ? await heldProducts(db, ctx.store.id, now) : [];
  const release = needsHeld && ctx.lasting ? await nextRelease(db, ctx.store.id, now) : undefined;
  if (release !== undefined) lastsUntil(ctx, release);
  return { ctx, db, maxRows, maxEntries, version, held };
}

/** A list with its conditions, under the alias `p`. */
export interface Listed {
  wanted: Wanted;
  matches: readonly Match[];
  /** Conditions that lead to no product. */
  others: readonly RawBuilder<SqlBool>[];
  name: string;
}

export function listOf({ ctx, held }: Reading, wanted: Wanted): Listed {
  const { filters, sort, isGrouped, without, text } = wanted;
  return {
    wanted,
    matches: matchesOf(ctx, filters, 'p'),
    others: without ? [isOutside(without, 'p')] : [],
    name: nameOf(
      ctx.store.id,
      filters,
      sort,
      sort === 'relevance' && text,
      isGrouped,
      without,
      filters.inStock && held,
    ),
  };
}

export function isOutside({ ids, groups }: NonNullable<Wanted['without']>, alias: string): RawBuilder<SqlBool> {
  const product = (column: string) => sql.ref(`${alias}.${column}`);
  const noId = ids.length > 0 ? sql<SqlBool>`${product('id')} not in (${sql.join(ids)})` : sql<SqlBool>`1 = 1`;
  if (groups.length === 0) return noId;
  return sql<SqlBool>`(${noId} and (${product('variant_group_id')} is null or ${product('variant_group_id')} not in (${sql.join(groups)})))`;
}

export function recall({ ctx, version }: Reading, name: string) {
  // In a transaction of several operations, the version is from before the transaction, but the rows are not.
  return ctx.engine.unit ? undefined : memoryOf(ctx.engine).get(name, version);
}

export function keep({ ctx, version }: Reading, name: string, value: Remembered): void {
  if (!ctx.engine.unit) memoryOf(ctx.engine).set(name, version, value);
}

/** The conditions of a list, of which one leads. */
export function conditions(
  { filters }: Pick<Wanted, 'filters'>,
  matches: readonly Match[],
  others: readonly RawBuilder<SqlBool>[],
  lead: Match | undefined,
): RawBuilder<unknown> {
  const status = lead ? checkedStatus(filters.status, 'p') : ofStatus(filters.status, 'p');
  const each = matches.map((match) => (match === lead ? match.indexed : match.checked));
  return all([status, ...each, ...others]);
}
