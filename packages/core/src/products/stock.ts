import type { Context, TxContext } from '../engine/context.ts';
import { emit } from '../events/emit.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError } from '../kernel/errors.ts';
import { toJson } from '../kernel/json.ts';
import { pendingCounts } from '../resources/counts.ts';
import { feedChanged } from '../resources/feed-version.ts';
import type { Flag } from '../storage/flag.ts';
import { lockRows } from '../storage/locks.ts';
import {
  changedColumns,
  preparedChange,
  preparedInsert,
  preparedPerLength,
  preparedUpdate,
} from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { ProductTable, ReservationTable } from '../storage/tables/products.ts';
import { countedInStock, stockFlags } from './columns.ts';
import { maxStock, type Product, productEntity } from './fields.ts';
import { runsLow } from './low-stock.ts';
import { maxSeenStock } from './public.ts';
import { invalidateTotals } from './totals.ts';

/** The end of a reservation without end: the last time that JavaScript can express, in milliseconds. */
export const withoutEnd = 8_640_000_000_000_000;

/** A product and a number of pieces. */
export interface Quantity {
  productId: string;
  quantity: number;
}

/** A product with less stock than wanted. */
export interface Shortage extends Quantity {
  /** Pieces that no other order has reserved. */
  available: number;
}

const updateStock = preparedUpdate<ProductTable>('products');

/**
 * Takes the lines' quantities from the stock of all products that track it, or of none if one falls short. Pieces that other orders have
 * reserved cannot be taken; this order's own reservations can. A product that does not track stock, or that was deleted since, is not
 * limited. Emits `product.updated` for each product whose stock changes, and `product.low_stock` for each that falls to its
 * `lowStockThreshold` (0 if null) or below it. Returns what was taken.
 * @throws CommerceError `insufficientStock` naming each product that falls short; nothing is written then.
 */
export async function takeStock(tx: TxContext, orderId: string, lines: readonly Quantity[]): Promise<Quantity[]> {
  const wanted = perProduct(lines);
  const stocked = await trackedProducts(tx, wanted, lockTracked);
  const shortages = await shortagesOf(tx, orderId, stocked, wanted);
  if (shortages.length > 0) throw insufficientStock(tx, shortages);
  const taken = wanted.filter(({ productId }) => stocked.has(productId));
  for (const { productId, quantity } of taken) {
    const before = stocked.get(productId) as Product;
    const product = await moveStock(tx, before, -quantity);
    if (runsLow(product) > runsLow(before)) emit(tx, 'product.low_stock', product.id, toJson(product));
  }
  return taken;
}

/**
 * Returns to the stock what an order took. Skips products that were deleted since or no longer track their stock. Emits `product.updated`
 * for each product whose stock changes.
 */
export async function returnStock(tx: TxContext, taken: readonly Quantity[]): Promise<void> {
  const back = perProduct(taken);
  if (back.length === 0) return;
  const stocked = await trackedProducts(tx, back, lockTracked);
  for (const { productId, quantity } of back) {
    const product = stocked.get(productId);
    // If the stock was counted again since, it may not have room for all of it.
    const room = product ? Math.min(quantity, maxStock - product.stock) : 0;
    if (product && room > 0) await moveStock(tx, product, room);
  }
}

/**
 * Changes the stock of a locked product by a difference. Emits `product.updated`.
 * @param moved whether orders have moved the stock since it was last set; a client then has to see it before it sets it
 */
