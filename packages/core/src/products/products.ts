import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import { itemsOf, publishedAlone } from '../collection/items.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { transact, type UniqueRules } from '../engine/transaction.ts';
import { emit } from '../events/emit.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError, invalid, notFound, quote } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { fromJson, type Json, toJson } from '../kernel/json.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { changedNow, newlyMade } from '../resources/publishing.ts';
import { checkReferences, type Reference } from '../resources/references.ts';
import { takeNumber } from '../resources/sequences.ts';
import { requireVersion } from '../resources/versions.ts';
import { lockRows } from '../storage/locks.ts';
import { changedColumns, prepared, preparedInsert, preparedUpdate } from '../storage/prepared.ts';
import type { ProductTable } from '../storage/tables/products.ts';
import { maxStock, type Product, type ProductChanges, type ProductInput, productEntity } from './fields.ts';
import { updateListing } from './listing.ts';
import { runsLow } from './low-stock.ts';
import { asSeen } from './public.ts';

const insertProduct = preparedInsert<ProductTable>('products');

/**
 * Creates a product; `title`, `slug` and `price` are required, `status` defaults to `draft`. Emits `product.created`.
 * @throws CommerceError `validation`; `conflict` when the slug or the SKU belongs to another product.
 */
export async function createProduct(ctx: Context, input: ProductInput): Promise<Product> {
  const given = parse(productEntity.inputs(ctx.store.decimals).create, input);
  const number = await takeNumber(ctx, 'products');
  return transact(
    ctx,
    async (tx) => {
      const stated = { ...productEntity.initial, ...definedOnly(given) };
      const product = productEntity.of({ ...stated, ...newlyMade(tx, stated.status) });
      if (product.stock < 0) throw negativeStock(product.stock);
      await checkReferences(tx, productReferences(product));
      const json = toJson(product);
      await insertProduct(tx.db, [
        {
          store_id: product.storeId,
          id: product.id,
          number,
          ...productColumns(product, false),
          created_at: tx.now,
          json,
        },
      ]);
      await updateListing(tx, { after: product, number });
      emit(tx, 'product.created', product.id, json);
      audit(tx, { action: 'product.created', resourceType: 'product', resourceId: product.id });
      return product;
    },
    unique(given),
  );
}

/**
 * Changes the given fields: an absent one keeps its value, null clears an optional one, `attributes` are replaced whole. If orders have
 * moved the stock since the last change, a caller that sets `stock` must have seen the present one. `Context.expected` or the product's
 * `updatedAt` proves that. Emits `product.updated`, unless nothing changes.
 * @throws CommerceError `validation`, `notFound`; `conflict` when the slug or the SKU belongs to another product, or when orders have moved
 * the stock since.
 */
export async function updateProduct(ctx: Context, id: string, input: ProductChanges): Promise<Product> {
  const given = parse(productEntity.inputs(ctx.store.decimals).update, input);
  return transact(
    ctx,
    async (tx) => {
      const { row, product: before } = await lockProduct(tx, id);
      const merged = productEntity.of({ ...before, ...definedOnly(given) });
      const changes = changedFields(before, merged);
      if (Object.keys(changes).length === 0) return before;
      if (changes.stock && merged.stock < 0) throw negativeStock(merged.stock);
      if (changes.stock) checkSeen(tx, row.stock_moved === 1, before, input);
      await checkReferences(tx, productReferences(merged, before));
      const product = changedNow(tx, before, merged);
      const isMoved = staysMoved(row.stock_moved === 1, before, input);
      const json = await writeProduct(tx, row, product, isMoved);
      await updateListing(tx, { before, after: product, number: row.number });
      emit(tx, 'product.updated', id, json);
      audit(tx, { action: 'product.updated', resourceType: 'product', resourceId: id, changes });
      return product;
    },
    unique(given),
  );
}

/**
 * Deletes a product: answers no longer contain it, and its slug and SKU are free again. Orders keep their snapshots of it. Emits
 * `product.deleted` with its last state.
 * @throws CommerceError `notFound`
 */
export async function deleteProduct(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { row, product: before } = await lockProduct(tx, id);
    const product: Product = { ...before, status: 'deleted', updatedAt: toTimestamp(tx.now) };
    const json = await writeProduct(tx, row, product, row.stock_moved === 1);
    await updateListing(tx, { before, number: row.number });
    emit(tx, 'product.deleted', id, json);
    audit(tx, { action: 'product.deleted', resourceType: 'product', resourceId: id });
  });
}

