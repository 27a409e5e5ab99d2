import { type RawBuilder, sql } from 'kysely';
import { invalid, quote } from '../../kernel/errors.ts';
import { maxFacets } from '../../kernel/limits.ts';
import { formatMoney } from '../../kernel/money.ts';
import { listCounts } from '../../resources/counts.ts';
import { type PublishingStatus, publishingStatuses } from '../../resources/publishing.ts';
import { keptValues } from '../facets.ts';
import { type Facets, maxValues, type ValueCount } from './answer.ts';
import { all, checkedStatus, type Filters, matchesOf, ofStatus } from './matches.ts';
import { attributePrefix, ownFacets } from './query.ts';
import type { Reading, Wanted } from './reading.ts';
import { memoryOf, nameOf } from './remembered.ts';
import { countList, fewest } from './sizes.ts';

/** Products that a facet counts. */
const maxCounted = 20_000;

type OwnFacet = (typeof ownFacets)[number];

const isOwn = (name: string): name is OwnFacet => (ownFacets as readonly string[]).includes(name);

/** The attribute that a name of a facet names; undefined for other facets. @throws CommerceError `validation` for an empty name */
function attributeOf(name: string): string | undefined {
  if (isOwn(name)) return undefined;
  const attribute = name.startsWith(attributePrefix) ? name.slice(attributePrefix.length) : name;
  if (attribute === '') throw invalid('facets', `must be names, not ${quote(name)}`, { code: 'REQUIRED' });
  return attribute;
}

/** The filters without those of the facet itself. */
function withoutOwn(filters: Filters, name: string): Filters {
  switch (name) {
    case 'price':
      return { ...filters, minPrice: undefined, maxPrice: undefined };
    case 'category':
      return { ...filters, categoryIds: undefined };
    case 'inStock':
      return { ...filters, inStock: undefined };
    default: {
      const attributes = { ...filters.attributes };
      delete attributes[attributeOf(name) ?? ''];
      return { ...filters, attributes };
    }
  }
}

/** Counts the values of facets. Undefined if that reads more than `maxRows` products. */
export async function countFacets(
  reading: Reading,
  wanted: Wanted,
  names: readonly string[],
): Promise<Facets | undefined> {
  const facets: Facets = { attributes: {} };
  for (const name of names) {
    const filters = withoutOwn(wanted.filters, name);
    const counted = await countFacet(reading, { ...wanted, filters }, name);
    if (counted === undefined) return undefined;
    const attribute = attributeOf(name);
    if (attribute !== undefined) {
      // An attribute with this name would otherwise set the prototype.
      Object.defineProperty(facets.attributes, attribute, {
        value: counted.value,
        enumerable: true,
        configurable: true,
      });
    } else if (name === 'category') facets.categories = counted.value as NonNullable<Facets['categories']>;
    else if (name === 'price') facets.price = counted.value as NonNullable<Facets['price']>;
    else facets.inStock = counted.value as NonNullable<Facets['inStock']>;
  }
  return facets;
}

async function countFacet(reading: Reading, wanted: Wanted, name: string): Promise<{ value: unknown } | undefined> {
  const { ctx, version, held } = reading;
  const { filters, isGrouped } = wanted;
  const needsHeld = filters.inStock || name === 'inStock';
  const key = nameOf('facet', ctx.store.id, name, filters, isGrouped, ctx.actor.isPublic === true, needsHeld && held);
  const kept = ctx.engine.unit ? undefined : memoryOf(ctx.engine).get(key, version);
  if (kept) return { value: kept.facet };
  const list: Wanted = { ...wanted, sort: 'newest', isGrouped: false, start: undefined };
  const size = await countList(reading, list);
  if (!size) return undefined;
  const isPlain = matchesOf(ctx, filters, 'p').length === 0;
  // Each product is read once for every facet.
  if (size.count > Math.min(reading.maxRows / maxFacets, maxCounted)) {
    if (isPlain && !isGrouped) {
      const told = await keptFacet(reading, filters.status, name);
      if (told !== undefined) return { value: told };
    }
    if (size.count > maxCounted) return { value: null };
    return undefined;
  }
  const value = await countValues(reading, filters, name, isGrouped);
  if (!ctx.engine.unit) memoryOf(ctx.engine).set(key, version, { facet: value });
  return { value };
}

