import { sql } from 'kysely';
import type { BulkRow } from '../collection/kind.ts';
import type { TxContext } from '../engine/context.ts';
import { invalid, quote } from '../kernel/errors.ts';
import { lockRows } from '../storage/locks.ts';
import { type Category, categoryEntity } from './fields.ts';

/** Serializes changes of the store's category tree: two moves that are each valid could together form a cycle. */
export async function lockTree(tx: TxContext): Promise<void> {
  await tx.engine.storage.lockName(tx.db, `categories ${tx.store.id}`);
}

/** The tree as the changes of a transaction need it, updated by each of them. */
interface Tree {
  /** Parents of the categories that the changes name as parents. */
  above: Map<string, string | null>;
  /** Categories with children, which must not move below another category; undefined in a store without strict levels. */
  fixed: Set<string> | undefined;
}

const trees = new WeakMap<TxContext, Tree>();

/** Locks the tree if a change names a parent, and reads what `checkParent` needs. */
export async function lockParents(tx: TxContext, rows: readonly Pick<BulkRow, 'input' | 'kept'>[]): Promise<void> {
  const parents = new Set(rows.flatMap(({ input }) => (typeof input.parentId === 'string' ? [input.parentId] : [])));
  if (parents.size === 0) return;
  await lockTree(tx);
  const found = await tx.db
    .selectFrom('categories')
    .select(['id', 'parent_id'])
    .where('store_id', '=', tx.store.id)
    .where('id', 'in', [...parents])
    .where('status', '<>', 'deleted')
    .execute();
  const above = new Map(found.map(({ id, parent_id }) => [id, parent_id]));
  trees.set(tx, { above, fixed: (await isStrict(tx)) ? await findParents(tx, rows) : undefined });
}

/**
 * Checks the new parent of a category, after `lockParents`.
 * @throws CommerceError `validation` on `parentId`
 */
export function checkParent(tx: TxContext, { id, parentId }: Category): void {
  const { above, fixed } = trees.get(tx) ?? {};
  if (parentId !== null) {
    if (parentId === id) throw invalid('parentId', 'a category cannot be its own parent', { code: 'CONFLICTING' });
    const grandparent = above?.get(parentId);
    if (grandparent === undefined)
      throw invalid('parentId', `no category ${quote(parentId)} in this store`, { code: 'NOT_FOUND' });
    if (grandparent !== null) {
      const where = `${quote(parentId)} is below ${quote(grandparent)}`;
      throw invalid('parentId', `must be a root category, because there are two levels; ${where}`, {
        code: 'CONFLICTING',
      });
    }
    if (fixed?.has(id)) {
      throw invalid('parentId', 'must be null, because the category has children and there are two levels', {
        code: 'CONFLICTING',
      });
    }
    fixed?.add(parentId);
  }
  if (above?.has(id)) above.set(id, parentId);
}

/** Categories with children among the categories that the changes can move. */
async function findParents(tx: TxContext, rows: readonly Pick<BulkRow, 'input' | 'kept'>[]): Promise<Set<string>> {
  const slugs = rows.flatMap(({ input }) => (typeof input.slug === 'string' ? [input.slug] : []));
  const ids = rows.flatMap(({ kept }) => kept?.id ?? []);
  const found = await tx.db
    .selectFrom('categories as above')
    .innerJoin('categories as below', (join) =>
      join.onRef('below.store_id', '=', 'above.store_id').onRef('below.parent_id', '=', 'above.id'),
    )
    .select('above.id')
    .distinct()
    .where('above.store_id', '=', tx.store.id)
    .where('below.status', '<>', sql.lit('deleted'))
    .where(({ or, eb }) => or([eb('above.slug', 'in', ['', ...slugs]), eb('above.id', 'in', ['', ...ids])]))
    .execute();
  return new Set(found.map(({ id }) => id));
}

/** Reads the setting from the database, because an application can keep its context for a long time. */
async function isStrict(tx: TxContext): Promise<boolean> {
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
