import { sql } from 'kysely';
import type { Context } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { quarterOf } from '../kernel/calendar.ts';
import type { List } from '../kernel/json.ts';
import { formatMoney } from '../kernel/money.ts';
import { parse } from '../kernel/parse.ts';
import type { Product } from '../products/fields.ts';
import { countUpTo, type Window } from '../resources/bounded.ts';
import { snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import { type BestSeller, BestSellerQuery, type BestSellerQueryInput } from './fields.ts';
import { checkDays, rangeOf, shopCalendar } from './sales.ts';

/**
 * The products of which most pieces were sold in some time, from sums that are kept with each payment: by pieces, then by amount. The time
 * is that of `getSales` in the shop's time zone. Refunds name no products and change nothing. Without `from`, the thirty days before
 * `to`; without `to`, up to the end of today.
 * @returns with the number of all products that were sold
 * @throws CommerceError `validation`, also for more than ten years
 */
export async function getBestSellers(ctx: Context, query: BestSellerQueryInput = {}): Promise<List<BestSeller>> {
  refusePublic(ctx);
  const { limit, offset, ...given } = parse(BestSellerQuery, query);
  const calendar = await shopCalendar(ctx);
  const { from, to } = rangeOf(calendar, given, ctx.engine.clock.now());
  checkDays(calendar, { from, to });
  const range = { storeId: ctx.store.id, from: quarterOf(from), to: quarterOf(to) };
  return snapshotOrScan(ctx, async (db, maxRows) => {
    if ((await countUpTo(db, sold(db, range), maxRows)) === undefined) return undefined;
    const { rows, total } = await readBest(db, range, { limit, offset });
    const products = await readProducts(
      db,
      ctx.store.id,
      rows.map(({ productId }) => productId),
    );
    const items = rows.map(({ productId, quantity, gross }): BestSeller => {
      const { title = null, sku = null, primaryMediaId = null, mediaIds = [] } = products.get(productId) ?? {};
      // Without a chosen main image, the first one is the main one.
      const mainId = primaryMediaId ?? mediaIds[0] ?? null;
      return {
        productId,
        title,
        sku,
        primaryMediaId: mainId,
        quantity,
        gross: formatMoney(BigInt(gross), ctx.store.decimals),
      };
    });
    return { items, total };
  });
}

interface Range {
  storeId: string;
  from: string;
  to: string;
}

/** Sums of quarters of an hour, one for each product and quarter. */
function sold(
  db: Db,
  { storeId, from, to }: Range,
  list: 'sales.productQuantity' | 'sales.productGross' = 'sales.productQuantity',
) {
  return db
    .selectFrom('list_totals')
    .where('store_id', '=', storeId)
    .where('list', '=', list)
    .where('value', '>=', from)
    .where('value', '<', to);
}

interface Sold {
  productId: string;
  quantity: number;
  gross: number;
}

async function readBest(db: Db, range: Range, { limit, offset }: Window): Promise<{ rows: Sold[]; total: number }> {
  // After a time such as 2027-08-01T00:15 and a space.
  const productId = sql<string>`substr(value, 18)`;
  const zero = sql<number>`0`;
  const both = sold(db, range)
    .select([productId.as('product'), 'n as pieces', zero.as('amount')])
    .unionAll(
      sold(db, range, 'sales.productGross').select([productId.as('product'), zero.as('pieces'), 'n as amount']),
    );
  const products = db
    .selectFrom(both.as('both_of_them'))
    .select((eb) => [
      'product as productId',
      eb.fn.sum<number>('pieces').as('quantity'),
      eb.fn.sum<number>('amount').as('gross'),
    ])
    .groupBy('product')
    // An order that was erased leaves sums of nothing.
    .having((eb) => eb.fn.sum<number>('pieces'), '>', 0);
  const rows = await products
    .orderBy('quantity', 'desc')
    .orderBy('gross', 'desc')
    .orderBy('productId')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await db
    .selectFrom(products.as('products'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

async function readProducts(
  db: Db,
  storeId: string,
  ids: readonly string[],
): Promise<Map<string, Pick<Product, 'title' | 'sku' | 'primaryMediaId' | 'mediaIds'>>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('products')
    .select(['id', 'json'])
    .where('store_id', '=', storeId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, json }) => [id, JSON.parse(json)]));
}