/** A facet of all products or of those of a status, as far as the kept counts and indexes tell it. */
async function keptFacet(reading: Reading, status: PublishingStatus | undefined, name: string): Promise<unknown> {
  const { ctx, db, held } = reading;
  const storeId = ctx.store.id;
  if (name === 'price') {
    const ends = (status ? [status] : publishingStatuses).flatMap((one) =>
      ['asc', 'desc'].map(
        (order) => sql`select * from (select price from products as p where p.store_id = ${storeId}
          and p.status = ${one} order by price ${sql.raw(order)}, id desc limit 1) as ${sql.raw(`${one}_${order}`)}`,
      ),
    );
    const { rows } = await sql<{ min: number | null; max: number | null }>`
      select min(price) as min, max(price) as max from (${sql.join(ends, sql` union all `)}) as ends`.execute(db);
    return priceOf(ctx.store.decimals, rows[0]);
  }
  if (name === 'inStock') {
    const counts = await listCounts(db, storeId, 'products.inStock', status ? [status] : [...publishingStatuses]);
    const sum = [...counts.values()].reduce((all, n) => all + n, 0);
    const ofStatusOnly = held.length === 0 ? 0 : await countHeld(reading, status);
    return { count: sum - ofStatusOnly };
  }
  if (status !== undefined && status !== 'published') return undefined;
  if (name === 'category') {
    const { rows } = await sql`select 1 from categories where store_id = ${storeId} and status <> 'deleted'
      and parent_id is not null limit 1`.execute(db);
    // A product can be in a category and in its subcategory, so the counts of both do not tell the root's.
    if (rows.length > 0) return undefined;
    const values = await keptValues(db, storeId, 'category', status);
    const seen = ctx.actor.isPublic ? await publishedAmong(reading, values) : values;
    return ranked(
      seen.map(({ value, count }) => ({ id: value, count })),
      ({ id }) => id,
    );
  }
  const values = await keptValues(db, storeId, attributePrefix + attributeOf(name), status);
  return ranked(values, ({ value }) => value);
}

async function countHeld({ ctx, db, held }: Reading, status: PublishingStatus | undefined): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from products as p where p.store_id = ${ctx.store.id}
    and p.id in (${sql.join(held)}) and ${checkedStatus(status, 'p')}`.execute(db);
  return Number(rows[0]?.n ?? 0);
}

async function publishedAmong({ ctx, db }: Reading, values: readonly ValueCount[]): Promise<ValueCount[]> {
  const { rows } = await sql<{ id: string }>`select id from categories where store_id = ${ctx.store.id}
    and status = 'published'`.execute(db);
  const ids = new Set(rows.map(({ id }) => id));
  return values.filter(({ value }) => ids.has(value));
}

/** By count, then text. */
function ranked<T extends { count: number }>(values: readonly T[], textOf: (one: T) => string): T[] {
  return values
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (textOf(a) < textOf(b) ? -1 : 1))
    .slice(0, maxValues);
}

function priceOf(decimals: number, row: { min: number | null; max: number | null } | undefined) {
  const text = (minor: number | null | undefined) =>
    minor === null || minor === undefined ? null : formatMoney(BigInt(minor), decimals);
  return { min: text(row?.min), max: text(row?.max) };
}

/** Counts a facet by reading its products. */
async function countValues(reading: Reading, filters: Filters, name: string, isGrouped: boolean): Promise<unknown> {
  const { ctx, db } = reading;
  const matches = matchesOf(ctx, filters, 'p');
  const { match: lead } = await fewest(reading, { matches, wanted: { filters } });
  const conditions = all([
    lead ? checkedStatus(filters.status, 'p') : ofStatus(filters.status, 'p'),
    ...matches.map((match) => (match === lead ? match.indexed : match.checked)),
  ]);
  const among = sql`p.store_id = ${ctx.store.id} and ${conditions}`;
  const n = isGrouped
    ? sql`count(distinct p.variant_group_id) + count(distinct case when p.variant_group_id is null then p.id end)`
    : sql`count(distinct p.id)`;
  if (name === 'price') {
    const { rows } = await sql<{ min: number | null; max: number | null }>`
      select min(p.price) as min, max(p.price) as max from products as p where ${among}`.execute(db);
    return priceOf(ctx.store.decimals, rows[0]);
  }
  if (name === 'inStock') {
    const [condition] = matchesOf(ctx, { ...noFilters, inStock: true }, 'p');
    const { rows } = await sql<{ n: number }>`
      select ${n} as n from products as p where ${among} and ${condition?.checked ?? sql`1 = 1`}`.execute(db);
    return { count: Number(rows[0]?.n ?? 0) };
  }
  if (name === 'category') return countCategories(reading, among, n);
  const entries = ctx.engine.storage.entriesOf(sql.ref<string>('p.json'), 'attributes', 'object');
  const { rows } = await sql<{ value: string; n: number }>`
    select entry.value as value, ${n} as n from products as p, ${entries}
    where ${among} and entry.key = ${attributeOf(name)} group by entry.value`.execute(db);
  return ranked(
    rows.map((row) => ({ value: row.value, count: Number(row.n) })),
    ({ value }) => value,
  );
}

const noFilters: Filters = { words: [], attributes: {} };

/** Counts each category, and each root with its subcategories. */
async function countCategories({ ctx, db }: Reading, among: RawBuilder<unknown>, n: RawBuilder<unknown>) {
  const { isPublic } = ctx.actor;
  const seen = (alias: string) =>
    isPublic ? sql`${sql.ref(`${alias}.status`)} = 'published'` : sql`${sql.ref(`${alias}.status`)} <> 'deleted'`;
  const entries = ctx.engine.storage.entriesOf(sql.ref<string>('p.json'), 'categoryIds', 'array');
  const { rows } = await sql<{ id: string; n: number }>`
    select f.id as id, ${n} as n from products as p, ${entries}
    join categories as c on c.store_id = ${ctx.store.id} and c.id = entry.value and ${seen('c')}
    join categories as f on f.store_id = ${ctx.store.id} and f.id in (c.id, c.parent_id) and ${seen('f')}
    where ${among} group by f.id`.execute(db);
  return ranked(
    rows.map((row) => ({ id: row.id, count: Number(row.n) })),
    ({ id }) => id,
  );
}
