import { changedFields } from '../audit/audit.ts';
import { toTimestamp } from '../clock.ts';
import { audit, emit, type TxContext } from '../context.ts';
import { toJson } from '../json.ts';
import { lockRows } from '../storage/locks.ts';
import { preparedChange } from '../storage/prepared.ts';
import { flushPending } from '../transaction.ts';
import { categoryFacet, removeFacet } from './facets.ts';
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
  const [facet, value] = categoryFacet(categoryId);
  const now = toTimestamp(tx.now);
  let after = '';
  for (;;) {
    const rows = await lockRows(
      tx.db,
      tx.db
        .selectFrom('products')
        .select(['id', 'json'])
        .where('store_id', '=', tx.store.id)
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('product_facets')
            .select('product_id')
            .where('store_id', '=', tx.store.id)
            .where('facet', '=', facet)
            .where('value', '=', value)
            .where('product_id', '>', after)
            .orderBy('product_id')
            .limit(batchSize),
        )
        .orderBy('id'),
    ).execute();
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
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
  await removeFacet(tx, [facet, value]);
}
