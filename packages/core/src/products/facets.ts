import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import * as z from 'zod';
import type { Context, TxContext } from '../engine/context.ts';
import { once } from '../fields/answers.ts';
import { breathe } from '../kernel/breathe.ts';
import { type Json, type List, toJson } from '../kernel/json.ts';
import { endOfWalk, isUpTo, type Sorting } from '../resources/bounded.ts';
import { listCounts, listCountsUpTo, pendingCounts } from '../resources/counts.ts';
import { readPage } from '../resources/list-json.ts';
import { preparedChange, preparedInsert } from '../storage/prepared.ts';
import type { Schema } from '../storage/schema.ts';
import type { Db } from '../storage/storage.ts';
import type { ProductFacetTable } from '../storage/tables/products.ts';
import { type Product, productEntity } from './fields.ts';
import { totalOf } from './totals.ts';

/** An attribute (`attr.<key>`) or a category by which a product is listed, with its value. */
export type Facet = readonly [facet: string, value: string];

const attributePrefix = 'attr.';

export function attributeFacets(attributes: Readonly<Record<string, string>>): Facet[] {
  return Object.entries(attributes).map(([key, value]) => [attributePrefix + key, value]);
}

export function categoryFacet(categoryId: string): Facet {
  return ['category', categoryId];
}

function facetsOf(product: Product | undefined): Map<string, Facet> {
  if (!product) return new Map();
  const facets = [...attributeFacets(product.attributes), ...product.categoryIds.map(categoryFacet)];
  return new Map(facets.map((facet) => [counted(facet), facet]));
}

/** The name of a facet in the counts. */
function counted(facet: Facet): string {
  return JSON.stringify(facet);
}

const insertFacets = preparedInsert<ProductFacetTable>('product_facets');

const deleteFacet = preparedChange<ProductFacetTable>((db, p) =>
  db
    .deleteFrom('product_facets')
    .where('store_id', '=', p('store_id'))
    .where('facet', '=', p('facet'))
    .where('value', '=', p('value'))
    .where('created_at', '=', p('created_at'))
    .where('product_id', '=', p('product_id')),
);

/**
 * Updates the facets of a product. Leave out `before` for a new product and `after` for a deleted one.
 * @returns whether the facets have changed
 */
export async function writeFacets(
  tx: TxContext,
  { before, after }: { before?: Product | undefined; after?: Product | undefined },
): Promise<boolean> {
  const [had, has] = [facetsOf(before), facetsOf(after)];
  const { id, createdAt } = (after ?? before) as Product;
  const row = ([facet, value]: Facet): ProductFacetTable => ({
    store_id: tx.store.id,
    facet,
    value,
    created_at: Date.parse(createdAt),
    product_id: id,
  });
  const removed = [...had].filter(([name]) => !has.has(name));
  const added = [...has].filter(([name]) => !had.has(name));
  for (const [name, facet] of removed) {
    await deleteFacet(tx.db, row(facet));
    pendingCounts(tx).move('products.facets', name, undefined);
  }
  for (const [name] of added) pendingCounts(tx).move('products.facets', undefined, name);
  const [wasSeen, isSeen] = [before?.status === 'published', after?.status === 'published'];
  if (wasSeen) for (const name of had.keys()) pendingCounts(tx).move('products.publishedFacets', name, undefined);
  if (isSeen) for (const name of has.keys()) pendingCounts(tx).move('products.publishedFacets', undefined, name);
  await insertFacets(
    tx.db,
    added.map(([, facet]) => row(facet)),
  );
  return removed.length + added.length > 0;
}

/** Writes the facets of new products in few statements. */
export async function writeNewFacets(tx: TxContext, products: readonly Product[]): Promise<void> {
  const store_id = tx.store.id;
  const groups = new Map<string, ProductFacetTable[]>();
  const published = new Map<string, number>();
  for (const product of products) {
    const created_at = Date.parse(product.createdAt);
    const isPublished = product.status === 'published';
    for (const [name, [facet, value]] of facetsOf(product)) {
      const row = { store_id, facet, value, created_at, product_id: product.id };
      const group = groups.get(name);
      if (group) group.push(row);
      else groups.set(name, [row]);
      if (isPublished) published.set(name, (published.get(name) ?? 0) + 1);
    }
  }
  // Sorted, because adjacent rows of the table share pages, which are then in the cache.
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, group] of sorted) {
    pendingCounts(tx).add('products.facets', name, group.length);
    const n = published.get(name);
    if (n !== undefined) pendingCounts(tx).add('products.publishedFacets', name, n);
  }
  await insertFacets(
    tx.db,
    sorted.flatMap(([, group]) => group),
  );
}

