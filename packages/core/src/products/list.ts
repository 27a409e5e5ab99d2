import { type SelectQueryBuilder, sql } from 'kysely';
import type * as z from 'zod';
import type { Context } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { invalid, quote } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { type Json, type List, parsed, toJson } from '../kernel/json.ts';
import { parse } from '../kernel/parse.ts';
import { countUpTo, endOfWalk, isUpTo, newestFirst } from '../resources/bounded.ts';
import { emptyList, itemColumns, listJson, readPage, type StoredList, upToDateList } from '../resources/list-json.ts';
import { publishedCategories } from '../resources/published-categories.ts';
import { countByStatus, type PublishingStatus, publishingStatuses, seenStatus } from '../resources/publishing.ts';
import { unindexedNumber, unindexedText } from '../storage/planner.ts';
import { prepared } from '../storage/prepared.ts';
import { readingOf, snapshotOrScan } from '../storage/run.ts';
import type { Schema } from '../storage/schema.ts';
import { type Db, foldText } from '../storage/storage.ts';
import {
  attributeFacets,
  categoryFacet,
  hasFacet,
  type Place,
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
  productEntity,
  VariantGroupQuery,
  type VariantGroupQueryInput,
} from './fields.ts';
import { asSeen } from './public.ts';
import { totalOf, totalOfStatuses } from './totals.ts';

type Page = { storeId: string; limit: number; offset: number };

// The page and the total come from one statement, which sees one moment without a transaction. These are the most frequent requests.
const newestJson = prepared<Page, StoredList<Product>>((db, p) => {
  const page = living(db, p('storeId')).select(itemColumns).limit(p('limit')).offset(p('offset'));
  return listJson(db, page, totalOfStatuses(db, p('storeId'), publishingStatuses), productEntity);
});

const newestJsonOfStatus = prepared<Page & { status: string }, StoredList<Product>>((db, p) => {
  const ofStatus = newest(db).where('store_id', '=', p('storeId')).where('status', '=', p('status'));
  const page = ofStatus.select(itemColumns).limit(p('limit')).offset(p('offset'));
  return listJson(db, page, totalOfStatuses(db, p('storeId'), [p('status')]), productEntity);
});

/** Up to this offset, one statement reads a page with its total. */
const nearOffset = 1000;

/**
 * A page of the store's products, newest first, with the exact total of matches. `after` is the id of the last product of the previous
 * page. It is fast at any depth; `offset` gets slower with depth.
 * @throws CommerceError `validation` for a filter or a window out of range.
 */
export async function listProductsJson(ctx: Context, query: ProductQueryInput = {}): Promise<Json<List<Product>>> {
  const given = parse(ProductQuery, query);
  // Public actors see a capped stock; this filter would reveal more.
  if (given.lowStock) refusePublic(ctx);
  const status = seenStatus(ctx, given.status);
  if (status === 'none') return emptyList();
  const list = await readProducts(ctx, { ...given, status });
  return ctx.actor.isPublic ? asSeen(ctx, list) : list;
}

async function readProducts(ctx: Context, query: z.output<typeof ProductQuery>): Promise<Json<List<Product>>> {
  const { slug, sku, variantGroupId, categoryId, search, lowStock, ...page } = query;
  const term = foldText(search ?? '');
  const isFew = slug || sku || variantGroupId || lowStock;
  const isFiltered = isFew || term || categoryId;
  const { after, ...window } = page;
  if (!isFiltered && !after && page.offset <= nearOffset) {
    const { status, limit, offset } = window;
    const near = { storeId: ctx.store.id, limit, offset };
    return readingOf(ctx, async (db) => {
      const rows = await (status ? newestJsonOfStatus(db, { ...near, status }) : newestJson(db, near));
      return upToDateList(productEntity, one(rows));
    });
  }
  if (isFew) {
    return snapshotOrScan(ctx, async (db, maxRows) => {
      const start = await startOf(db, ctx, after);
      if (await isHidden(db, ctx, categoryId)) return emptyList<Product>();
      return readFew(ctx, db, { slug, sku, variantGroupId, lowStock, categoryId, term, ...window, start }, maxRows);
    });
  }
  return snapshotOrScan(ctx, async (db, maxRows) => {
    const start = await startOf(db, ctx, after);
    if (await isHidden(db, ctx, categoryId)) return emptyList<Product>();
    if (term) return readSearched(ctx, db, { term, categoryId, ...window, start }, maxRows);
    if (categoryId) return readFaceted(ctx, db, { facets: [categoryFacet(categoryId)], ...window, start }, maxRows);
    return readFarther(ctx, db, { ...window, start }, maxRows);
  });
}

interface PageQuery {
  status?: PublishingStatus | undefined;
  limit: number;
  offset: number;
  /** The product before the first one of the page. */
  start: Place | undefined;
}

