import { sql } from 'kysely';
import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import { itemsOf, publishedAlone, readNewest } from '../collection/items.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { flushPending, transact, type UniqueRules } from '../engine/transaction.ts';
import { emit } from '../events/emit.ts';
import type { GivenInput } from '../fields/entity.ts';
import { breathe } from '../kernel/breathe.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { fromJson, type Json, type List, toJson } from '../kernel/json.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { writeMediaUses } from '../media/uses.ts';
import { pendingCounts } from '../resources/counts.ts';
import { emptyList } from '../resources/list-json.ts';
import { publishedCategories } from '../resources/published-categories.ts';
import { changedNow, countByStatus, livingStatus, newlyMade, seenStatus } from '../resources/publishing.ts';
import { checkReferences } from '../resources/references.ts';
import { snapshotOrScan } from '../storage/run.ts';
import { foldText, foldTexts } from '../storage/storage.ts';
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
import { checkParent, lockChildren, lockTree } from './tree.ts';

const categories = itemsOf<Category>('categories', 'category', true, {
  entity: categoryEntity,
  publicView: { ...publishedAlone, text: withoutHiddenParents },
});

/**
 * Creates a category; `name` and `slug` are required, `status` defaults to `draft`. Emits `category.created`.
 * @throws CommerceError `validation`, on `parentId` if the parent is not a root; `conflict` if the slug is taken
 */
export async function createCategory(ctx: Context, input: CategoryInput): Promise<Category> {
  const given = parse(categoryEntity.inputs().create, input);
  return transact(
    ctx,
    async (tx) => {
      if (given.parentId) await lockTree(tx);
      return addCategory(tx, given);
    },
    uniqueSlug(given.slug),
  );
}

/** Like `createCategory`, inside a transaction. If the category has a parent, the transaction must have locked the tree. */
export async function addCategory(
  tx: TxContext,
  given: GivenInput<typeof categoryEntity.shape>,
  events = true,
): Promise<Category> {
  const stated = { ...categoryEntity.initial, ...definedOnly(given) };
  const category = categoryEntity.of({ ...stated, ...newlyMade(tx, stated.status) });
  await checkParent(tx, category);
  await checkReferences(tx, [{ field: 'seoImageId', to: 'media', ids: [category.seoImageId] }]);
  const json = toJson(category);
  await tx.db
    .insertInto('categories')
    .values({ store_id: tx.store.id, id: category.id, ...categoryColumns(category), created_at: tx.now, json })
    .execute();
  await writeMediaUses(tx, [{ after: category }]);
  pendingCounts(tx).move('categories.status', undefined, category.status);
  if (events) emit(tx, 'category.created', category.id, json);
  audit(tx, { action: 'category.created', resourceType: 'category', resourceId: category.id });
  return category;
}

/**
 * Changes the given fields: an absent one keeps its value, null clears an optional one, `parentId: null` makes the category a root. A moved
 * category keeps its children. Emits `category.updated`, unless nothing changes.
 * @throws CommerceError `validation`, on `parentId` if the parent is not a root or is the category itself, and with `strictCategoryDepth`
 * also if the category has children; `notFound`; `conflict` if the slug is taken
 */
export async function updateCategory(ctx: Context, id: string, input: CategoryChanges): Promise<Category> {
  const given = parse(categoryEntity.inputs().update, input);
  return transact(
    ctx,
    async (tx) => {
      if (given.parentId) await lockTree(tx);
      const before = await categories.lock(tx, id);
      const merged = categoryEntity.of({ ...before, ...definedOnly(given) });
      const changes = changedFields(before, merged);
      if (Object.keys(changes).length === 0) return before;
      if (changes.parentId) await checkParent(tx, merged);
      await checkReferences(tx, [
        { field: 'seoImageId', to: 'media', ids: [merged.seoImageId], before: [before.seoImageId] },
      ]);
      const category = changedNow(tx, before, merged);
      emit(tx, 'category.updated', id, await writeCategory(tx, before, category));
      audit(tx, { action: 'category.updated', resourceType: 'category', resourceId: id, changes });
      return category;
    },
    uniqueSlug(given.slug),
  );
}

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
    const before = await categories.lock(tx, id);
    const now = toTimestamp(tx.now);
    const json = await writeCategory(tx, before, { ...before, status: 'deleted', updatedAt: now });
    emit(tx, 'category.deleted', id, json);
    audit(tx, { action: 'category.deleted', resourceType: 'category', resourceId: id });
    for (let last: Category | undefined; ; await breathe()) {
      const children = await lockChildren(tx, id, childrenAtOnce, last);
      for (const child of children) {
        const root: Category = { ...child, parentId: null, updatedAt: now };
        emit(tx, 'category.updated', child.id, await writeCategory(tx, child, root));
        const changes = changedFields(child, root);
        audit(tx, { action: 'category.updated', resourceType: 'category', resourceId: child.id, changes });
      }
      last = children.at(-1);
      if (!last || children.length < childrenAtOnce) break;
      await flushPending(tx);
    }
    return beginRemoval(tx, id);
  });
  // The category is already deleted, so a failure here is not the caller's. Upkeep finishes the removal, as it does after a transaction of
  // several operations.
  if (isMore && !ctx.engine.unit) await finishRemoval(ctx, id).catch(() => {});
}