export async function moveStock(tx: TxContext, before: Product, change: number, moved: Flag = 1): Promise<Product> {
  const product: Product = { ...before, stock: before.stock + change, updatedAt: toTimestamp(tx.now) };
  const json = toJson(product);
  const [had, has] = [stockFlags(before), stockFlags(product)];
  const written = await updateStock(
    tx.db,
    { store_id: tx.store.id, id: product.id, stock: before.stock },
    { stock: product.stock, stock_moved: moved, json, ...changedColumns(had, has) },
  );
  // The rows are locked, so this guard fails only if a lock was lost. Selling twice would be worse than failing.
  if (!written) throw new Error(`the stock of product ${product.id} changed while it was locked`);
  if (had.can_buy !== has.can_buy || had.low_stock !== has.low_stock) {
    pendingCounts(tx).move('products.inStock', countedInStock(before), countedInStock(product));
    invalidateTotals(tx);
  }
  // Also of a product that can be bought on backorder: feeds then say when it is sent.
  if (product.status === 'published' && before.stock > 0 !== product.stock > 0) feedChanged(tx, 'products');
  emit(tx, 'product.updated', product.id, json);
  return product;
}

/**
 * Checks that the unreserved stock covers the lines; reserves nothing.
 * @throws CommerceError `insufficientStock` naming each product that falls short.
 */
export async function checkStock(tx: TxContext, orderId: string, lines: readonly Quantity[]): Promise<void> {
  const wanted = perProduct(lines);
  const shortages = await shortagesOf(tx, orderId, await trackedProducts(tx, wanted, readTracked), wanted);
  if (shortages.length > 0) throw insufficientStock(tx, shortages);
}

/**
 * Reserves the lines' quantities for an order until a time: of all limited products, or of none if one falls short. Replaces earlier
 * reservations of the order.
 * @param until milliseconds
 * @throws CommerceError `insufficientStock` naming each product that falls short; nothing is written then.
 */
export async function reserveStock(
  tx: TxContext,
  orderId: string,
  lines: readonly Quantity[],
  until: number,
): Promise<void> {
  const wanted = perProduct(lines);
  const stocked = await trackedProducts(tx, wanted, lockTracked);
  const shortages = await shortagesOf(tx, orderId, stocked, wanted);
  if (shortages.length > 0) throw insufficientStock(tx, shortages);
  await releaseStock(tx, orderId);
  const rows = wanted
    .filter(({ productId }) => limits(stocked.get(productId)))
    .map(({ productId, quantity }) => ({
      store_id: tx.store.id,
      order_id: orderId,
      product_id: productId,
      quantity,
      expires_at: until,
    }));
  if (rows.length > 0) await insertReservations(tx.db, rows);
}

/** Deletes the reservations of an order. */
export async function releaseStock(tx: TxContext, orderId: string): Promise<void> {
  await deleteReservations(tx.db, { storeId: tx.store.id, orderId });
}

const insertReservations = preparedInsert<ReservationTable>('reservations');

const deleteReservations = preparedChange<{ storeId: string; orderId: string }>((db, p) =>
  db.deleteFrom('reservations').where('store_id', '=', p('storeId')).where('order_id', '=', p('orderId')),
);

/** The pieces of each product that are reserved at present: by all orders, and by one order. */
const reservedPieces = preparedPerLength<
  { storeId: string; orderId: string; now: number },
  { productId: string; all: number; own: number }
>((db, p, ids) =>
  db
    .selectFrom('reservations')
    .select((eb) => [
      'product_id as productId',
      eb.fn.sum<number>('quantity').as('all'),
      eb.fn
        .sum<number>(eb.case().when('order_id', '=', p('orderId')).then(eb.ref('quantity')).else(eb.lit(0)).end())
        .as('own'),
    ])
    .where('store_id', '=', p('storeId'))
    .where('product_id', 'in', ids)
    .where('expires_at', '>', p('now'))
    .groupBy('product_id'),
);

/** Sums per product, sorted by id. Two lines of one product are one demand, and the order prevents deadlocks. */
function perProduct(lines: readonly Quantity[]): Quantity[] {
  const sums = new Map<string, number>();
  for (const { productId, quantity } of lines) sums.set(productId, (sums.get(productId) ?? 0) + quantity);
  return [...sums]
    .map(([productId, quantity]) => ({ productId, quantity }))
    .sort((a, b) => (a.productId < b.productId ? -1 : 1));
}

const tracked = (db: Db, storeId: string, ids: string[]) =>
  db
    .selectFrom('products')
    .select(['id', 'json'])
    .where('store_id', '=', storeId)
    .where('id', 'in', ids)
    .where('status', '<>', 'deleted')
    .where('track_stock', '=', 1)
    .orderBy('id');