const placeOf = prepared<{ storeId: string; id: string }, Place & { json: string }>((db, p) =>
  db
    .selectFrom('products')
    .select(['created_at', 'id as product_id', 'json'])
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id')),
);

/**
 * The place of a product in the lists, even if it was deleted since. For a public actor, the product must once have been published.
 * @throws CommerceError `validation` if such a product never existed
 */
async function startOf(db: Db, ctx: Context, after: string | undefined): Promise<Place | undefined> {
  if (!after) return undefined;
  const [place] = isId(after) ? await placeOf(db, { storeId: ctx.store.id, id: after }) : [];
  if (!place || (ctx.actor.isPublic && JSON.parse(place.json).publishedAt === null))
    throw invalid('after', `must be the id of the last product of the previous page, not ${quote(after)}`, {
      code: 'NOT_FOUND',
    });
  return place;
}

/** True if the actor cannot see the category. */
async function isHidden(db: Db, { store, actor }: Context, categoryId: string | undefined): Promise<boolean> {
  if (!actor.isPublic || !categoryId) return false;
  return !(await publishedCategories(db, store.id, [categoryId])).has(categoryId);
}

/** A page at a larger offset, of all products or of one status. */
async function readFarther(
  ctx: Context,
  db: Db,
  { status, limit, offset, start }: PageQuery,
  maxRows: number,
): Promise<Json<List<Product>> | undefined> {
  const storeId = ctx.store.id;
  const total = await countByStatus(db, storeId, 'products.status', status);
  if (offset >= total) return toJson<List<Product>>({ items: [], total });
  if (offset + limit > maxRows) return undefined;
  const page = ofStatus(behind(living(db, storeId), start), status)
    .select(itemColumns)
    .limit(limit)
    .offset(offset);
  return (await readPage<Product>(db, page, total, productEntity)).list;
}

/** The products of a slug, a SKU or a variant group, or with low stock. Only if few enough match to read each of them. */
async function readFew(
  ctx: Context,
  db: Db,
  filters: PageQuery &
    Pick<z.output<typeof ProductQuery>, 'slug' | 'sku' | 'variantGroupId' | 'lowStock' | 'categoryId'> & {
      term: string;
    },
  maxRows: number,
): Promise<Json<List<Product>> | undefined> {
  const { slug, sku, variantGroupId, lowStock, categoryId, term, status, limit, offset, start } = filters;
  const { storage } = ctx.engine;
  let few = lowStock ? low(db, ctx.store.id) : living(db, ctx.store.id);
  if (slug) few = few.where('slug', '=', slug);
  if (sku) few = few.where('sku', '=', sku);
  if (variantGroupId) few = few.where('variant_group_id', '=', variantGroupId);
  if ((await countUpTo(db, few.clearOrderBy(), maxRows)) === undefined) return undefined;
  let matches = inCategory(few, ctx.store.id, categoryId);
  // Keeps the engine from choosing the index of the status, which contains every product with that status.
  if (status) matches = matches.where(unindexedText(sql.ref('status')), '=', status);
  if (term) matches = matches.where((eb) => storage.search.contains(ctx.store, eb.ref('products.number'), term));
  const total = await countRows(matches);
  const page = behind(matches, start).select(itemColumns).limit(limit).offset(offset);
  return (await readPage<Product>(db, page, total, productEntity)).list;
}

/**
 * The products whose text contains a term. Matches of a rare term are fetched and sorted. For a common term, the newest products are read
 * until the page is full. That takes more reads the rarer the term is.
 */
async function readSearched(
  ctx: Context,
  db: Db,
  { term, status, categoryId, limit, offset, start }: PageQuery & { term: string; categoryId?: string | undefined },
  maxRows: number,
): Promise<Json<List<Product>> | undefined> {
  const { engine, store } = ctx;
  const { search } = engine.storage;
  const found = search.find(store, term);
  const products = inCategory(living(db, store.id), store.id, categoryId);
  const cut = (page: Products) => page.select(itemColumns).limit(limit).offset(offset);
  const all = products.where((eb) => eb('number', 'in', found)).clearOrderBy();
  const fetched = status ? all.where(unindexedText(sql.ref('status')), '=', status) : all;
  const listed = await countByStatus(db, store.id, 'products.status', status);
  const count = async () => {
    // The index contains only living products.
    if (status || categoryId) return countRows(fetched);
    const { rows } = await sql<{ total: number }>`select count(*) as total from ${found} as found`.execute(db);
    return one(rows).total;
  };
  const isLong = listed > maxRows;
  const counted = await totalOf(ctx, db, ['search', status, categoryId, term], isLong ? undefined : count);
  if (!counted) return undefined;
  const { total, took } = counted;
  if (offset >= total) return toJson<List<Product>>({ items: [], total });
  // The number of products to read until the page is full, if the matches are evenly spread.
  const walked = ((offset + limit) * listed) / total;
  if (walked >= total) {
    // The time to find a few matches depends on their words. It is known from when they were counted.
    if (isLong && (total > maxRows || took > maxFetch)) return undefined;
    // Keeps the engine from using an index for this order: SQLite would read every product of the list to find one rare word.
    const page = fetched.orderBy(unindexedNumber(sql.ref('created_at')), 'desc').orderBy('id', 'desc');
    return (await readPage<Product>(db, cut(behind(page, start)), total, productEntity)).list;
  }
  if (walked > maxRows) return undefined;
  const among = behind(ofStatus(living(db, store.id), status), start);
  const end = isLong ? await endOfWalk(among.clearOrderBy(), newestFirst, maxRows) : undefined;
  const rest = behind(ofStatus(products, status), start);
  const page = (end ? rest.where(isUpTo(newestFirst, end)) : rest).where((eb) =>
    search.contains(store, eb.ref('products.number'), term),
  );
  const { list, length } = await readPage<Product>(db, cut(page), total, productEntity);
  return end && length < (start ? limit : Math.min(limit, total - offset)) ? undefined : list;
}

