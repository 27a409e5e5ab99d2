import { sql } from 'kysely';
import type * as z from 'zod';
import type { Context } from '../engine/context.ts';
import { refusePublic, refusePublicFilter } from '../engine/public-actor.ts';
import { invalid, quote } from '../kernel/errors.ts';
import { searchWords } from '../kernel/fold.ts';
import { isId } from '../kernel/ids.ts';
import { fromJson, type Json, type List, toJson } from '../kernel/json.ts';
import { parseMoney } from '../kernel/money.ts';
import { parse } from '../kernel/parse.ts';
import { emptyList, itemColumns, listJson, listOfRows, type StoredList, upToDateList } from '../resources/list-json.ts';
import { publishingStatuses, seenStatus } from '../resources/publishing.ts';
import { prepared } from '../storage/prepared.ts';
import { readingOf, snapshotOrScan, snapshotOrSharedScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import { type ProductAttributes, readAttributeValues } from './facets.ts';
import { type Product, productEntity } from './fields.ts';
import { included } from './include.ts';
import type { Facets, Group, ListedProduct } from './list/answer.ts';
import { categoriesWithin } from './list/categories.ts';
import { countFacets } from './list/facet-counts.ts';
import { type Found, find } from './list/find.ts';
import { groupsOf } from './list/groups.ts';
import type { Filters } from './list/matches.ts';
import type { Place } from './list/order.ts';
import {
  AttributeQuery,
  type AttributeQueryInput,
  type ProductFilterQuery,
  ProductQuery,
  type ProductQueryInput,
  type ProductQueryOutput,
  productQueryOf,
  VariantGroupQuery,
  type VariantGroupQueryInput,
} from './list/query.ts';
import { openReading, type Wanted } from './list/reading.ts';
import { asSeen } from './public.ts';
import { totalOfStatuses } from './totals.ts';

/** A list of products, with the facets that the query asked for. */
export interface ProductList extends List<ListedProduct> {
  facets?: Facets;
}

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

function living(db: Db, storeId: string) {
  return newest(db).where('store_id', '=', storeId).where('status', '<>', sql.lit('deleted'));
}

function newest(db: Db) {
  return db.selectFrom('products').orderBy('created_at', 'desc').orderBy('id', 'desc');
}

/** Up to this offset, one statement reads a page with its total. */
const nearOffset = 1000;

/**
 * A page of the store's products with the exact total of matches. `after` is the id of the last product of the previous page. It is fast at
 * any depth; `offset` gets slower with depth.
 * @throws CommerceError `validation` for a filter, an order or a window out of range.
 */
export async function listProductsJson(ctx: Context, query: ProductQueryInput = {}): Promise<Json<ProductList>> {
  return listParsed(ctx, parse(ProductQuery, productQueryOf(query)));
}

async function listParsed(ctx: Context, given: ProductQueryOutput): Promise<Json<ProductList>> {
  // Public actors see a capped stock; this filter would reveal more.
  if (given.lowStock) refusePublic(ctx);
  if (given.metadata) refusePublicFilter(ctx, 'metadata');
  checkCombination(given);
  const status = seenStatus(ctx, given.status);
  const filters = filtersOf(ctx, { ...given, status: status === 'none' ? undefined : status });
  const { facets = [], include, group, limit, offset, sort, after } = given;
  const named = (given.categoryId ?? []).filter((id) => id !== '');
  const isPlain = isUnfiltered(filters) && named.length === 0 && !group && facets.length === 0;
  if (status === 'none' && facets.length === 0) return emptyList();
  if (isPlain && sort === 'newest' && !after && offset <= nearOffset) {
    const near = { storeId: ctx.store.id, limit, offset };
    const list = await readingOf(ctx, async (db) => {
      const rows = await (filters.status
        ? newestJsonOfStatus(db, { ...near, status: filters.status })
        : newestJson(db, near));
      return upToDateList(productEntity, one(rows));
    });
    return answered(ctx, list, { include });
  }
  // Pages of one list share what is remembered of it.
  const name = JSON.stringify([
    ctx.actor.isPublic === true,
    { ...given, limit: 0, offset: 0, after: '', include: undefined },
  ]);
  const extra = await snapshotOrSharedScan(ctx, name, async (db, maxRows) => {
    const wanted = await wantedOf(ctx, db, given, filters);
    if (status === 'none') wanted.filters = { ...wanted.filters, categoryIds: [] };
    const reading = await openReading(ctx, db, maxRows, Boolean(filters.inStock) || facets.includes('inStock'));
    const found = await find(reading, wanted);
    if (!found) return undefined;
    const groups = wanted.isGrouped ? await groupsOf(reading, wanted.filters, found.ids) : undefined;
    const counted = facets.length > 0 ? await countFacets(reading, wanted, facets) : undefined;
    if ((wanted.isGrouped && !groups) || (facets.length > 0 && !counted)) return undefined;
    return {
      list: await listOfRows<Product>(db, found.ids, found.total, ctx.store.id, productEntity),
      groups,
      facets: counted,
    };
  });
  const { list, ...more } = extra;
  return answered(ctx, list, { include, ...more });
}

async function wantedOf(ctx: Context, db: Db, given: ProductQueryOutput, filters: Filters): Promise<Wanted> {
  const { sort, search = '', group, limit, offset, after } = given;
  const named = (given.categoryId ?? []).filter((id) => id !== '');
  const categoryIds = named.length > 0 ? await categoriesWithin(ctx, db, named) : undefined;
  return {
    filters: { ...filters, ...(categoryIds && { categoryIds }) },
    sort,
    text: search,
    isGrouped: group === 'variants',
    limit,
    offset,
    start: await startOf(db, ctx, after),
  };
}

/**
 * The ids of a page of published products, and the total: for callers that read the products in parts. It costs as much as the list, without
 * its texts.
 * @throws CommerceError `validation` for a filter, an order or a window out of range.
 */
export async function findPublished(ctx: Context, query: ProductQueryInput): Promise<Found> {
  const given = parse(ProductQuery, { ...query, status: 'published' });
  checkCombination(given);
  const filters = filtersOf(ctx, given);
  const name = JSON.stringify(['ids', { ...given, limit: 0, offset: 0 }]);
  return snapshotOrSharedScan(ctx, name, async (db, maxRows) => {
    const wanted = await wantedOf(ctx, db, given, filters);
    return find(await openReading(ctx, db, maxRows, Boolean(filters.inStock)), wanted);
  });
}

/** The list as its reader sees it, with what the query asked for in addition. */
async function answered(
  ctx: Context,
  list: Json<List<Product>>,
  {
    include,
    groups,
    facets,
  }: {
    include?: ProductQueryOutput['include'];
    groups?: ReadonlyMap<string, Group> | undefined;
    facets?: Facets | undefined;
  },
): Promise<Json<ProductList>> {
  const seen = ctx.actor.isPublic ? await asSeen(ctx, list) : list;
  if (!include && !groups && !facets) return seen;
  const { items, total } = fromJson(seen);
  const detailed = include ? await included(ctx, items, include) : items;
  const listed = detailed.map((product): ListedProduct => {
    const group = groups?.get(product.id);
    return { ...product, ...(group && { group }) };
  });
  return toJson<ProductList>({ items: listed, total, ...(facets && { facets }) });
}

/** @throws CommerceError `validation` */
function checkCombination({ sort, search, group, after }: ProductQueryOutput): void {
  if (sort === 'relevance' && searchWords(search ?? '').length === 0) {
    throw invalid('sort', 'must not be "relevance" without search', { code: 'CONFLICTING' });
  }
  if (!after) return;
  if (group) throw invalid('after', 'must be omitted with group; use offset', { code: 'CONFLICTING' });
  if (sort === 'relevance' || sort === 'bestselling') {
    throw invalid('after', `must be omitted with the sort ${quote(sort)}; use offset`, { code: 'CONFLICTING' });
  }
}

type FilterQuery = z.output<typeof ProductFilterQuery>;

/** The filters of a query, apart from its categories. @throws CommerceError `validation` for an amount */
export function filtersOf({ store }: Pick<Context, 'store'>, given: Omit<FilterQuery, 'categoryId'>): Filters {
  const { status, slug, sku, barcode, variantGroupId, search, inStock, onSale, lowStock } = given;
  const amount = (field: 'minPrice' | 'maxPrice') => {
    const text = given[field];
    if (!text) return undefined;
    const minor = parseMoney(text, store.decimals);
    if (minor === undefined) {
      throw invalid(field, `must be an amount with at most ${store.decimals} decimals, not ${quote(text)}`, {
        code: 'NOT_A_NUMBER',
      });
    }
    return Number(minor);
  };
  return {
    status,
    slug: slug || undefined,
    sku: sku || undefined,
    barcode: barcode || undefined,
    variantGroupId: variantGroupId || undefined,
    words: searchWords(search ?? ''),
    attributes: given.attributes ?? {},
    metadata: given.metadata,
    minPrice: amount('minPrice'),
    maxPrice: amount('maxPrice'),
    inStock,
    onSale,
    lowStock,
  };
}

function isUnfiltered({ status: _, words, attributes, metadata = {}, ...others }: Filters): boolean {
  return (
    words.length === 0 &&
    Object.keys(attributes).length === 0 &&
    Object.keys(metadata).length === 0 &&
    Object.values(others).every((one) => one === undefined || one === false)
  );
}

const placeOf = prepared<{ storeId: string; id: string }, Place & { json: string }>((db, p) =>
  db
    .selectFrom('products')
    .select(['id', 'created_at', 'price', 'title_key', 'json'])
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id')),
);

/**
 * The place of a product in the lists, even if it was deleted since. For a public actor, the product must once have been published.
 * @throws CommerceError `validation` if such a product never existed
 */
async function startOf(db: Db, ctx: Context, after: string | undefined): Promise<Place | undefined> {
  if (!after) return undefined;
  const [found] = isId(after) ? await placeOf(db, { storeId: ctx.store.id, id: after }) : [];
  if (!found || (ctx.actor.isPublic && JSON.parse(found.json).publishedAt === null)) {
    throw invalid('after', `must be the id of the last product of the previous page, not ${quote(after)}`, {
      code: 'NOT_FOUND',
    });
  }
  const { json: _, ...place } = found;
  return place;
}

/** Like `listProductsJson`, for use inside an application. */
export async function listProducts(ctx: Context, query: ProductQueryInput = {}): Promise<ProductList> {
  return fromJson(await listProductsJson(ctx, query));
}

/**
 * The same list, with at least one attribute.
 * @throws CommerceError `validation`, also when no attribute is given.
 */
export async function listProductsByAttributesJson(
  ctx: Context,
  query: AttributeQueryInput,
): Promise<Json<ProductList>> {
  return listParsed(ctx, parse(AttributeQuery, productQueryOf(query)));
}

/** Like `listProductsByAttributesJson`, for use inside an application. */
export async function listProductsByAttributes(ctx: Context, query: AttributeQueryInput): Promise<ProductList> {
  return fromJson(await listProductsByAttributesJson(ctx, query));
}

/**
 * The same list, of the variants of one group.
 * @throws CommerceError `validation`, also when no group is given.
 */
export async function listVariantGroupJson(ctx: Context, query: VariantGroupQueryInput): Promise<Json<ProductList>> {
  return listParsed(ctx, parse(VariantGroupQuery, productQueryOf(query)));
}

/** Like `listVariantGroupJson`, for use inside an application. */
export async function listVariantGroup(ctx: Context, query: VariantGroupQueryInput): Promise<ProductList> {
  return fromJson(await listVariantGroupJson(ctx, query));
}

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
