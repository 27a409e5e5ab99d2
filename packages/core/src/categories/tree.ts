import { sql } from 'kysely';
import type { TxContext } from '../engine/context.ts';
import { invalid, quote } from '../kernel/errors.ts';
import { lockRows } from '../storage/locks.ts';
import { type Category, categoryEntity } from './fields.ts';

/** Serializes changes of the store's category tree: two moves that are each valid could together form a cycle. */
export async function lockTree(tx: TxContext): Promise<void> {
  await tx.engine.storage.lockName(tx.db, `categories ${tx.store.id}`);
}

/**
 * Checks the new parent of a category. The caller has locked the tree.
 * @throws CommerceError `validation` on `parentId`
 */
export async function checkParent(tx: TxContext, { id, parentId }: Category): Promise<void> {
  if (parentId === null) return;
  if (parentId === id) throw invalid('parentId', 'a category cannot be its own parent');
  const parent = await tx.db
    .selectFrom('categories')
    .select('parent_id')
    .where('store_id', '=', tx.store.id)
    .where('id', '=', parentId)
    .where('status', '<>', 'deleted')
    .executeTakeFirst();
  if (!parent) throw invalid('parentId', `there is no category ${quote(parentId)} in this store`);
  if (parent.parent_id !== null) {
    throw invalid(
      'parentId',
      `must be a root category, because there are two levels; ${quote(parentId)} is below ${quote(parent.parent_id)}`,
    );
  }
  if ((await isStrict(tx)) && (await lockChildren(tx, id, 1)).length > 0) {
    throw invalid('parentId', 'must be null, because the category has children and there are two levels');
  }
}

/** Reads the setting from the database, because an application can keep its context for a long time. */
export async function isStrict(tx: TxContext): Promise<boolean> {
  const store = await tx.db
    .selectFrom('stores')
    .select('strict_category_depth')
    .where('id', '=', tx.store.id)
    .executeTakeFirstOrThrow();
  return store.strict_category_depth === 1;
}

/**
 * The undeleted children of a category, oldest first, locked until the transaction ends.
 * @param after excludes this child and the children before it
 */
export async function lockChildren(tx: TxContext, id: string, limit: number, after?: Category): Promise<Category[]> {
  let children = tx.db
    .selectFrom('categories')
    .select('json')
    .where('store_id', '=', tx.store.id)
    .where('parent_id', '=', id)
    // A literal, so both engines see that the partial index applies.
    .where('status', '<>', sql.lit('deleted'));
  if (after) {
    const { createdAt, id: last } = after;
    children = children.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '>', tuple(Date.parse(createdAt), last)),
    );
  }
  const rows = await lockRows(tx.db, children.orderBy('created_at').orderBy('id').limit(limit)).execute();
  return rows.map((row) => categoryEntity.read(row.json));
}