const readTracked = preparedPerLength<{ storeId: string }, { id: string; json: string }>((db, p, ids) =>
  tracked(db, p('storeId'), ids),
);

const lockTracked = preparedPerLength<{ storeId: string }, { id: string; json: string }>((db, p, ids) =>
  lockRows(db, tracked(db, p('storeId'), ids)),
);

/** The living products among the given ones that track stock, by id. Read or locked in the order of their ids. */
async function trackedProducts(
  tx: TxContext,
  wanted: readonly Quantity[],
  read: typeof readTracked,
): Promise<Map<string, Product>> {
  const ids = wanted.map((line) => line.productId);
  const rows = await read(tx.db, { storeId: tx.store.id }, ids);
  return new Map(rows.map((row) => [row.id, productEntity.read(row.json)]));
}

/** True if the product's stock limits how many can be sold. */
function limits(product: Product | undefined): product is Product {
  return product !== undefined && !product.allowBackorder;
}

/**
 * The products whose stock, less the reservations of others, does not cover an order. The order's own reservation counts only up to the
 * present stock, because the shop may since have counted less than it had promised.
 */
async function shortagesOf(
  tx: TxContext,
  orderId: string,
  tracked: Map<string, Product>,
  wanted: readonly Quantity[],
): Promise<Shortage[]> {
  const limited = wanted.filter(({ productId }) => limits(tracked.get(productId)));
  if (limited.length === 0) return [];
  const ids = limited.map(({ productId }) => productId);
  // A separate statement after the locks: the locking statement would not see reservations made while it waited.
  const sums = await reservedPieces(tx.db, { storeId: tx.store.id, orderId, now: tx.now }, ids);
  const reserved = new Map(sums.map((sum) => [sum.productId, sum]));
  return limited.flatMap((line) => {
    const { all = 0, own = 0 } = reserved.get(line.productId) ?? {};
    const stock = tracked.get(line.productId)?.stock ?? 0;
    const available = own >= line.quantity ? stock : stock - (all - own);
    return available >= line.quantity ? [] : [{ ...line, available: Math.max(0, available) }];
  });
}

/**
 * The pieces that can be bought now of each given product whose stock limits how many can be sold.
 * @param exceptOrder an order whose reservations do not count, because they end first
 */
export async function availableStock(
  { engine, store }: Context,
  products: readonly Product[],
  exceptOrder = '',
): Promise<Map<string, number>> {
  const limited = new Map(products.filter((one) => one.trackStock && limits(one)).map((one) => [one.id, one.stock]));
  if (limited.size === 0) return limited;
  const at = { storeId: store.id, orderId: exceptOrder, now: engine.clock.now() };
  const sums = await reading(engine.storage, (db) => reservedPieces(db, at, [...limited.keys()]));
  for (const { productId, all, own } of sums) {
    limited.set(productId, Math.max(0, (limited.get(productId) ?? 0) - (Number(all) - Number(own))));
  }
  return limited;
}

/** What is said of a product that falls short. */
export function shortageText({ actor }: Pick<Context, 'actor'>, { productId, quantity, available }: Shortage): string {
  // A storefront key is public, so the error tells no more than the lists do: one answer to all quantities above the shown maximum.
  const isShown = !actor.isPublic || quantity <= maxSeenStock;
  const stock = isShown ? String(available) : `fewer than ${quantity}`;
  return `product ${productId} has ${stock} in stock, ${quantity} wanted`;
}

function insufficientStock(tx: TxContext, shortages: readonly Shortage[]): CommerceError {
  const details = shortages.map((shortage) => {
    return { field: 'items', reason: shortageText(tx, shortage), code: 'INSUFFICIENT_STOCK' as const };
  });
  return new CommerceError(
    'insufficientStock',
    `not enough in stock: ${details.map((detail) => detail.reason).join('; ')}`,
    { details },
  );
}
