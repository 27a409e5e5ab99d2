import { type ExpressionBuilder, sql } from 'kysely';
import type { TxContext } from '../context.ts';
import type { Json, List } from '../json.ts';
import { listCounts } from '../storage/counts.ts';
import { listJson } from '../storage/list-json.ts';
import { preparedChange, preparedInsert } from '../storage/prepared.ts';
import type { Schema } from '../storage/schema.ts';
import type { Db } from '../storage/storage.ts';
import type { Product } from './fields.ts';
import type { ProductFacetTable } from './table.ts';

/** One thing that a product is listed by: an attribute (`attr.<key>`) or a category, with its value. */
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

/** A facet as the counts name it. */
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

/** Writes what a product is listed by from now on; `before` or `after` is left out when there is no such product. */
export async function writeFacets(
  tx: TxContext,
  { before, after }: { before?: Product | undefined; after?: Product },
): Promise<void> {
  const [had, has] = [facetsOf(before), facetsOf(after)];
  const { id, createdAt } = (after ?? before) as Product;
  const row = ([facet, value]: Facet): ProductFacetTable => ({
    store_id: tx.store.id,
    facet,
    value,
    created_at: Date.parse(createdAt),
    product_id: id,
  });
  for (const [name, facet] of had) {
    if (has.has(name)) continue;
    await deleteFacet(tx.db, row(facet));
    tx.pending.counts.move('products.facets', name, undefined);
  }
  const added = [...has].filter(([name]) => !had.has(name));
  for (const [name] of added) tx.pending.counts.move('products.facets', undefined, name);
  await insertFacets(
    tx.db,
    added.map(([, facet]) => row(facet)),
  );
}

/** Takes a facet from every product that has it. The products' own texts are the caller's matter. */
export async function removeFacet(tx: TxContext, facet: Facet): Promise<void> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('product_facets')
    .where('store_id', '=', tx.store.id)
    .where('facet', '=', facet[0])
    .where('value', '=', facet[1])
    .executeTakeFirstOrThrow();
  tx.pending.counts.add('products.facets', counted(facet), -Number(numDeletedRows));
}

/** A page of the products that have all the facets, newest first, with the exact total. */
export async function readFaceted(
  db: Db,
  storeId: string,
  { facets, status, limit, offset }: { facets: readonly Facet[]; status: string | undefined } & Window,
): Promise<Json<List<Product>>> {
  const counts = await listCounts(db, storeId, 'products.facets', facets.map(counted));
  const countOf = (facet: Facet) => counts.get(counted(facet)) ?? 0;
  // The rarest is walked in the order of the list, the others are looked up for each of its products.
  const [rarest, ...others] = [...facets].sort((a, b) => countOf(a) - countOf(b));
  if (!rarest) throw new Error('a list by facets needs one');
  const matches = withFacets(db, storeId, rarest, others, status);
  const total =
    others.length === 0 && status === undefined
      ? countOf(rarest)
      : (await matches.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()).total;
  const page = matches
    .select('products.json')
    .orderBy('listed.created_at', 'desc')
    .orderBy('listed.product_id', 'desc')
    .limit(limit)
    .offset(offset);
  return (await listJson<Product>(db, page as never, String(total)).executeTakeFirstOrThrow()).list;
}

interface Window {
  limit: number;
  offset: number;
}

function withFacets(db: Db, storeId: string, first: Facet, others: readonly Facet[], status: string | undefined) {
  let matches = db
    .selectFrom('product_facets as listed')
    .innerJoin('products', (join) =>
      join.onRef('products.store_id', '=', 'listed.store_id').onRef('products.id', '=', 'listed.product_id'),
    )
    .where('listed.store_id', '=', storeId)
    .where('listed.facet', '=', first[0])
    .where('listed.value', '=', first[1]);
  for (const other of others) {
    matches = matches.where((eb) => hasFacet(eb, storeId, other));
  }
  return status === undefined ? matches : matches.where('products.status', '=', status);
}

/** The condition, within a query of products, that the product has the facet. */
export function hasFacet(eb: ExpressionBuilder<Schema, 'products'>, storeId: string, [facet, value]: Facet) {
  return eb.exists(
    eb
      .selectFrom('product_facets as also')
      .select(sql.lit(1).as('one'))
      .where('also.store_id', '=', storeId)
      .where('also.facet', '=', facet)
      .where('also.value', '=', value)
      .whereRef('also.created_at', '=', 'products.created_at')
      .whereRef('also.product_id', '=', 'products.id'),
  );
}

/** Every attribute key of the store's living products with its values, both sorted. */
export interface ProductAttributes {
  keys: string[];
  values: Record<string, string[]>;
}

/** Read from the counts: as long as the answer, however many products there are. */
export async function readAttributeValues(db: Db, storeId: string): Promise<ProductAttributes> {
  const values = new Map<string, string[]>();
  for (const [name, n] of await listCounts(db, storeId, 'products.facets')) {
    const [facet, value] = JSON.parse(name) as Facet;
    if (n === 0 || !facet.startsWith(attributePrefix)) continue;
    const key = facet.slice(attributePrefix.length);
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  const keys = [...values.keys()].sort();
  return { keys, values: Object.fromEntries(keys.map((key) => [key, (values.get(key) ?? []).sort()])) };
}
