import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../../engine/context.ts';
import { listCounts } from '../../resources/counts.ts';
import { countByStatus, publishingStatuses } from '../../resources/publishing.ts';
import type { Db } from '../../storage/storage.ts';
import { bestSellers } from '../best-sellers.ts';
import { countsOfFacets } from '../facets.ts';
import { heldProducts } from './held.ts';
import { all, checkedStatus, type Filters, type Match, matchesOf, ofStatus } from './matches.ts';
import {
  firstProducts,
  type IndexedSort,
  inOrderOfFetched,
  isBehind,
  type Place,
  precedes,
  type Walk,
} from './order.ts';
import type { ProductSort } from './query.ts';
import { byRelevance } from './relevance.ts';
import { type Entry, maxEntries, memoryOf, nameOf } from './remembered.ts';

// A list is found in one of three ways, whichever reads least:
// - the products of its rarest filter are fetched and sorted, if they are few; a process remembers their order;
// - the list is walked in its order and each product is checked until the page is full, if many match;
// - without filters, the index of the order has the page.
// What reads more than `maxRows` products leaves the serving thread, and is remembered as well.

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
  /** Products that the list leaves out, and the groups that they are in. */
  without?: { ids: readonly string[]; groups: readonly string[] };
}

/** A page of a list. */
export interface Found {
  ids: readonly string[];
  /** Of all matches, or of their groups. */
  total: number;
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
  const held = needsHeld ? await heldProducts(db, ctx.store.id, ctx.engine.clock.now()) : [];
  return { ctx, db, maxRows, maxEntries, version, held };
}

/** The page of a list. Undefined if it reads more than `maxRows` products. */
export async function find(reading: Reading, wanted: Wanted): Promise<Found | undefined> {
  if (wanted.sort === 'bestselling') return findBestselling(reading, wanted);
  const list = listOf(reading, wanted);
  const { limit, offset, start } = wanted;
  if (list.matches.length === 0 && !wanted.isGrouped && wanted.sort !== 'relevance') {
    const total = await countByStatus(reading.db, reading.ctx.store.id, 'products.status', wanted.filters.status);
    if (!start && offset >= total) return { ids: [], total };
    return offset + limit > reading.maxRows ? undefined : { ids: await walked(reading, list, offset + limit), total };
  }
  const memory = memoryOf(reading.ctx.engine);
  const remembered = recall(reading, list.name);
  if (remembered?.entries) {
    const page = pageOf(remembered.entries, remembered.total ?? 0, wanted);
    if (page) return page;
  }
  const few = await fewest(reading, list);
  const mostFetched = Math.min(reading.maxRows, reading.maxEntries);
  if (few.n <= mostFetched) {
    const entries = await fetched(reading, list, few.match, { limit: mostFetched, offset: 0 });
    const total = wanted.isGrouped ? groupsOf(entries).length : entries.length;
    keep(reading, list.name, { entries, total, count: entries.length });
    return pageOf(entries, total, wanted) ?? behindDeleted(reading, list, few.match, entries, total);
  }
  const pageName = nameOf(list.name, limit, offset, start?.id);
  const page = memory.get(pageName, reading.version);
  if (page?.page && !reading.ctx.engine.unit) return { ids: page.page, total: page.total ?? 0 };
  const counted = await totalOf(reading, list, few.match);
  if (!counted) return undefined;
  const { total, count } = counted;
  if (!start && offset >= total) return { ids: [], total };
  const found = await findAmongMany(reading, list, few.match, total, count);
  if (found && !Number.isFinite(reading.maxRows)) keep(reading, pageName, { page: found, total });
  return found && { ids: found, total };
}

/** A list with its conditions, under the alias `p`. */
interface Listed {
  wanted: Wanted;
  matches: readonly Match[];
  /** Conditions that lead to no product. */
  others: readonly RawBuilder<SqlBool>[];
  name: string;
}