/** A product's position in the lists. */
export interface Place {
  created_at: number;
  product_id: string;
}

/**
 * Removes a facet from the products up to a place in the lists. The caller updates the products' own texts.
 * @param published how many of them are published
 */
export async function removeFacetUpTo(tx: TxContext, facet: Facet, last: Place, published: number): Promise<void> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('product_facets')
    .where('store_id', '=', tx.store.id)
    .where('facet', '=', facet[0])
    .where('value', '=', facet[1])
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'product_id'), '<=', tuple(last.created_at, last.product_id)),
    )
    .executeTakeFirstOrThrow();
  pendingCounts(tx).add('products.facets', counted(facet), -Number(numDeletedRows));
  pendingCounts(tx).add('products.publishedFacets', counted(facet), -published);
}

/**
 * A page of the products that have all the facets, newest first, with the exact total. Undefined if more than `maxRows` rows would have to
 * be read.
 */
export async function readFaceted(
  ctx: Context,
  db: Db,
  { facets, status, limit, offset, start }: { facets: readonly Facet[]; status?: string | undefined } & Window,
  maxRows: number,
): Promise<Json<List<Product>> | undefined> {
  const storeId = ctx.store.id;
  const names = facets.map(counted).sort();
  const counts = await listCounts(db, storeId, 'products.facets', names);
  const countOf = (facet: Facet) => counts.get(counted(facet)) ?? 0;
  const published =
    status === 'published' ? await listCounts(db, storeId, 'products.publishedFacets', names) : undefined;
  // Walks the rarest facet in the order of the list, and looks up the others for each of its products.
  const [rarest, ...others] = [...facets].sort((a, b) => countOf(a) - countOf(b));
  if (!rarest) throw new Error('a list by facets needs one');
  const listed = withFacets(db, storeId, rarest, others, status);
  const isFiltered = others.length > 0 || status !== undefined;
  /** The total of the list, if the counts contain it. */
  const known = (): number | undefined => {
    const most = facets.map((facet) => (published ? (published.get(counted(facet)) ?? 0) : countOf(facet)));
    const isAll = others.length === 0 && (status === undefined || published !== undefined);
    return isAll || most.includes(0) ? Math.min(...most) : undefined;
  };
  const count = async () => {
    const counted = listed.select((eb) => eb.fn.countAll<number>().as('total'));
    return (await counted.executeTakeFirstOrThrow()).total;
  };
  const isLong = countOf(rarest) > maxRows;
  const total = known() ?? (await totalOf(ctx, db, ['facets', status, names], isLong ? undefined : count))?.total;
  if (total === undefined) return undefined;
  if (offset >= total) return toJson<List<Product>>({ items: [], total });
  // The number of products of the rarest facet to read until the page is full, if the matches are evenly spread.
  if (Math.min(((offset + limit) * countOf(rarest)) / total, countOf(rarest)) > maxRows) return undefined;
  const walked = behind(withFacets(db, storeId, rarest, [], undefined), start);
  const end = isLong && isFiltered ? await endOfWalk(walked, place, maxRows) : undefined;
  const rest = behind(listed, start);
  // The page is cut before the join, so that the products before it are not read.
  const cut = (end ? rest.where(isUpTo(place, end)) : rest)
    .select(['listed.product_id', 'listed.created_at'])
    .orderBy('listed.created_at', 'desc')
    .orderBy('listed.product_id', 'desc')
    .limit(limit)
    .offset(offset)
    .as('listed');
  const page = db
    .selectFrom(cut)
    .innerJoin('products', 'products.id', 'listed.product_id')
    .where('products.store_id', '=', storeId)
    .select(['products.json', 'products.shape'])
    .orderBy('listed.created_at', 'desc')
    .orderBy('listed.product_id', 'desc');
  const { list, length } = await readPage<Product>(db, page as never, total, productEntity);
  return end && length < (start ? limit : Math.min(limit, total - offset)) ? undefined : list;
}

