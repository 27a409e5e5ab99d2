import type { Context, Engine, TxContext } from '../engine/context.ts';
import { transact } from '../engine/transaction.ts';
import { breathe } from '../kernel/breathe.ts';
import { removeCategoryFromSome } from '../products/uncategorise.ts';
import { reading } from '../storage/run.ts';
import { findStore } from '../stores/stores.ts';

/**
 * Removes a deleted category from up to a hundred products, and records the rest for `finishRemoval`.
 * @returns true if products are left
 */
export async function beginRemoval(tx: TxContext, categoryId: string): Promise<boolean> {
  const isMore = await removeCategoryFromSome(tx, categoryId);
  if (isMore) {
    const removal = { store_id: tx.store.id, category_id: categoryId, deleted_at: tx.now };
    await tx.db.insertInto('category_removals').values(removal).execute();
  }
  return isMore;
}

/**
 * Removes a deleted category from the products that still name it, a hundred in each transaction. Other writers therefore do not wait for a
 * category with many products. Emits `product.updated` for each. Can be stopped and repeated at any time.
 */
export async function finishRemoval(ctx: Context, categoryId: string): Promise<void> {
  for (let isMore = true; isMore; ) {
    await breathe();
    isMore = await transact(ctx, async (tx) => {
      if (await removeCategoryFromSome(tx, categoryId)) return true;
      await tx.db
        .deleteFrom('category_removals')
        .where('store_id', '=', tx.store.id)
        .where('category_id', '=', categoryId)
        .execute();
      return false;
    });
  }
}

/** Finishes removals that a stopped process left. */
export async function finishRemovals(engine: Engine): Promise<void> {
  const left = await reading(engine.storage, (db) =>
    db.selectFrom('category_removals').select(['store_id', 'category_id']).limit(100).execute(),
  );
  for (const { store_id, category_id } of left) {
    const store = await findStore(engine, store_id);
    if (!store) continue;
    await finishRemoval({ engine, store, actor: { type: 'system', id: null }, requestId: null }, category_id);
  }
}
