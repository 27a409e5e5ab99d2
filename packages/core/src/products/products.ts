import { changedFields } from '../audit/audit.ts';
import { toTimestamp } from '../clock.ts';
import { audit, type Context, emit, type TxContext } from '../context.ts';
import { CommerceError, invalid, notFound, quote } from '../errors.ts';
import { isId } from '../ids.ts';
import { fromJson, type Json, toJson } from '../json.ts';
import { parse } from '../parse.ts';
import { nextNumber } from '../storage/counts.ts';
import { lockRows } from '../storage/locks.ts';
import { prepared, preparedChange, preparedColumn, preparedInsert } from '../storage/prepared.ts';
import { foldText } from '../storage/storage.ts';
import { reading, transact } from '../transaction.ts';
import {
  maxStock,
  type Product,
  type ProductChanges,
  type ProductInput,
  productDefaults,
  productFields,
} from './fields.ts';
import { checkReferences } from './references.ts';
import type { ProductTable } from './table.ts';

const insertProduct = preparedInsert<ProductTable>('products');

/**
 * Makes a product; `title`, `slug` and `price` are required, the status is `draft` unless said otherwise.
 * Emits `product.created`.
 * @throws CommerceError `validation`; `conflict` when the slug or the SKU belongs to another product.
 */
export async function createProduct(ctx: Context, input: ProductInput): Promise<Product> {
  const given = parse(productFields(ctx.store.decimals).create, input);
  return unique(ctx, given, () =>
    transact(ctx, async (tx) => {
      const now = toTimestamp(tx.now);
      const { title, slug, price, ...optional } = given;
      const product = toProduct({
        ...productDefaults,
        ...definedOnly(optional),
        id: tx.engine.ids.next(tx.now),
        storeId: tx.store.id,
        title,
        slug,
        price,
        publishedAt: given.status === 'published' ? now : null,
        createdAt: now,
        updatedAt: now,
      });
      if (product.stock < 0) throw negativeStock(product.stock);
      await checkReferences(tx, product);
      const number = await nextNumber(tx.db, tx.store.id, 'products');
      const json = toJson(product);
      await insertProduct(tx.db, [
        { store_id: product.storeId, id: product.id, number, ...columns(product), created_at: tx.now, json },
      ]);
      await tx.engine.storage.search.put(tx.db, { storeNumber: tx.store.number, number }, searchText(product));
      tx.pending.counts.move('products.status', undefined, product.status);
      emit(tx, 'product.created', product.id, json);
      audit(tx, { action: 'product.created', resourceType: 'product', resourceId: product.id });
      return product;
    }),
  );
}

/**
 * Changes the given fields: an absent one keeps its value, null clears an optional one, `attributes` are replaced whole.
 * Emits `product.updated`, unless nothing changes.
 * @throws CommerceError `validation`, `notFound`; `conflict` when the slug or the SKU belongs to another product.
 */
export async function updateProduct(ctx: Context, id: string, input: ProductChanges): Promise<Product> {
  const given = parse(productFields(ctx.store.decimals).update, input);
  return unique(ctx, given, () =>
    transact(ctx, async (tx) => {
      const { row, product: before } = await lockProduct(tx, id);
      const merged = toProduct({ ...before, ...definedOnly(given) });
      const changes = changedFields(before, merged);
      if (Object.keys(changes).length === 0) return before;
      if (changes.stock && merged.stock < 0) throw negativeStock(merged.stock);
      await checkReferences(tx, merged, before);
      const now = toTimestamp(tx.now);
      const product: Product = {
        ...merged,
        publishedAt: before.publishedAt ?? (merged.status === 'published' ? now : null),
        updatedAt: now,
      };
      const json = await writeProduct(tx, product);
      const text = searchText(product);
      if (text !== searchText(before)) {
        await tx.engine.storage.search.put(tx.db, { storeNumber: tx.store.number, number: row.number }, text);
      }
      tx.pending.counts.move('products.status', before.status, product.status);
      emit(tx, 'product.updated', id, json);
      audit(tx, { action: 'product.updated', resourceType: 'product', resourceId: id, changes });
      return product;
    }),
  );
}

/**
 * Deletes a product: it is gone from every answer, its slug and SKU are free again, orders keep their snapshots of it.
 * Emits `product.deleted` with its last state.
 * @throws CommerceError `notFound`
 */
