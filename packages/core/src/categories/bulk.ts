import { bulkOf, missingFields } from '../bulk/bulk.ts';
import type { TxContext } from '../context.ts';
import { invalid, quote } from '../errors.ts';
import { writeMediaUses } from '../media/uses.ts';
import { definedOnly, parse } from '../parse.ts';
import { pendingCounts } from '../resources/counts.ts';
import { changedNow, livingStatus, newlyMade } from '../resources/publishing.ts';
import { categoryColumns, toCategory } from './categories.ts';
import { type Category, CategoryChangeFields, type CategoryChanges, categoryDefaults } from './fields.ts';
import { lockTree } from './tree.ts';

/** Roots that the rows of a batch may name as their parents. */
const roots = new WeakMap<TxContext, ReadonlyMap<string, string | null>>();

/**
 * Creates and changes many categories in one transaction, by the rules of `createCategory` and `updateCategory`. A parent is in the store
 * already, or in a batch before.
 */
export const importCategories = bulkOf<Category>({
  table: 'categories',
  noun: 'category',
  softDeleted: true,
  keys: [{ column: 'slug', field: 'slug', of: ({ slug }) => slug, ofInput: ({ slug }) => slug as string | undefined }],
  parse: (_ctx, input) => parse(CategoryChangeFields, input),
  create(tx, given, kept) {
    const { name, slug, ...optional } = given as CategoryChanges;
    if (name === undefined || slug === undefined) throw missingFields({ name, slug });
    const stated = { ...categoryDefaults, ...definedOnly(optional) };
    const category = toCategory({ ...stated, ...newlyMade(tx, stated.status), ...kept, name, slug });
    checkRoot(tx, category);
    return category;
  },
  merge(tx, before, given) {
    const merged = toCategory({ ...before, ...(definedOnly(given) as Partial<Category>) });
    if (merged.parentId !== before.parentId) checkRoot(tx, merged);
    return merged;
  },
  touch: (tx, before, merged) => changedNow(tx, before, merged),
  references: (category, before) => [
    { field: 'seoImageId', to: 'media', ids: [category.seoImageId], before: [before?.seoImageId ?? null] },
  ],
  columns: categoryColumns,
  changed: ['status', 'slug', 'parent_id', 'search'],
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
    roots.set(tx, new Map(found.map(({ id, parent_id }) => [id, parent_id])));
  },
  async list(tx, written) {
    await writeMediaUses(tx, written);
    for (const { before, after } of written) {
      pendingCounts(tx).move('categories.status', before && livingStatus(before), livingStatus(after));
    }
  },
});

/** @throws CommerceError `validation` on `parentId` */
function checkRoot(tx: TxContext, { id, parentId }: Category): void {
  if (parentId === null) return;
  if (parentId === id) throw invalid('parentId', 'a category cannot be its own parent');
  const above = roots.get(tx)?.get(parentId);
  if (above === undefined) throw invalid('parentId', `there is no category ${quote(parentId)} in this store`);
  if (above !== null) throw invalid('parentId', 'must be a root category, because there are two levels');
}
