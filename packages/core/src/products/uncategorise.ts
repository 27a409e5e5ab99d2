import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import type { TxContext } from '../engine/context.ts';
import { emit } from '../events/emit.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { toJson } from '../kernel/json.ts';
import { lockRows } from '../storage/locks.ts';
import { preparedChange } from '../storage/prepared.ts';
import { categoryFacet, type Facet, type Place } from './facets.ts';
import { type Product, productEntity } from './fields.ts';
import { unlistUpTo } from './listing.ts';

/** Products per transaction: few enough to block neither the thread nor the write lock for long. */
const batchSize = 100;

const setJson = preparedChange<{ storeId: string; id: string; json: string }>((db, p) =>
  db
    .updateTable('products')
    .set({ json: p('json') })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id')),
);

/**
 * Removes a deleted category from a batch of the products that name it. Emits `product.updated` for each.
 * @returns whether more products may remain
 */
export async function removeCategoryFromSome(tx: TxContext, categoryId: string): Promise<boolean> {
  const facet = categoryFacet(categoryId);
  const members = await firstMembers(tx, facet);
  const last = members.at(-1);
  if (!last) return false;
  const now = toTimestamp(tx.now);
  const rows = await lockRows(
    tx.db,
    tx.db
      .selectFrom('products')
      .select(['id', 'json'])
      .where('store_id', '=', tx.store.id)
      .where(
        'id',
        'in',
        members.map((member) => member.product_id),
      )
      .orderBy('id'),
  ).execute();
  let published = 0;
  for (const row of rows) {
    const before = productEntity.read(row.json);
    // While this transaction waited for the row, another one may have deleted the product or removed it from the category.
    if (before.status === 'deleted' || !before.categoryIds.includes(categoryId)) continue;
    if (before.status === 'published') published++;
    const product: Product = {
      ...before,
      categoryIds: before.categoryIds.filter((id) => id !== categoryId),
      updatedAt: now,
    };
    const json = toJson(product);
    await setJson(tx.db, { storeId: tx.store.id, id: product.id, json });
    emit(tx, 'product.updated', product.id, json);
    const changes = changedFields(before, product);
    audit(tx, { action: 'product.updated', resourceType: 'product', resourceId: product.id, changes });
  }
  // A product cannot join a deleted category, so these are still the first members.
  await unlistUpTo(tx, facet, last, published);
  return members.length === batchSize;
}

/** The first products of a category, in the order of the index. */
function firstMembers(tx: TxContext, [facet, value]: Facet): Promise<Place[]> {
  return tx.db
    .selectFrom('product_facets')
    .select(['created_at', 'product_id'])
    .where('store_id', '=', tx.store.id)
    .where('facet', '=', facet)
    .where('value', '=', value)
    .orderBy('created_at')
    .orderBy('product_id')
    .limit(batchSize)
    .execute();
}
