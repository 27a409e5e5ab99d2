import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Json, List } from '../json.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { Product } from './fields.ts';

/** Most of a stock that everybody may see: how much a shop sells is its own matter. */
export const maxSeenStock = 10;

/**
 * The beginning of a product's text, and its part about stock. Nothing else looks like them, whatever a shop writes into a product:
 * quotation marks inside JSON strings are escaped, attributes have texts alone, and no object of a product stands behind `[` or `,`.
 */
const parts =
  /(?:^|[[,])\{"id":"([^"]+)","storeId":|"trackStock":(true|false),"stock":(-?\d+),"allowBackorder":(true|false),"lowStockThreshold":(?:null|\d+),"categoryIds":\[([^\]]*)\]/g;

/** How much of some products is held for orders, and which of some categories are published: ids of either kind, in one statement. */
const heldAndPublished = preparedPerLength<{ storeId: string; now: number }, { id: string; held: number }>(
  (db, p, ids) =>
    db
      .selectFrom('reservations')
      .select((eb) => ['product_id as id', eb.fn.sum<number>('quantity').as('held')])
      .where('store_id', '=', p('storeId'))
      .where('product_id', 'in', ids)
      .where('expires_at', '>', p('now'))
      .groupBy('product_id')
      .unionAll(
        db
          .selectFrom('categories')
          .select((eb) => ['id', eb.lit(0).as('held')])
          .where('store_id', '=', p('storeId'))
          .where('id', 'in', ids)
          .where('status', '=', sql.lit('published')),
      ),
);

/** Ids asked for in one statement. */
const maxIds = 500;

/**
 * The text of one or many products as a public actor sees it: `stock` is what can be bought at this moment, at most `maxSeenStock`; no
 * threshold; of the categories those that are published.
 */
export async function asSeen<T extends Product | List<Product>>(ctx: Context, json: Json<T>): Promise<Json<T>> {
  const ids = new Set<string>();
  let product = '';
  for (const [, id, tracksStock, , , categoryIds = ''] of json.matchAll(parts)) {
    if (id !== undefined) product = id;
    else if (tracksStock === 'true') ids.add(product);
    for (const category of idsIn(categoryIds)) ids.add(category);
  }
  const found = await readHeldAndPublished(ctx, [...ids]);
  return json.replace(parts, (part, id, tracksStock, stock, allowBackorder, categoryIds) => {
    if (id !== undefined) {
      product = id;
      return part;
    }
    const available = Number(stock) - (tracksStock === 'true' ? (found.get(product) ?? 0) : 0);
    const seen = Math.max(0, Math.min(maxSeenStock, available));
    const shown = idsIn(categoryIds).filter((category) => found.has(category));
    return `"trackStock":${tracksStock},"stock":${seen},"allowBackorder":${allowBackorder},"lowStockThreshold":null,"categoryIds":${JSON.stringify(shown)}`;
  }) as Json<T>;
}

/** What is held of the products, and 0 for each of the categories that is published. */
async function readHeldAndPublished(ctx: Context, ids: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const at = { storeId: ctx.store.id, now: ctx.engine.clock.now() };
  for (let i = 0; i < ids.length; i += maxIds) {
    const some = ids.slice(i, i + maxIds);
    const rows = await reading(ctx.engine.storage, (db) => heldAndPublished(db, at, some));
    for (const { id, held } of rows) found.set(id, Number(held));
  }
  return found;
}

/** Ids of a JSON array, without its brackets. */
function idsIn(array: string): string[] {
  return array === '' ? [] : (JSON.parse(`[${array}]`) as string[]);
}
