import { bulkOf, requireFields } from '../collection/bulk.ts';
import type { TxContext } from '../engine/context.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { changedNow, newlyMade } from '../resources/publishing.ts';
import { takeNumbers } from '../resources/sequences.ts';
import { type Product, productEntity } from './fields.ts';
import { listNew, updateListing } from './listing.ts';
import { checkSeen, negativeStock, productColumns, productReferences, staysMoved } from './products.ts';

/**
 * Creates and changes many products in one transaction, by the rules of `createProduct` and `updateProduct`. Emits `product.created` and
 * `product.updated`, unless the options turn events off.
 */
export const importProducts = bulkOf<Product>({
  table: 'products',
  noun: 'product',
  softDeleted: true,
  entity: productEntity,
  keys: [
    { column: 'slug', field: 'slug', of: ({ slug }) => slug, ofInput: ({ slug }) => textOf(slug) },
    { column: 'sku', field: 'sku', of: ({ sku }) => sku, ofInput: ({ sku }) => textOf(sku) },
  ],
  parse: (ctx, input) => ({
    ...parse(productEntity.inputs(ctx.store.decimals).update, input),
    // Proves that the caller has seen the stored stock; it is not written.
    seenAt: input.updatedAt,
  }),
  create(tx, given, kept) {
    requireFields(productEntity, given);
    const stated = { ...productEntity.initial, ...definedOnly(given) };
    const product = productEntity.of({ ...stated, ...newlyMade(tx, stated.status), ...kept });
    if (product.stock < 0 && !kept) throw negativeStock(product.stock);
    return product;
  },
  merge(tx, before, { seenAt, ...given }, options, isMoved) {
    const merged = productEntity.of({ ...before, ...(definedOnly(given) as Partial<Product>) });
    // The order of columns in a file has no meaning.
    if (isSame(before.attributes, merged.attributes)) merged.attributes = before.attributes;
    if (merged.stock !== before.stock) {
      if (merged.stock < 0) throw negativeStock(merged.stock);
      const seen = { stock: merged.stock, updatedAt: seenAt as string | undefined };
      if (!options.overwriteStock) checkSeen(tx, isMoved, before, seen);
    }
    return merged;
  },
  staysMoved(before, { seenAt, stock }, { overwriteStock = false }, wasMoved) {
    const seen = { stock: stock as number | undefined, updatedAt: seenAt as string | undefined };
    return staysMoved(wasMoved, before, overwriteStock ? { stock: seen.stock } : seen);
  },
  touch: (tx, before, merged) => changedNow(tx, before, merged),
  references: (product, before) => productReferences(withLists(product), before),
  columns: (product, number, isMoved) => ({ number, ...productColumns(product, isMoved) }),
  changed: [
    'status',
    'slug',
    'sku',
    'variant_group_id',
    'track_stock',
    'stock',
    'stock_moved',
    'allow_backorder',
    'low_stock',
    'shape',
  ],
  async list(tx: TxContext, written) {
    for (const { before, after, number } of written) if (before) await updateListing(tx, { before, after, number });
    const created = written.filter(({ before }) => before === undefined);
    await listNew(
      tx,
      created.map(({ after, number }) => ({ product: after, number })),
    );
  },
  takeNumbers: (ctx, count) => takeNumbers(ctx, 'products', count),
});

/** A product, or the input of a row, which can leave the lists out. */
function withLists(product: Product): Product {
  return { ...product, categoryIds: product.categoryIds ?? [], mediaIds: product.mediaIds ?? [] };
}

function isSame(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