/** Milliseconds within which the main thread can find the matches of a term. */
const maxFetch = 5;

/** Like `listProductsJson`, for use inside an application. */
export const listProducts = parsed(listProductsJson);

/**
 * A page of the products that have all the given attributes, newest first, with the exact total.
 * @throws CommerceError `validation`, also when no attribute is given.
 */
export async function listProductsByAttributesJson(
  ctx: Context,
  query: AttributeQueryInput,
): Promise<Json<List<Product>>> {
  const { attributes, after, ...window } = parse(AttributeQuery, query);
  const status = seenStatus(ctx, window.status);
  if (status === 'none') return emptyList();
  const list = await snapshotOrScan(ctx, async (db, maxRows) => {
    const start = await startOf(db, ctx, after);
    return readFaceted(ctx, db, { facets: attributeFacets(attributes), ...window, status, start }, maxRows);
  });
  return ctx.actor.isPublic ? asSeen(ctx, list) : list;
}

/** Like `listProductsByAttributesJson`, for use inside an application. */
export const listProductsByAttributes = parsed(listProductsByAttributesJson);

/**
 * A page of the variants of one group, newest first, with the exact total.
 * @throws CommerceError `validation`, also when no group is given.
 */
export async function listVariantGroupJson(ctx: Context, query: VariantGroupQueryInput): Promise<Json<List<Product>>> {
  return listProductsJson(ctx, parse(VariantGroupQuery, query));
}

/** Like `listVariantGroupJson`, for use inside an application. */
export const listVariantGroup = parsed(listVariantGroupJson);

/** Every attribute key of the products that the actor sees, with its values; both are sorted. */
export async function getProductAttributes(ctx: Context): Promise<ProductAttributes> {
  const counts = ctx.actor.isPublic ? 'products.publishedFacets' : 'products.facets';
  return snapshotOrScan(ctx, (db, maxValues) => readAttributeValues(db, ctx.store.id, maxValues, counts));
}

/** The only value of an aggregate without groups, which always returns one row. */
function one<T>(values: readonly T[]): T {
  const [value] = values;
  if (value === undefined) throw new Error('an aggregate answered no row');
  return value;
}

type Products = ReturnType<typeof living>;

function ofStatus(products: Products, status: PublishingStatus | undefined): Products {
  return status ? products.where('status', '=', status) : products;
}

/** The products after a place in the lists. */
function behind(products: Products, start: Place | undefined): Products {
  if (!start) return products;
  return products.where(({ eb, refTuple, tuple }) =>
    eb(refTuple('products.created_at', 'products.id'), '<', tuple(start.created_at, start.product_id)),
  );
}

function inCategory<Q extends SelectQueryBuilder<Schema, 'products', object>>(
  products: Q,
  storeId: string,
  categoryId: string | undefined,
): Q {
  if (!categoryId) return products;
  const place = [sql.ref<number>('products.created_at'), sql.ref<string>('products.id')] as const;
  return products.where(hasFacet(storeId, categoryFacet(categoryId), ...place)) as Q;
}

async function countRows(matches: Products): Promise<number> {
  const count = matches.clearOrderBy().select((eb) => eb.fn.countAll<number>().as('total'));
  return (await count.executeTakeFirstOrThrow()).total;
}

function living(db: Db, storeId: string) {
  return newest(db).where('store_id', '=', storeId).where('status', '<>', sql.lit('deleted'));
}

/** Does not filter by status, because that would select the index of all undeleted products. */
function low(db: Db, storeId: string) {
  return newest(db).where('store_id', '=', storeId).where('low_stock', '=', sql.lit(1));
}

function newest(db: Db) {
  return db.selectFrom('products').orderBy('created_at', 'desc').orderBy('id', 'desc');
}