/** @throws CommerceError `notFound`, also for a malformed id and for the id of another store's category */
export const getCategoryJson = categories.read;

/** Like `getCategoryJson`, for use inside an application. */
export async function getCategory(ctx: Context, id: string): Promise<Category> {
  return fromJson(await getCategoryJson(ctx, id));
}

/**
 * A page of the store's categories, newest first, with the exact number of matching categories.
 * @throws CommerceError `validation` for a filter or a window out of range
 */
export async function listCategoriesJson(ctx: Context, query: CategoryQueryInput = {}): Promise<Json<List<Category>>> {
  const { status: asked, slug, parentId, search, ...window } = parse(CategoryQuery, query);
  const status = seenStatus(ctx, asked);
  if (status === 'none') return emptyList();
  const { storage } = ctx.engine;
  const { isPublic } = ctx.actor;
  const list = await snapshotOrScan(ctx, async (db, maxRows) => {
    if (isPublic && parentId && !(await publishedCategories(db, ctx.store.id, [parentId])).has(parentId))
      return emptyList<Category>();
    let among = db
      .selectFrom('categories')
      .where('store_id', '=', ctx.store.id)
      .where('status', '<>', sql.lit('deleted'));
    if (slug) among = among.where('slug', '=', slug);
    // To a public actor, children of a hidden category are roots.
    const isOfSeenRoots = isPublic && parentId === null;
    const isOfParent = !isOfSeenRoots && parentId !== undefined && parentId !== '';
    if (isOfParent) among = among.where('parent_id', parentId === null ? 'is' : '=', parentId);
    const isIndexed = slug || isOfParent;
    const count = isIndexed ? undefined : await countByStatus(db, ctx.store.id, 'categories.status');
    let matches = among;
    if (status) matches = matches.where('status', '=', status);
    if (isOfSeenRoots) matches = matches.where(hasNoSeenParent(ctx.store.id));
    if (search) matches = matches.where((eb) => storage.containsText(eb.ref('search'), foldText(search)));
    const total =
      status && !isIndexed && !search && !isOfSeenRoots
        ? await countByStatus(db, ctx.store.id, 'categories.status', status)
        : undefined;
    return readNewest<Category>(db, { among, count, matches, total }, window, maxRows, categoryEntity);
  });
  return isPublic ? withoutHiddenParents(ctx, list) : list;
}

/** Like `listCategoriesJson`, for use inside an application. */
export async function listCategories(ctx: Context, query: CategoryQueryInput = {}): Promise<List<Category>> {
  return fromJson(await listCategoriesJson(ctx, query));
}

export function categoryColumns(category: Category) {
  return {
    status: category.status,
    slug: category.slug,
    parent_id: category.parentId,
    search: foldTexts(category.name, category.description),
    shape: categoryEntity.shapeNumber,
  };
}

async function writeCategory(tx: TxContext, before: Category, category: Category): Promise<Json<Category>> {
  const json = toJson(category);
  await tx.db
    .updateTable('categories')
    .set({ ...categoryColumns(category), json })
    .where('store_id', '=', tx.store.id)
    .where('id', '=', category.id)
    .execute();
  await writeMediaUses(tx, [{ before, after: category }]);
  pendingCounts(tx).move('categories.status', livingStatus(before), livingStatus(category));
  return json;
}

function uniqueSlug(slug: string | undefined): UniqueRules {
  return { 'categories.slug': { field: 'slug', value: slug, taken: 'already exists on another category' } };
}