/** The columns that order the listed products. */
const place: Sorting = { columns: ['listed.created_at', 'listed.product_id'], isAscending: false };

interface Window {
  limit: number;
  offset: number;
  /** The product before the first one of the page. */
  start: Place | undefined;
}

type Listed = ReturnType<typeof withFacets>;

/** The listed products after a place. */
function behind(listed: Listed, start: Place | undefined): Listed {
  if (!start) return listed;
  return listed.where(({ eb, refTuple, tuple }) =>
    eb(refTuple('listed.created_at', 'listed.product_id'), '<', tuple(start.created_at, start.product_id)),
  );
}

function withFacets(db: Db, storeId: string, first: Facet, others: readonly Facet[], status: string | undefined) {
  let matches = db
    .selectFrom('product_facets as listed')
    .where('listed.store_id', '=', storeId)
    .where('listed.facet', '=', first[0])
    .where('listed.value', '=', first[1]);
  for (const other of others) {
    matches = matches.where(hasFacet(storeId, other, sql.ref('listed.created_at'), sql.ref('listed.product_id')));
  }
  if (status === undefined) return matches;
  return matches.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('products as of_status')
        .select(sql.lit(1).as('one'))
        .where('of_status.store_id', '=', storeId)
        .where('of_status.status', '=', status)
        .whereRef('of_status.created_at', '=', 'listed.created_at')
        .whereRef('of_status.id', '=', 'listed.product_id'),
    ),
  );
}

/** The condition that the product at a place in the lists has the facet. */
export function hasFacet(
  storeId: string,
  [facet, value]: Facet,
  createdAt: Expression<number>,
  id: Expression<string>,
): Expression<SqlBool> {
  const { exists, selectFrom } = expressionBuilder<Schema, never>();
  return exists(
    selectFrom('product_facets as also')
      .select(sql.lit(1).as('one'))
      .where('also.store_id', '=', storeId)
      .where('also.facet', '=', facet)
      .where('also.value', '=', value)
      .where('also.created_at', '=', createdAt)
      .where('also.product_id', '=', id),
  );
}

export const productAttributesAnswer = once(() =>
  z
    .object({
      keys: z.array(z.string()).meta({ description: 'Every key, sorted.', examples: [['color', 'size']] }),
      values: z.record(z.string(), z.array(z.string())).meta({
        description: 'The values of each key, sorted.',
        examples: [{ color: ['blue', 'red'], size: ['L', 'M'] }],
      }),
    })
    .meta({ description: 'The attributes of undeleted products.' }),
);

/** Every attribute key of the store's living products with its values, both sorted. */
export type ProductAttributes = z.output<ReturnType<typeof productAttributesAnswer>>;

/**
 * Reads the counts, so the time depends on the length of the answer, not on the number of products. Undefined if the store has more than
 * `maxValues` attributes and categories.
 * @param list the products to read
 */
export async function readAttributeValues(
  db: Db,
  storeId: string,
  maxValues: number,
  list: 'products.facets' | 'products.publishedFacets' = 'products.facets',
): Promise<ProductAttributes | undefined> {
  const counts = await listCountsUpTo(db, storeId, list, maxValues);
  if (!counts) return undefined;
  const values = new Map<string, string[]>();
  let read = 0;
  for (const [name, n] of counts) {
    if (++read % valuesAtOnce === 0) await breathe();
    const [facet, value] = JSON.parse(name) as Facet;
    if (n <= 0 || !facet.startsWith(attributePrefix)) continue;
    const key = facet.slice(attributePrefix.length);
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  const keys = [...values.keys()].sort();
  return { keys, values: Object.fromEntries(keys.map((key) => [key, (values.get(key) ?? []).sort()])) };
}

/** Values read by one statement. */
const valuesAtOnce = 1000;
