import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { fromJsonList, type Json, type JsonList, type List } from '../json.ts';
import { parse } from '../parse.ts';
import { listCounts } from '../storage/counts.ts';
import { preparedColumn } from '../storage/prepared.ts';
import { type Db, foldText } from '../storage/storage.ts';
import { reading } from '../transaction.ts';
import { type Product, ProductQuery, type ProductQueryInput, productStatuses } from './fields.ts';

const newestJson = preparedColumn<{ storeId: string; limit: number; offset: number }, string>((db, p) =>
  living(db, p('storeId')).select('json').limit(p('limit')).offset(p('offset')),
);

const newestJsonOfStatus = preparedColumn<{ storeId: string; status: string; limit: number; offset: number }, string>(
  (db, p) =>
    newest(db)
      .where('store_id', '=', p('storeId'))
      .where('status', '=', p('status'))
      .select('json')
      .limit(p('limit'))
      .offset(p('offset')),
);

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
export async function readProducts(ctx: Context, query: ProductQueryInput = {}): Promise<JsonList<Product>> {
  const { limit, offset, status, slug, sku, variantGroupId, search } = parse(ProductQuery, query);
  const { storage } = ctx.engine;
  const storeId = ctx.store.id;
  const term = foldText(search ?? '');
  return reading(storage, async (db) => {
    if (!slug && !sku && !variantGroupId && !term) {
      const total = await countByStatus(db, storeId, status);
      const items = status
        ? await newestJsonOfStatus(db, { storeId, status, limit, offset })
        : await newestJson(db, { storeId, limit, offset });
      return { items: items as Json<Product>[], total };
    }
    let matches = living(db, storeId);
    if (status) matches = matches.where('status', '=', status);
    if (slug) matches = matches.where('slug', '=', slug);
    if (sku) matches = matches.where('sku', '=', sku);
    if (variantGroupId) matches = matches.where('variant_group_id', '=', variantGroupId);
    if (term) matches = matches.where((eb) => storage.search.contains(ctx.store.number, eb.ref('number'), term));
    const { total } = await matches
      .clearOrderBy()
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const page = term && total <= fewMatches ? matches.clearOrderBy().orderBy(sorted) : matches;
    const rows = await page.select('json').limit(limit).offset(offset).execute();
    return { items: rows.map((row) => row.json as Json<Product>), total };
  });
}

/** As `readProducts`, for use inside an application. */
export async function listProducts(ctx: Context, query: ProductQueryInput = {}): Promise<List<Product>> {
  return fromJsonList(await readProducts(ctx, query));
}

async function countByStatus(db: Db, storeId: string, status?: string): Promise<number> {
  const counts = await listCounts(db, storeId, 'products.status');
  const counted: readonly string[] = status ? [status] : productStatuses;
  return counted.reduce((sum, value) => sum + (counts.get(value) ?? 0), 0);
}

function living(db: Db, storeId: string) {
  return newest(db).where('store_id', '=', storeId).where('status', '<>', sql.lit('deleted'));
}

function newest(db: Db) {
  return db.selectFrom('products').orderBy('created_at', 'desc').orderBy('id', 'desc');
}
