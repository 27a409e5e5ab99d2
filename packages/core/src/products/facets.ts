import { sql } from 'kysely';
import * as z from 'zod';
import type { TxContext } from '../engine/context.ts';
import { once } from '../fields/answers.ts';
import { breathe } from '../kernel/breathe.ts';
import { listCounts, listCountsUpTo, pendingCounts } from '../resources/counts.ts';
import { preparedChange, preparedInsert } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';
import type { ProductFacetTable } from '../storage/tables/products.ts';
import type { Product } from './fields.ts';

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

/** The kept count of each of some facets. */
export async function countsOfFacets(
  db: Db,
  storeId: string,
  facets: readonly Facet[],
  list: 'products.facets' | 'products.publishedFacets' = 'products.facets',
): Promise<(facet: Facet) => number> {
  const names = facets.map(counted);
  const counts = new Map<string, number>();
  for (let i = 0; i < names.length; i += namesAtOnce) {
    const some = await listCounts(db, storeId, list, names.slice(i, i + namesAtOnce));
    for (const [name, n] of some) counts.set(name, n);
  }
  return (facet) => counts.get(counted(facet)) ?? 0;
}

/** Names per statement. */
const namesAtOnce = 500;

/** The kept counts of a facet's values, among all products or the published ones. */
export async function keptValues(
  db: Db,
  storeId: string,
  facet: string,
  status: 'published' | undefined,
): Promise<{ value: string; count: number }[]> {
  const list = status ? 'products.publishedFacets' : 'products.facets';
  const prefix = `${JSON.stringify([facet]).slice(0, -1)},`;
  const rows = await db
    .selectFrom('list_totals')
    .select(['value', 'n'])
    .where('store_id', '=', storeId)
    .where('list', '=', list)
    .where(sql<string>`substr(value, 1, ${sql.lit([...prefix].length)})`, '=', prefix)
    .execute();
  return rows.map(({ value, n }) => ({ value: (JSON.parse(value) as Facet)[1], count: n }));
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
