import { type SqlBool, sql } from 'kysely';
import type { Context } from '../../engine/context.ts';
import { countByStatus } from '../../resources/publishing.ts';
import { bestSellers } from '../best-sellers.ts';
import { all, checkedStatus, type Match, matchesOf } from './matches.ts';
import { firstProducts, type IndexedSort, inOrderOfFetched, isBehind, precedes, type Walk } from './order.ts';
import { conditions, isOutside, keep, type Listed, listOf, type Reading, recall, type Wanted } from './reading.ts';
import { byRelevance } from './relevance.ts';
import { type Entry, memoryOf, nameOf } from './remembered.ts';
import { countsOfMatches, fewest, sizeOfFacets, totalOf } from './sizes.ts';

// A list is found in one of three ways, whichever reads least:
// - the products of its rarest filter are fetched and sorted, if they are few; a process remembers their order;
// - the list is walked in its order and each product is checked until the page is full, if many match;
// - without filters, the index of the order has the page.
// What reads more than `maxRows` products leaves the serving thread, and is remembered as well.

/** A page of a list. */
export interface Found {
  ids: readonly string[];
  /** Of all matches, or of their groups. */
  total: number;
}

/** The page of a list. Undefined if it reads more than `maxRows` products. */
export async function find(reading: Reading, wanted: Wanted): Promise<Found | undefined> {
  if (wanted.sort === 'bestselling') return findBestselling(reading, wanted);
  const list = listOf(reading, wanted);
  const { limit, offset, start } = wanted;
  if (list.matches.length === 0 && !wanted.isGrouped && wanted.sort !== 'relevance') {
    const left = wanted.without?.ids.length ?? 0;
    const listed = await countByStatus(reading.db, reading.ctx.store.id, 'products.status', wanted.filters.status);
    const total = listed - left;
    if (!start && offset >= total) return { ids: [], total };
    const n = offset + limit + left;
    return n > reading.maxRows + left ? undefined : { ids: await walked(reading, list, n), total };
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
    // For each product of a group, its other variants are looked at.
    const most = isGrouped ? Math.ceil(maxRows / 10) : maxRows;
    if (spread > most) return undefined;
    const ids = await walked(reading, list, most, source.facets);
    return ids.length === wanted || source.n <= most ? ids : undefined;
  }
  for (let n = Math.max(1000, Math.ceil(spread * 2)); ; n *= 8) {
    const ids = await walked(reading, list, Math.min(n, source.n), source.facets);
    if (ids.length === wanted || n >= source.n) return ids;
  }
}

const maxWalks = 50;

/** The shortest list that has the matches in order: of all products, or of a facet. */
async function shortestWalk(
  reading: Reading,
  { wanted, matches }: Listed,
): Promise<{ n: number; facets?: Match['facets'] }> {
  const { filters, sort } = wanted;
  const n = await countByStatus(reading.db, reading.ctx.store.id, 'products.status', filters.status);
  let shortest: { n: number; facets?: Match['facets'] } = { n };
  if (sort !== 'newest' && sort !== 'oldest') return shortest;
  const counts = await countsOfMatches(reading, matches);
  for (const { facets } of matches) {
    // Each value is a walk of its own, which are merged.
    if (!facets || facets.length > maxWalks) continue;
    const size = await sizeOfFacets(reading, facets, counts, reading.maxRows);
    if (size !== undefined && size < shortest.n) shortest = { facets, n: size };
  }
  return shortest;
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
    entries: ahead.length,
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
