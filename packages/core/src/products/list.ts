import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { fromJson, type Json, type List } from '../json.ts';
import { parse } from '../parse.ts';
import { countByStatus } from '../publishing.ts';
import { listJson } from '../storage/list-json.ts';
import { preparedColumn } from '../storage/prepared.ts';
import { type Db, foldText } from '../storage/storage.ts';
import { reading } from '../transaction.ts';
import {
  attributeFacets,
  categoryFacet,
  hasFacet,
  type ProductAttributes,
  readAttributeValues,
  readFaceted,
} from './facets.ts';
import {
  AttributeQuery,
  type AttributeQueryInput,
  type Product,
  ProductQuery,
  type ProductQueryInput,
  VariantGroupQuery,
  type VariantGroupQueryInput,
} from './fields.ts';

type Page = { storeId: string; limit: number; offset: number; total: string };

const newestJson = preparedColumn<Page, Json<List<Product>>>((db, p) =>
  listJson(db, living(db, p('storeId')).select('json').limit(p('limit')).offset(p('offset')), p('total')),
);

const newestJsonOfStatus = preparedColumn<Page & { status: string }, Json<List<Product>>>((db, p) => {
  const ofStatus = newest(db).where('store_id', '=', p('storeId')).where('status', '=', p('status'));
  return listJson(db, ofStatus.select('json').limit(p('limit')).offset(p('offset')), p('total'));
});

/**
 * Up to so many matches of a search are fetched and sorted; for more of them walking the newest products and picking out
 * those that match ends sooner. Left alone, SQLite walks every product to find one rare word.
 */
const fewMatches = 2000;
// The sign changes nothing but that no index offers this order.
const sorted = sql`+created_at desc, id desc`;

/**
 * A page of the store's products, newest first, with the exact total of what the filters match.
 * @throws CommerceError `validation` for a filter or a window out of range.
 */
export async function readProducts(ctx: Context, query: ProductQueryInput = {}): Promise<Json<List<Product>>> {
  const { limit, offset, status, slug, sku, variantGroupId, categoryId, search } = parse(ProductQuery, query);
  const { storage } = ctx.engine;
  const storeId = ctx.store.id;
  const term = foldText(search ?? '');
  return reading(storage, async (db) => {
    if (!slug && !sku && !variantGroupId && !term) {
      if (categoryId) return readFaceted(db, storeId, { facets: [categoryFacet(categoryId)], status, limit, offset });
      const page = {
        storeId,
        limit,
        offset,
        total: String(await countByStatus(db, storeId, 'products.status', status)),
      };
      return one(await (status ? newestJsonOfStatus(db, { ...page, status }) : newestJson(db, page)));
    }
    let matches = living(db, storeId);
    if (status) matches = matches.where('status', '=', status);
    if (slug) matches = matches.where('slug', '=', slug);
    if (sku) matches = matches.where('sku', '=', sku);
    if (variantGroupId) matches = matches.where('variant_group_id', '=', variantGroupId);
    if (categoryId) matches = matches.where((eb) => hasFacet(eb, storeId, categoryFacet(categoryId)));
    if (term) matches = matches.where((eb) => storage.search.contains(ctx.store.number, eb.ref('number'), term));
    const { total } = await matches
      .clearOrderBy()
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const page = term && total <= fewMatches ? matches.clearOrderBy().orderBy(sorted) : matches;
    const answer = listJson<Product>(db, page.select('json').limit(limit).offset(offset), String(total));
    return (await answer.executeTakeFirstOrThrow()).list;
  });
}

/** As `readProducts`, for use inside an application. */
export async function listProducts(ctx: Context, query: ProductQueryInput = {}): Promise<List<Product>> {
  return fromJson(await readProducts(ctx, query));
}

/**
 * A page of the products that have all the given attributes, newest first, with the exact total.
 * @throws CommerceError `validation`, also when no attribute is given.
 */
export async function readProductsByAttributes(ctx: Context, query: AttributeQueryInput): Promise<Json<List<Product>>> {
  const { attributes, ...window } = parse(AttributeQuery, query);
  return reading(ctx.engine.storage, (db) =>
    readFaceted(db, ctx.store.id, { facets: attributeFacets(attributes), status: undefined, ...window }),
  );
}

/** As `readProductsByAttributes`, for use inside an application. */
export async function listProductsByAttributes(ctx: Context, query: AttributeQueryInput): Promise<List<Product>> {
  return fromJson(await readProductsByAttributes(ctx, query));
}

/**
 * A page of the variants of one group, newest first, with the exact total.
 * @throws CommerceError `validation`, also when no group is given.
 */
export async function readVariantGroup(ctx: Context, query: VariantGroupQueryInput): Promise<Json<List<Product>>> {
  return readProducts(ctx, parse(VariantGroupQuery, query));
}

/** As `readVariantGroup`, for use inside an application. */
export async function listVariantGroup(ctx: Context, query: VariantGroupQueryInput): Promise<List<Product>> {
  return fromJson(await readVariantGroup(ctx, query));
}

/** Every attribute key of the products that are not deleted with its values, both sorted. */
export async function getProductAttributes(ctx: Context): Promise<ProductAttributes> {
  return reading(ctx.engine.storage, (db) => readAttributeValues(db, ctx.store.id));
}

/** The one value of an aggregate over everything, which always has a row. */
function one<T>(values: readonly T[]): T {
  const [value] = values;
  if (value === undefined) throw new Error('an aggregate answered no row');
  return value;
}

function living(db: Db, storeId: string) {
  return newest(db).where('store_id', '=', storeId).where('status', '<>', sql.lit('deleted'));
}

function newest(db: Db) {
  return db.selectFrom('products').orderBy('created_at', 'desc').orderBy('id', 'desc');
}
