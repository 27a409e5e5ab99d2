import { sql } from 'kysely';
import { type BulkRow, bulkOf, requireFields } from '../collection/bulk.ts';
import type { TxContext } from '../engine/context.ts';
import { invalid, quote } from '../kernel/errors.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { writeMediaUses } from '../media/uses.ts';
import { pendingCounts } from '../resources/counts.ts';
import { changedNow, livingStatus, newlyMade } from '../resources/publishing.ts';
import { categoryColumns } from './categories.ts';
import { type Category, categoryEntity } from './fields.ts';
import { isStrict, lockTree } from './tree.ts';

/** The tree as the rows of a batch need it, updated while they are decided one after another. */
interface Tree {
  /** Parents of the categories that the rows name as their parents. */
  above: Map<string, string | null>;
  /** Categories with children, which must not move below another category; undefined in a store without strict levels. */
  fixed: Set<string> | undefined;
}

const trees = new WeakMap<TxContext, Tree>();

/**
 * Creates and changes many categories in one transaction, by the rules of `createCategory` and `updateCategory`. A parent must be in the
 * store already, or in an earlier batch.
 */
export const importCategories = bulkOf<Category>({
  table: 'categories',
  noun: 'category',
  softDeleted: true,
  entity: categoryEntity,
  keys: [{ column: 'slug', field: 'slug', of: ({ slug }) => slug, ofInput: ({ slug }) => slug as string | undefined }],
  parse: (_ctx, input) => parse(categoryEntity.inputs().update, input),
  create(tx, given, kept) {
    requireFields(categoryEntity, given);
    const stated = { ...categoryEntity.initial, ...definedOnly(given) };
    const category = categoryEntity.of({ ...stated, ...newlyMade(tx, stated.status), ...kept });
    checkRoot(tx, category);
    return category;
  },
  merge(tx, before, given) {
    const merged = categoryEntity.of({ ...before, ...(definedOnly(given) as Partial<Category>) });
    if (merged.parentId !== before.parentId) {
      checkRoot(tx, merged);
      trees.get(tx)?.above.set(merged.id, merged.parentId);
    }
    return merged;
  },
  touch: (tx, before, merged) => changedNow(tx, before, merged),
  references: (category, before) => [
    { field: 'seoImageId', to: 'media', ids: [category.seoImageId], before: [before?.seoImageId ?? null] },
  ],
  columns: categoryColumns,
  changed: ['status', 'slug', 'parent_id', 'search', 'shape'],
  async lock(tx, rows) {
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
  },
  async list(tx, written) {
    await writeMediaUses(tx, written);
    for (const { before, after } of written) {
      pendingCounts(tx).move('categories.status', before && livingStatus(before), livingStatus(after));
    }
  },
});

/** Categories with children among the categories that the rows can change. */
async function findParents(tx: TxContext, rows: readonly BulkRow[]): Promise<Set<string>> {
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

/** @throws CommerceError `validation` on `parentId` */
function checkRoot(tx: TxContext, { id, parentId }: Category): void {
  if (parentId === null) return;
  if (parentId === id) throw invalid('parentId', 'a category cannot be its own parent');
  const { above, fixed } = trees.get(tx) ?? {};
  const grandparent = above?.get(parentId);
  if (grandparent === undefined) throw invalid('parentId', `there is no category ${quote(parentId)} in this store`);
  if (grandparent !== null) throw invalid('parentId', 'must be a root category, because there are two levels');
  if (fixed?.has(id)) {
    throw invalid('parentId', 'must be null, because the category has children and there are two levels');
  }
  fixed?.add(parentId);
}
