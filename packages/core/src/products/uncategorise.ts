import { changedFields } from '../audit/audit.ts';
import { toTimestamp } from '../clock.ts';
import { audit, emit, type TxContext } from '../context.ts';
import { toJson } from '../json.ts';
import { lockRows } from '../storage/locks.ts';
import { preparedChange } from '../storage/prepared.ts';
import { flushPending } from '../transaction.ts';
import { categoryFacet, type Facet, removeFacet } from './facets.ts';
import type { Product } from './fields.ts';

/** Products at a time: a category can have a hundred thousand, whose texts should not all be in memory. */
const batchSize = 500;

const setJson = preparedChange<{ storeId: string; id: string; json: string }>((db, p) =>
  db
    .updateTable('products')
    .set({ json: p('json') })
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id')),
);

/** Takes a category that is about to go from every product that names it. Emits `product.updated` for each. */
export async function removeCategoryFromProducts(tx: TxContext, categoryId: string): Promise<void> {
  const facet = categoryFacet(categoryId);
  const now = toTimestamp(tx.now);
  let after = { created_at: 0, product_id: '' };
  for (;;) {
    const members = await membersAfter(tx, facet, after);
    const last = members.at(-1);
    if (!last) break;
    after = last;
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
    for (const row of rows) {
      const before = JSON.parse(row.json) as Product;
      // While its row was waited for, another transaction may have deleted it or taken it out of the category.
      if (before.status === 'deleted' || !before.categoryIds.includes(categoryId)) continue;
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
    await flushPending(tx);
  }
  await removeFacet(tx, facet);
}

/** The next products of a category in the order of the index, so that none is read twice. */
function membersAfter(tx: TxContext, [facet, value]: Facet, after: { created_at: number; product_id: string }) {
  return tx.db
    .selectFrom('product_facets')
    .select(['created_at', 'product_id'])
    .where('store_id', '=', tx.store.id)
    .where('facet', '=', facet)
    .where('value', '=', value)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'product_id'), '>', tuple(after.created_at, after.product_id)),
    )
    .orderBy('created_at')
    .orderBy('product_id')
    .limit(batchSize)
    .execute();
}
