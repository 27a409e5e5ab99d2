import { type RawBuilder, sql } from 'kysely';
import { listCounts } from '../../resources/counts.ts';
import { countByStatus, type PublishingStatus, publishingStatuses } from '../../resources/publishing.ts';
import type { Db } from '../../storage/storage.ts';
import { countsOfFacets, type Facet } from '../facets.ts';
import type { Filters, Match } from './matches.ts';
import { isMetadata, placesOf } from './places.ts';
import { conditions, keep, type Listed, listOf, type Reading, recall, type Wanted } from './reading.ts';
import { nameOf } from './remembered.ts';

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
  const counts = await countsOfMatches(reading, matches);
  for (const match of matches) {
    if (best.n === 0) break;
    const n = await sizeOf(reading, match, counts, Math.min(best.n, maxRows), listed);
    if (n !== undefined && n < best.n) best = { match, n };
  }
  return best;
}

/** How many products a filter leads to; undefined if more than `most`, or if that cannot be told here. */
export async function sizeOf(
  reading: Reading,
  { lead, facets, indexed }: Match,
  counts: (facet: readonly [string, string]) => number,
  most: number,
  listed: number,
): Promise<number | undefined> {
  if (facets) return sizeOfFacets(reading, facets, counts, most);
  const { ctx, db, maxRows } = reading;
  if (lead === 'inStock') {
    const byStatus = await listCounts(db, ctx.store.id, 'products.inStock', [...publishingStatuses]);
    return [...byStatus.values()].reduce((sum, n) => sum + n, 0);
  }
  if (lead !== 'words') return countUpTo(db, ctx.store.id, indexed, most);
  // The time to find words depends on the texts of all products.
  if (listed > maxRows) return undefined;
  return countUpTo(db, ctx.store.id, indexed, most);
}

/** The kept counts of the facets that matches name. Metadata has none, because each product can have a value of its own. */
export function countsOfMatches({ ctx, db }: Reading, matches: readonly Match[]): Promise<(facet: Facet) => number> {
  const named = matches.flatMap(({ facets = [] }) => facets);
  return countsOfFacets(
    db,
    ctx.store.id,
    named.filter((facet) => !isMetadata(facet)),
  );
}

/** How many products are listed under facets of one name; undefined if that has to be counted and is more than `most`. */
export async function sizeOfFacets(
  reading: Reading,
  facets: readonly Facet[],
  counts: (facet: Facet) => number,
  most: number,
): Promise<number | undefined> {
  const [first] = facets;
  if (first && isMetadata(first)) return sizeOfMetadata(reading, first, most);
  return facets.reduce((sum, facet) => sum + counts(facet), 0);
}

/** How many products have a value of metadata, counted by the index and remembered; undefined if more than `most`. */
async function sizeOfMetadata(reading: Reading, facet: Facet, most: number): Promise<number | undefined> {
  const { ctx, db } = reading;
  const storeId = ctx.store.id;
  const name = nameOf('metadata', storeId, facet);
  const kept = recall(reading, name)?.count;
  if (kept !== undefined) return kept;
  const [label, value] = facet;
  const { table, isNamed } = placesOf(label);
  const n = await firstRows(
    db,
    sql`from ${sql.table(table)} where store_id = ${storeId} and ${isNamed} and value = ${value}`,
    most,
  );
  if (n !== undefined) keep(reading, name, { count: n });
  return n;
}

export async function countUpTo(
  db: Db,
  storeId: string,
  condition: Match['indexed'],
  most: number,
): Promise<number | undefined> {
  return firstRows(db, sql`from products as p where p.store_id = ${storeId} and ${condition}`, most);
}

async function firstRows(db: Db, from: RawBuilder<unknown>, most: number): Promise<number | undefined> {
  const limit = Number.isFinite(most) ? sql`limit ${most + 1}` : sql``;
  const { rows } = await sql<{ n: number }>`select count(*) as n from (select 1 ${from} ${limit}) as first`.execute(db);
  const n = Number(rows[0]?.n ?? 0);
  return n > most ? undefined : n;
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

export async function totalOf(
  reading: Reading,
  { wanted, matches, others }: Listed,
  lead: Match | undefined,
  isAllowed = !Number.isFinite(reading.maxRows),
): Promise<{ total: number; count: number } | undefined> {
  const { ctx, db, held } = reading;
  const { filters, isGrouped, without } = wanted;
  if (without) {
    const { without: _, ...whole } = wanted;
    const counted = await totalOf(reading, listOf(reading, whole), lead, isAllowed);
    return counted && { total: counted.total - without.entries, count: counted.count - without.ids.length };
  }
  // Sorts of the same list share its total.
  const name = nameOf('total', ctx.store.id, filters, isGrouped, without, filters.inStock && held);
  const kept = recall(reading, name);
  if (kept?.total !== undefined && kept.count !== undefined) return { total: kept.total, count: kept.count };
  const known = isGrouped || others.length > 0 ? undefined : await knownTotal(reading, filters, matches);
  if (known !== undefined) return { total: known, count: known };
  if (!isAllowed) return undefined;
  if (isGrouped && matches.length === 0 && others.length === 0 && filters.status) {
    const result = await countGroups(reading, filters.status);
    keep(reading, name, result);
    return result;
  }
  const [only, ...more] = matches;
  if (only?.numbers && more.length === 0 && others.length === 0 && !isGrouped && !filters.status) {
    // Looking at each product would take eight times as long.
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${only.numbers} as found`.execute(db);
    const n = Number(rows[0]?.n ?? 0);
    keep(reading, name, { total: n, count: n });
    return { total: n, count: n };
  }
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

/** The groups of a status: the index has them in order, so that none is remembered to be counted once. */
export async function countGroups(
  { ctx, db }: Reading,
  status: PublishingStatus,
): Promise<{ total: number; count: number }> {
  const of = sql`from products where store_id = ${ctx.store.id} and status = ${status}`;
  const { rows } = await sql<{ groups: number; alone: number }>`
    select (select count(*) from (select distinct variant_group_id ${of} and variant_group_id is not null) as named) as groups,
      (select count(*) ${of} and variant_group_id is null) as alone`.execute(db);
  const [counted] = rows;
  const count = await countByStatus(db, ctx.store.id, 'products.status', status);
  return { total: Number(counted?.groups ?? 0) + Number(counted?.alone ?? 0), count };
}

/**
 * The total of a list that counts tell: of one value of one facet, of all products or the published ones, or of one value of metadata, of
 * all products.
 */
export async function knownTotal(
  reading: Reading,
  { status }: Filters,
  matches: readonly Match[],
): Promise<number | undefined> {
  const { ctx, db } = reading;
  const [only, ...more] = matches;
  if (!only) return countByStatus(db, ctx.store.id, 'products.status', status);
  const [facet, ...others] = only.facets ?? [];
  if (more.length > 0 || !facet || others.length > 0 || (status !== undefined && status !== 'published'))
    return undefined;
  if (isMetadata(facet)) return status ? undefined : sizeOfMetadata(reading, facet, reading.maxRows);
  const list = status === 'published' ? 'products.publishedFacets' : 'products.facets';
  return (await countsOfFacets(db, ctx.store.id, [facet], list))(facet);
}