function listOf({ ctx, held }: Reading, wanted: Wanted): Listed {
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

function isOutside({ ids, groups }: NonNullable<Wanted['without']>, alias: string): RawBuilder<SqlBool> {
  const product = (column: string) => sql.ref(`${alias}.${column}`);
  const noId = ids.length > 0 ? sql<SqlBool>`${product('id')} not in (${sql.join(ids)})` : sql<SqlBool>`1 = 1`;
  if (groups.length === 0) return noId;
  return sql<SqlBool>`(${noId} and (${product('variant_group_id')} is null or ${product('variant_group_id')} not in (${sql.join(groups)})))`;
}

function recall({ ctx, version }: Reading, name: string) {
  // In a transaction of several operations, the version is from before the transaction, but the rows are not.
  return ctx.engine.unit ? undefined : memoryOf(ctx.engine).get(name, version);
}

function keep({ ctx, version }: Reading, name: string, value: Parameters<ReturnType<typeof memoryOf>['set']>[2]): void {
  if (!ctx.engine.unit) memoryOf(ctx.engine).set(name, version, value);
}

/** The first entry of each group. */
function groupsOf(entries: readonly Entry[]): readonly Entry[] {
  const seen = new Set<string>();
  return entries.filter(({ group }) => group === null || (!seen.has(group) && seen.add(group)));
}

/** The page among remembered entries; undefined if they do not tell it. */
function pageOf(entries: readonly Entry[], total: number, { isGrouped, limit, offset, start }: Wanted) {
  const listed = isGrouped ? groupsOf(entries) : entries;
  const after = start ? listed.findIndex(({ id }) => id === start.id) : -1;
  if (start && after === -1) return undefined;
  const from = after + 1 + offset;
  if (from + limit > listed.length && listed.length < total) return undefined;
  return { ids: listed.slice(from, from + limit).map(({ id }) => id), total };
}

/** The page after a product that is no longer in the list. */
async function behindDeleted(
  reading: Reading,
  list: Listed,
  lead: Match | undefined,
  entries: readonly Entry[],
  total: number,
): Promise<Found | undefined> {
  const { start, sort, limit, offset } = list.wanted;
  if (!start || sort === 'relevance' || sort === 'bestselling') return undefined;
  const behind = { ...list, others: [...list.others, isBehind(sort, start, 'p')] };
  const rest = await fetched(reading, behind, lead, { limit, offset });
  return { ids: rest.map(({ id }) => id), total: Math.max(total, entries.length) };
}

/** The filter with the fewest products, as far as that can be told within `maxRows`. */
export async function fewest(
  reading: Reading,
  { matches, wanted }: { matches: readonly Match[]; wanted: Pick<Wanted, 'filters'> },
): Promise<{ match: Match | undefined; n: number }> {
  const { ctx, db, maxRows } = reading;
  const storeId = ctx.store.id;
  const listed = await countByStatus(db, storeId, 'products.status', wanted.filters.status);
  let best: { match: Match | undefined; n: number } = { match: undefined, n: listed };
  if (listed <= Math.min(maxRows, reading.maxEntries) && matches.every(({ lead }) => lead !== 'words')) return best;
  const counts = await countsOfFacets(
    db,
    storeId,
    matches.flatMap(({ facets = [] }) => facets),
  );
  for (const match of matches) {
    if (best.n === 0) break;
    const n = await sizeOf(reading, match, counts, Math.min(best.n, maxRows), listed);
    if (n !== undefined && n < best.n) best = { match, n };
  }
  return best;
}

/** How many products a filter leads to; undefined if more than `most`, or if that cannot be told here. */
async function sizeOf(
  { ctx, db, maxRows }: Reading,
  { lead, facets, indexed }: Match,
  counts: (facet: readonly [string, string]) => number,
  most: number,
  listed: number,
): Promise<number | undefined> {
  if (facets) return facets.reduce((sum, facet) => sum + counts(facet), 0);
  if (lead === 'inStock') {
    const byStatus = await listCounts(db, ctx.store.id, 'products.inStock', [...publishingStatuses]);
    return [...byStatus.values()].reduce((sum, n) => sum + n, 0);
  }
  if (lead !== 'words') return countUpTo(db, ctx.store.id, indexed, most);
  // The time to find words depends on the texts of all products.
  if (listed > maxRows) return undefined;
  return countUpTo(db, ctx.store.id, indexed, most);
}

async function countUpTo(
  db: Db,
  storeId: string,
  condition: Match['indexed'],
  most: number,
): Promise<number | undefined> {
  const limit = Number.isFinite(most) ? sql`limit ${most + 1}` : sql``;
  const { rows } = await sql<{ n: number }>`select count(*) as n from (
    select 1 from products as p where p.store_id = ${storeId} and ${condition} ${limit}) as first`.execute(db);
  const n = Number(rows[0]?.n ?? 0);
  return n > most ? undefined : n;
}

/** The matches of a list that an index leads to by one of its filters, in order. */
async function fetched(
  { ctx, db, maxEntries }: Reading,
  { wanted, matches, others }: Listed,
  lead: Match | undefined,
  { limit, offset }: { limit: number; offset: number },
  total = 0,
): Promise<Entry[]> {
  const { filters, sort } = wanted;
  const order =
    sort === 'relevance'
      ? byRelevance(ctx, wanted.text, filters.words, 'p', total > maxEntries)
      : sort === 'bestselling'
        ? inOrderOfFetched('newest', 'p')
        : inOrderOfFetched(sort, 'p');
  const { rows } = await sql<Entry>`select p.id, p.variant_group_id as "group" from products as p
    where p.store_id = ${ctx.store.id} and ${conditions(wanted, matches, others, lead)}
    order by ${order} limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** The conditions of a list, of which one leads. */
function conditions(
  { filters }: Pick<Wanted, 'filters'>,
  matches: readonly Match[],
  others: readonly RawBuilder<SqlBool>[],
  lead: Match | undefined,
): RawBuilder<unknown> {
  const status = lead ? checkedStatus(filters.status, 'p') : ofStatus(filters.status, 'p');
  const each = matches.map((match) => (match === lead ? match.indexed : match.checked));
  return all([status, ...each, ...others]);
}

/** How many products and groups match; undefined if that would have to be counted and may not be here. */
export async function countList(
  reading: Reading,
  wanted: Wanted,
): Promise<{ total: number; count: number } | undefined> {
  const list = listOf(reading, wanted);
  const few = await fewest(reading, list);
  return totalOf(reading, list, few.match, few.n <= reading.maxRows);
}

async function totalOf(
  reading: Reading,
  { wanted, matches, others }: Listed,
  lead: Match | undefined,
  isAllowed = !Number.isFinite(reading.maxRows),
): Promise<{ total: number; count: number } | undefined> {
  const { ctx, db, held } = reading;
  const { filters, isGrouped, without } = wanted;
  // Sorts of the same list share its total.
  const name = nameOf('total', ctx.store.id, filters, isGrouped, without, filters.inStock && held);
  const kept = recall(reading, name);
  if (kept?.total !== undefined && kept.count !== undefined) return { total: kept.total, count: kept.count };
  const known = isGrouped || others.length > 0 ? undefined : await knownTotal(reading, filters, matches);
  if (known !== undefined) return { total: known, count: known };
  if (!isAllowed) return undefined;
  const groups = isGrouped
    ? sql`count(distinct p.variant_group_id) + count(case when p.variant_group_id is null then 1 end)`
    : sql`count(*)`;
  const { rows } = await sql<{ total: number; count: number }>`select ${groups} as total, count(*) as count
    from products as p where p.store_id = ${ctx.store.id} and ${conditions(wanted, matches, others, lead)}`.execute(db);
  const [counted] = rows;
  const result = { total: Number(counted?.total ?? 0), count: Number(counted?.count ?? 0) };
  keep(reading, name, result);
  return result;
}

/** The total of a list that the kept counts tell: of one value of one facet, of all products or the published ones. */
async function knownTotal(
  { ctx, db }: Reading,
  { status }: Filters,
  matches: readonly Match[],
): Promise<number | undefined> {
  const [only, ...more] = matches;
  if (!only) return countByStatus(db, ctx.store.id, 'products.status', status);
  const [facet, ...others] = only.facets ?? [];
  if (more.length > 0 || !facet || others.length > 0 || (status !== undefined && status !== 'published'))
    return undefined;
  const list = status === 'published' ? 'products.publishedFacets' : 'products.facets';
  return (await countsOfFacets(db, ctx.store.id, [facet], list))(facet);
}

/** A page of a list with many matches: it is walked, unless its order has no index. */
async function findAmongMany(
  reading: Reading,
  list: Listed,
  lead: Match | undefined,
  total: number,
  count: number,
): Promise<readonly string[] | undefined> {
  const { maxRows, maxEntries } = reading;
  const { limit, offset, start, sort, isGrouped } = list.wanted;
  const isScan = !Number.isFinite(maxRows);
  if (sort === 'relevance' || (isScan && count <= maxEntries)) {
    if (!isScan) return undefined;
    const entries = await fetched(reading, list, lead, { limit: maxEntries, offset: 0 }, count);
    keep(reading, list.name, { entries, total, count });
    const page = pageOf(entries, total, list.wanted);
    if (page) return page.ids;
    if (isGrouped)
      return groupsOf(await fetched(reading, list, lead, { limit: count, offset: 0 }, count))
        .slice(offset, offset + limit)
        .map(({ id }) => id);
    if (sort !== 'relevance') return (await behindDeleted(reading, list, lead, entries, total))?.ids;
    return (await fetched(reading, list, lead, { limit, offset }, count)).map(({ id }) => id);
  }
  const source = await shortestWalk(reading, list);
  const wanted = start ? limit : Math.min(limit, Math.max(0, total - offset));
  // The number of products to read until the page is full, if the matches are evenly spread.
  const spread = ((offset + limit) * source.n) / Math.max(total, 1);
  if (!isScan) {
    if (spread > maxRows) return undefined;
    const ids = await walked(reading, list, maxRows, source.facets);
    return ids.length === wanted || source.n <= maxRows ? ids : undefined;
  }
  for (let n = Math.max(1000, Math.ceil(spread * 2)); ; n *= 8) {
    const ids = await walked(reading, list, Math.min(n, source.n), source.facets);
    if (ids.length === wanted || n >= source.n) return ids;
  }
}

const maxWalks = 50;

/** The shortest list that has the matches in order: of all products, or of a facet. */
async function shortestWalk(
  { ctx, db }: Reading,
  { wanted, matches }: Listed,
): Promise<{ n: number; facets?: Match['facets'] }> {
  const { filters, sort } = wanted;
  const listed = { n: await countByStatus(db, ctx.store.id, 'products.status', filters.status) };
  if (sort !== 'newest' && sort !== 'oldest') return listed;
  const counts = await countsOfFacets(
    db,
    ctx.store.id,
    matches.flatMap(({ facets = [] }) => facets),
  );
  const walks = matches.flatMap(({ facets }) =>
    // Each value is a walk of its own, which are merged.
    facets && facets.length <= maxWalks ? [{ facets, n: facets.reduce((sum, facet) => sum + counts(facet), 0) }] : [],
  );
  return [listed, ...walks].sort((a, b) => a.n - b.n)[0] ?? listed;
}

/** The ids of the page among the first `n` products that are walked. */
async function walked(
  { ctx, db }: Reading,
  { wanted, matches, others }: Listed,
  n: number,
  facets?: Match['facets'],
): Promise<string[]> {
  const { filters, start, limit, offset, isGrouped } = wanted;
  const sort = wanted.sort as IndexedSort;
  const walk: Walk = { storeId: ctx.store.id, sort, status: filters.status, start, facets };
  const checked = [
    ...(facets ? [checkedStatus(filters.status, 'p')] : []),
    ...matches.map((match) => match.checked),
    ...others,
    ...(isGrouped ? [isFirstOfGroup(ctx, wanted, sort)] : []),
  ];
  // The rows keep the order of the walk: another `order by` would read all of them before the first.
  const { rows } = await sql<{ id: string }>`select p.id from (${firstProducts(walk, n)}) as p
    where ${all(checked)} limit ${limit} offset ${offset}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The condition that no other match of a product's group comes before it. */
function isFirstOfGroup(ctx: Context, { filters, without }: Wanted, sort: IndexedSort): Match['checked'] {
  const others = [
    checkedStatus(filters.status, 'o'),
    ...matchesOf(ctx, filters, 'o').map(({ checked }) => checked),
    ...(without ? [isOutside(without, 'o')] : []),
  ];
  return sql<SqlBool>`(p.variant_group_id is null or not exists (
    select 1 from products as o where o.store_id = ${ctx.store.id} and o.variant_group_id = p.variant_group_id
    and o.status <> 'deleted' and ${precedes(sort, 'o', 'p')} and ${all(others)}))`;
}

/** The best-selling products that match, then the others, newest first. */
async function findBestselling(reading: Reading, wanted: Wanted): Promise<Found | undefined> {
  const { ctx, db } = reading;
  const { limit, offset, isGrouped } = wanted;
  const best = await bestSellers(db, ctx.store.id);
  const newest: Wanted = { ...wanted, sort: 'newest' };
  const list = listOf(reading, newest);
  const entries = best.length === 0 ? [] : await amongBest(reading, list, best);
  const ahead = isGrouped ? groupsOf(entries) : entries;
  const without = {
    ids: entries.map(({ id }) => id),
    groups: isGrouped ? entries.flatMap(({ group }) => group ?? []) : [],
  };
  const first = ahead.slice(offset, offset + limit).map(({ id }) => id);
  const rest = await find(reading, {
    ...newest,
    ...(entries.length > 0 && { without }),
    limit: Math.max(1, limit - first.length),
    offset: Math.max(0, offset - ahead.length),
  });
  if (!rest) return undefined;
  return { ids: [...first, ...rest.ids.slice(0, limit - first.length)], total: ahead.length + rest.total };
}

/** The matches among the best-selling products, the best first. */
async function amongBest({ ctx, db }: Reading, { wanted, matches }: Listed, best: readonly string[]): Promise<Entry[]> {
  const conditionsOfBest = all([checkedStatus(wanted.filters.status, 'p'), ...matches.map(({ checked }) => checked)]);
  const { rows } = await sql<Entry>`select p.id, p.variant_group_id as "group" from products as p
    where p.store_id = ${ctx.store.id} and p.id in (${sql.join(best)}) and ${conditionsOfBest}`.execute(db);
  const rank = new Map(best.map((id, i) => [id, i]));
  return rows.sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0));
}