export async function deleteProduct(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const { row, product: before } = await lockProduct(tx, id);
    const product: Product = { ...before, status: 'deleted', updatedAt: toTimestamp(tx.now) };
    const json = await writeProduct(tx, product);
    await tx.engine.storage.search.remove(tx.db, { storeNumber: tx.store.number, number: row.number });
    tx.pending.counts.move('products.status', before.status, undefined);
    emit(tx, 'product.deleted', id, json);
    audit(tx, { action: 'product.deleted', resourceType: 'product', resourceId: id });
  });
}

const livingJson = preparedColumn<{ storeId: string; id: string }, string>((db, p) =>
  db
    .selectFrom('products')
    .select('json')
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id'))
    .where('status', '<>', 'deleted'),
);

/** @throws CommerceError `notFound`, also for the id of another store's product and for a malformed one. */
export async function readProduct(ctx: Context, id: string): Promise<Json<Product>> {
  if (!isId(id)) throw notFound('product', id);
  const [json] = await reading(ctx.engine.storage, (db) => livingJson(db, { storeId: ctx.store.id, id }));
  if (json === undefined) throw notFound('product', id);
  return json as Json<Product>;
}

/** As `readProduct`, for use inside an application. */
export async function getProduct(ctx: Context, id: string): Promise<Product> {
  return fromJson(await readProduct(ctx, id));
}

/** The one place that says which fields a product has and in which order they are printed. */
function toProduct(from: Product): Product {
  return {
    id: from.id,
    storeId: from.storeId,
    title: from.title,
    slug: from.slug,
    status: from.status,
    publishedAt: from.publishedAt,
    description: from.description,
    price: from.price,
    compareAtPrice: from.compareAtPrice,
    sku: from.sku,
    barcode: from.barcode,
    variantGroupId: from.variantGroupId,
    attributes: from.attributes,
    trackStock: from.trackStock,
    stock: from.stock,
    allowBackorder: from.allowBackorder,
    lowStockThreshold: from.lowStockThreshold,
    categoryIds: from.categoryIds,
    primaryMediaId: from.primaryMediaId,
    mediaIds: from.mediaIds,
    seoTitle: from.seoTitle,
    seoDescription: from.seoDescription,
    seoKeywords: from.seoKeywords,
    seoImageId: from.seoImageId,
    createdAt: from.createdAt,
    updatedAt: from.updatedAt,
  };
}

function columns(product: Product) {
  return {
    status: product.status,
    slug: product.slug,
    sku: product.sku,
    variant_group_id: product.variantGroupId,
    track_stock: product.trackStock ? 1 : 0,
    stock: product.stock,
    allow_backorder: product.allowBackorder ? 1 : 0,
  } as const;
}

function searchText(product: Product): string {
  // A separator that no search can span by accident.
  return foldText([product.title, product.description ?? '', product.sku ?? ''].join('\u001f'));
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

/** The product with its row kept from changing until the transaction ends. */
async function lockProduct(tx: TxContext, id: string): Promise<{ row: ProductTable; product: Product }> {
  if (!isId(id)) throw notFound('product', id);
  const [row] = await lockedRow(tx.db, { storeId: tx.store.id, id });
  if (!row) throw notFound('product', id);
  return { row, product: JSON.parse(row.json) };
}

const updateRow = preparedChange<{ storeId: string; id: string; json: string } & ReturnType<typeof columns>>((db, p) =>
  db
    .updateTable('products')
    .set({
      status: p('status'),
      slug: p('slug'),
      sku: p('sku'),
      variant_group_id: p('variant_group_id'),
      track_stock: p('track_stock'),
      stock: p('stock'),
      allow_backorder: p('allow_backorder'),
      json: p('json'),
    })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id')),
);

/** Writes a changed product over the locked one it came from. Answers its text, for events. */
async function writeProduct(tx: TxContext, product: Product): Promise<Json<Product>> {
  const json = toJson(product);
  await updateRow(tx.db, { storeId: tx.store.id, id: product.id, ...columns(product), json });
  return json;
}

/** Runs a write and says which rule it broke when the slug or the SKU is taken. */
async function unique<T>(
  ctx: Context,
  given: Pick<ProductChanges, 'slug' | 'sku'>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const rule = ctx.engine.storage.uniqueViolation(error);
    if (rule !== 'products.slug' && rule !== 'products.sku') throw error;
    const field = rule === 'products.slug' ? 'slug' : 'sku';
    const reason = `${quote(given[field])} already exists on another product`;
    throw new CommerceError('conflict', `${field} ${reason}`, { details: [{ field, reason }], cause: error });
  }
}

function negativeStock(stock: number): CommerceError {
  return invalid('stock', `must be a whole number from 0 to ${maxStock}, not ${stock}`);
}

/** The fields that were given: an absent one must not overwrite. */
function definedOnly<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}