const products = itemsOf<Product>('products', 'product', true, {
  entity: productEntity,
  publicView: { ...publishedAlone, text: asSeen },
});

/** @throws CommerceError `notFound`, also for the id of another store's product and for a malformed one. */
export const getProductJson = products.read;

/** Like `getProductJson`, for use inside an application. */
export async function getProduct(ctx: Context, id: string): Promise<Product> {
  return fromJson(await getProductJson(ctx, id));
}

/** @param isMoved whether orders have moved the stock since it was last set */
export function productColumns(product: Product, isMoved: boolean) {
  return {
    status: product.status,
    slug: product.slug,
    sku: product.sku,
    variant_group_id: product.variantGroupId,
    track_stock: product.trackStock ? 1 : 0,
    stock: product.stock,
    stock_moved: isMoved ? 1 : 0,
    allow_backorder: product.allowBackorder ? 1 : 0,
    low_stock: runsLow(product),
    shape: productEntity.shapeNumber,
  } as const;
}

const lockedRow = prepared<{ storeId: string; id: string }, ProductTable>((db, p) =>
  lockRows(
    db,
    db
      .selectFrom('products')
      .selectAll()
      .where('store_id', '=', p('storeId'))
      .where('id', '=', p('id'))
      .where('status', '<>', 'deleted'),
  ),
);

/** Reads a product and locks its row until the transaction ends. */
export async function lockProduct(tx: TxContext, id: string): Promise<{ row: ProductTable; product: Product }> {
  if (!isId(id)) throw notFound('product', id);
  const [row] = await lockedRow(tx.db, { storeId: tx.store.id, id });
  if (!row) throw notFound('product', id);
  const json = productEntity.upToDate(row.json as Json<Product>, row.shape);
  requireVersion(tx, id, () => json);
  return { row, product: fromJson(json) };
}

const updateRow = preparedUpdate<ProductTable>('products');

/** Overwrites the locked row with the changed product. Returns the product's text, for events. */
async function writeProduct(
  tx: TxContext,
  row: ProductTable,
  product: Product,
  isMoved: boolean,
): Promise<Json<Product>> {
  const json = toJson(product);
  await updateRow(
    tx.db,
    { store_id: row.store_id, id: row.id },
    changedColumns(row, { ...row, ...productColumns(product, isMoved), json }),
  );
  return json;
}

function unique({ slug, sku }: Pick<ProductChanges, 'slug' | 'sku'>): UniqueRules {
  const taken = 'already exists on another product';
  return {
    'products.slug': { field: 'slug', value: slug, taken },
    'products.sku': { field: 'sku', value: sku, taken },
  };
}

/** Fields of a change that name the new stock and the state of the product that the caller has read. */
interface StockChange {
  stock?: number | undefined;
  updatedAt?: string | undefined;
}

/** Refuses a stock that would bring back pieces that were sold after the caller had read the product. */
export function checkSeen(tx: TxContext, isMoved: boolean, before: Product, input: StockChange): void {
  const hasSeen = input.updatedAt === undefined ? tx.expected?.id === before.id : input.updatedAt === before.updatedAt;
  if (!isMoved || hasSeen) return;
  const reason =
    `orders have moved it to ${before.stock} since it was last set, so it cannot be set to ${quote(input.stock)} unseen: ` +
    'send the updatedAt or If-Match of the product as it is now, or adjust the stock by a difference';
  throw new CommerceError('conflict', `stock: ${reason}`, { details: [{ field: 'stock', reason }] });
}

/** The ids that a product names, to check the newly named ones. */
export function productReferences(product: Product, before?: Product): Reference[] {
  return [
    { field: 'categoryIds', to: 'category', ids: product.categoryIds, before: before?.categoryIds },
    { field: 'mediaIds', to: 'media', ids: product.mediaIds, before: before?.mediaIds },
    { field: 'primaryMediaId', to: 'media', ids: [product.primaryMediaId], before: [before?.primaryMediaId ?? null] },
    { field: 'seoImageId', to: 'media', ids: [product.seoImageId], before: [before?.seoImageId ?? null] },
  ];
}

export function negativeStock(stock: number): CommerceError {
  return invalid('stock', `must be a whole number from 0 to ${maxStock}, not ${stock}`);
}

/**
 * Whether a product's stock still counts as moved by orders after an allowed change. Only a change that names the stock resets this, and
 * only if it was made from the current state of the product.
 */
export function staysMoved(wasMoved: boolean, before: Product, { stock, updatedAt }: StockChange): boolean {
  return wasMoved && (stock === undefined || (updatedAt !== undefined && updatedAt !== before.updatedAt));
}
