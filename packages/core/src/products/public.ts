import { sql } from 'kysely';
import { type Context, lastsUntil } from '../engine/context.ts';
import type { Json, List } from '../kernel/json.ts';
import { readShown } from '../resources/public-view.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import { type Product, productEntity } from './fields.ts';

/** The largest stock that public actors see, so that they cannot tell how much a shop sells. */
export const maxSeenStock = 10;

/**
 * How many pieces of the products are held for orders, and until when the first of them is; and which categories are published. One
 * statement reads both, by ids of either kind.
 */
const heldAndPublished = preparedPerLength<{ storeId: string; now: number }, HeldOrPublished>((db, p, ids) =>
  db
    .selectFrom('reservations')
    .select((eb) => [
      'product_id as id',
      eb.fn.sum<number>('quantity').as('held'),
      eb.fn.min<number | null>('expires_at').as('until'),
    ])
    .where('store_id', '=', p('storeId'))
    .where('product_id', 'in', ids)
    .where('expires_at', '>', p('now'))
    .groupBy('product_id')
    .unionAll(
      db
        .selectFrom('categories')
        .select(['id', sql<number>`0`.as('held'), sql<number | null>`null`.as('until')])
        .where('store_id', '=', p('storeId'))
        .where('id', 'in', ids)
        .where('status', '=', sql.lit('published')),
    ),
);

interface HeldOrPublished {
  id: string;
  held: number;
  until: number | null;
}

/** Ids per statement. */
const maxIds = 500;

/**
 * The text of one or many products as a public actor sees it. `stock` is the number that can be bought now, at most `maxSeenStock`. The
 * threshold is null, and only published categories are named.
 */
export async function asSeen<T extends Product | List<Product>>(ctx: Context, json: Json<T>): Promise<Json<T>> {
  const shown = readShown(productEntity, json as Json<Product>);
  await hideFromPublic(ctx, shown.items);
  return shown.print() as Json<T>;
}

/** Products as a public actor sees them, from their stored texts. */
export async function seenProducts(ctx: Context, texts: readonly Json<Product>[]): Promise<Product[]> {
  const items = texts.flatMap((json) => readShown(productEntity, json).items);
  await hideFromPublic(ctx, items);
  return items;
}

async function hideFromPublic(ctx: Context, items: readonly Product[]): Promise<void> {
  const ids = new Set<string>();
  for (const { id, trackStock, categoryIds } of items) {
    if (trackStock) ids.add(id);
    for (const category of categoryIds) ids.add(category);
  }
  const found = await readHeldAndPublished(ctx, [...ids]);
  for (const product of items) {
    const available = product.stock - (product.trackStock ? (found.get(product.id) ?? 0) : 0);
    product.stock = Math.max(0, Math.min(maxSeenStock, available));
    product.categoryIds = product.categoryIds.filter((category) => found.has(category));
  }
}

/** The pieces held of each product, and 0 for each published category. */
export async function readHeldAndPublished(ctx: Context, ids: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const at = { storeId: ctx.store.id, now: ctx.engine.clock.now() };
  for (let i = 0; i < ids.length; i += maxIds) {
    const some = ids.slice(i, i + maxIds);
    const rows = await reading(ctx.engine.storage, (db) => heldAndPublished(db, at, some));
    for (const { id, held, until } of rows) {
      found.set(id, Number(held));
      if (until !== null) lastsUntil(ctx, Number(until));
    }
  }
  return found;
}
