import { collectionOf } from '../collection/collection.ts';
import { publishedAlone } from '../collection/items.ts';
import { listPublished } from '../collection/list.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { flushPending, transact } from '../engine/transaction.ts';
import { breathe } from '../kernel/breathe.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { foldTexts } from '../kernel/fold.ts';
import { type Json, type List, parsed } from '../kernel/json.ts';
import { parse } from '../kernel/parse.ts';
import { writeMediaUses } from '../media/uses.ts';
import { publishedCategories } from '../resources/published-categories.ts';
import { livingStatus } from '../resources/publishing.ts';
import {
  type Category,
  type CategoryChanges,
  type CategoryInput,
  CategoryQuery,
  type CategoryQueryInput,
  categoryEntity,
} from './fields.ts';
import { hasNoSeenParent, withoutHiddenParents } from './public.ts';
import { beginRemoval, finishRemoval } from './removals.ts';
import { checkParent, lockChildren, lockParents, lockTree } from './tree.ts';

const categories = collectionOf(categoryEntity, {
  table: 'categories',
  noun: 'category',
  softDeleted: true,
  publicView: { ...publishedAlone, text: withoutHiddenParents },
  keys: [{ column: 'slug', field: 'slug', of: ({ slug }) => slug }],
  counted: { list: 'categories.status', under: livingStatus },
  complete(tx, category, { before }) {
    if (category.parentId !== (before?.parentId ?? null)) checkParent(tx, category);
    return category;
  },
  columns: ({ status, slug, parentId, name, description }) => ({
    status,
    slug,
    parent_id: parentId,
    search: foldTexts(name, description),
  }),
  list: writeMediaUses,
  lock: lockParents,
});

/** Like `createCategory`, inside a transaction, with the fields of a valid input. */
export const addCategory = categories.add;

/**
 * Creates a category; `name` and `slug` are required, `status` defaults to `draft`. Emits `category.created`.
 * @throws CommerceError `validation`, on `parentId` if the parent is not a root; `conflict` if the slug is taken
 */
export const createCategory = (ctx: Context, input: CategoryInput): Promise<Category> => categories.create(ctx, input);

/**
 * Changes the given fields: an absent one keeps its value, null clears an optional one, `parentId: null` makes the category a root. A moved
 * category keeps its children. Emits `category.updated`, unless nothing changes.
 * @throws CommerceError `validation`, on `parentId` if the parent is not a root or is the category itself, and with `strictCategoryDepth`
 * also if the category has children; `notFound`; `conflict` if the slug is taken
 */
export const updateCategory = (ctx: Context, id: string, input: CategoryChanges): Promise<Category> =>
  categories.update(ctx, id, input);

/** Children that are changed between two pauses for other work. */
const childrenAtOnce = 50;

/**
 * Deletes a category: no answer shows it any more and its slug is free again. In the same transaction, its children become roots and its id
 * is removed from up to a hundred products. The remaining products follow in separate transactions before this returns. If the process
 * stops or the database fails, upkeep continues them within a minute. Emits `category.deleted` with its last state, `category.updated` for
 * each child and `product.updated` for each product.
 * @throws CommerceError `notFound`
 */
export async function deleteCategory(ctx: Context, id: string): Promise<void> {
  const isMore = await transact(ctx, async (tx) => {
    await lockTree(tx);
    await categories.removeIn(tx, id);
    await makeRoots(tx, id);
    return beginRemoval(tx, id);
  });
  // The category is already deleted, so a failure here is not the caller's. Upkeep finishes the removal, as it does after a transaction of
  // several operations.
  if (isMore && !ctx.engine.unit) await finishRemoval(ctx, id).catch(() => {});
}

/** Makes the children of a category roots. */
async function makeRoots(tx: TxContext, id: string): Promise<void> {
  const updatedAt = toTimestamp(tx.now);
  for (let last: Category | undefined; ; await breathe()) {
    const children = await lockChildren(tx, id, childrenAtOnce, last);
    for (const child of children) {
      await categories.replace(tx, { item: child }, { ...child, parentId: null, updatedAt });
    }
    last = children.at(-1);
    if (!last || children.length < childrenAtOnce) return;
    await flushPending(tx);
  }
}

/** @throws CommerceError `notFound`, also for a malformed id and for the id of another store's category */
export const getCategoryJson = categories.read;

/** Like `getCategoryJson`, for use inside an application. */
export const getCategory = parsed(getCategoryJson);

/**
 * A page of the store's categories, newest first, with the exact number of matching categories.
 * @throws CommerceError `validation` for a filter or a window out of range
 */
export async function listCategoriesJson(ctx: Context, query: CategoryQueryInput = {}): Promise<Json<List<Category>>> {
  const { parentId, ...filters } = parse(CategoryQuery, query);
  const { isPublic } = ctx.actor;
  const list = await listPublished<Category>(ctx, 'categories', categoryEntity, filters, async (rows, db) => {
    if (parentId === undefined || parentId === '') return { rows, isIndexed: false };
    // To a public actor, children of a hidden category are roots.
    if (isPublic && parentId === null) {
      return { rows, isIndexed: false, matching: (among) => among.where(hasNoSeenParent(ctx.store.id)) };
    }
    const isHidden =
      isPublic && parentId !== null && !(await publishedCategories(db, ctx.store.id, [parentId])).has(parentId);
    if (isHidden) return { rows: undefined, isIndexed: true };
    return { rows: rows.where('parent_id', parentId === null ? 'is' : '=', parentId), isIndexed: true };
  });
  return isPublic ? withoutHiddenParents(ctx, list) : list;
}

/** Like `listCategoriesJson`, for use inside an application. */
export const listCategories = parsed(listCategoriesJson);

export const categoryResource = {
  ...categories,
  remove: deleteCategory,
  query: CategoryQuery,
  list: listCategoriesJson,
  named: 'name',
  words: {
    one: 'a category',
    description: 'Product categories, in two levels.',
    deletion: '; its subcategories become root categories, and its products are kept',
  },
};
