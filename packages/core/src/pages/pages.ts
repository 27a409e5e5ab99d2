import { sql } from 'kysely';
import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import { itemsOf, publishedAlone, readNewest } from '../collection/items.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { transact, type UniqueRules } from '../engine/transaction.ts';
import { emit } from '../events/emit.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { fromJson, type Json, type List, toJson } from '../kernel/json.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { writeMediaUses } from '../media/uses.ts';
import { pendingCounts } from '../resources/counts.ts';
import { emptyList } from '../resources/list-json.ts';
import { readShown } from '../resources/public-view.ts';
import { changedNow, countByStatus, livingStatus, newlyMade, seenStatus } from '../resources/publishing.ts';
import { checkReferences } from '../resources/references.ts';
import { snapshotOrScan } from '../storage/run.ts';
import { foldText, foldTexts } from '../storage/storage.ts';
import { type Page, type PageChanges, type PageInput, PageQuery, type PageQueryInput, pageEntity } from './fields.ts';

const asSeen = <T extends Page | List<Page>>(json: Json<T>) =>
  readShown(pageEntity, json as Json<Page>).print() as Json<T>;

const pages = itemsOf<Page>('pages', 'page', true, {
  entity: pageEntity,
  publicView: { ...publishedAlone, text: (_, json) => asSeen(json) },
});

/**
 * Creates a page; `title` and `slug` are required, `status` defaults to `draft`. Emits `page.created`.
 * @throws CommerceError `validation`; `conflict` when the slug is taken.
 */
export async function createPage(ctx: Context, input: PageInput): Promise<Page> {
  const given = parse(pageEntity.inputs().create, input);
  return transact(
    ctx,
    async (tx) => {
      const stated = { ...pageEntity.initial, ...definedOnly(given) };
      const page = pageEntity.of({ ...stated, ...newlyMade(tx, stated.status) });
      await checkReferences(tx, [{ field: 'seoImageId', to: 'media', ids: [page.seoImageId] }]);
      const json = toJson(page);
      await tx.db
        .insertInto('pages')
        .values({ store_id: tx.store.id, id: page.id, ...pageColumns(page), created_at: tx.now, json })
        .execute();
      await writeMediaUses(tx, [{ after: page }]);
      pendingCounts(tx).move('pages.status', undefined, page.status);
      emit(tx, 'page.created', page.id, json);
      audit(tx, { action: 'page.created', resourceType: 'page', resourceId: page.id });
      return page;
    },
    uniqueSlug(given.slug),
  );
}

/**
 * Changes the given fields: an absent one keeps its value, null clears an optional one. Emits `page.updated`, unless nothing changes.
 * @throws CommerceError `validation`, `notFound`; `conflict` when the slug is taken.
 */
export async function updatePage(ctx: Context, id: string, input: PageChanges): Promise<Page> {
  const given = parse(pageEntity.inputs().update, input);
  return transact(
    ctx,
    async (tx) => {
      const before = await pages.lock(tx, id);
      const merged = pageEntity.of({ ...before, ...definedOnly(given) });
      const changes = changedFields(before, merged);
      if (Object.keys(changes).length === 0) return before;
      await checkReferences(tx, [
        { field: 'seoImageId', to: 'media', ids: [merged.seoImageId], before: [before.seoImageId] },
      ]);
      const page = changedNow(tx, before, merged);
      emit(tx, 'page.updated', id, await writePage(tx, before, page));
      audit(tx, { action: 'page.updated', resourceType: 'page', resourceId: id, changes });
      return page;
    },
    uniqueSlug(given.slug),
  );
}

/**
 * Deletes a page: answers no longer contain it, and its slug is free again. Emits `page.deleted` with its last state.
 * @throws CommerceError `notFound`
 */
export async function deletePage(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const before = await pages.lock(tx, id);
    const page: Page = { ...before, status: 'deleted', updatedAt: toTimestamp(tx.now) };
    emit(tx, 'page.deleted', id, await writePage(tx, before, page));
    audit(tx, { action: 'page.deleted', resourceType: 'page', resourceId: id });
  });
}

/** @throws CommerceError `notFound`, also for the id of another store's page and for a malformed one. */
export const getPageJson = pages.read;

/** Like `getPageJson`, for use inside an application. */
export async function getPage(ctx: Context, id: string): Promise<Page> {
  return fromJson(await getPageJson(ctx, id));
}

/**
 * A list of the store's pages, newest first, with the exact total of matching pages.
 * @throws CommerceError `validation` for a filter or a window out of range.
 */
export async function listPagesJson(ctx: Context, query: PageQueryInput = {}): Promise<Json<List<Page>>> {
  const { status: asked, slug, search, ...window } = parse(PageQuery, query);
  const status = seenStatus(ctx, asked);
  if (status === 'none') return emptyList();
  const { storage } = ctx.engine;
  const list = await snapshotOrScan(ctx, async (db, maxRows) => {
    let among = db.selectFrom('pages').where('store_id', '=', ctx.store.id).where('status', '<>', sql.lit('deleted'));
    if (slug) among = among.where('slug', '=', slug);
    const count = slug ? undefined : await countByStatus(db, ctx.store.id, 'pages.status');
    let matches = among;
    if (status) matches = matches.where('status', '=', status);
    if (search) matches = matches.where((eb) => storage.containsText(eb.ref('search'), foldText(search)));
    const total =
      status && !slug && !search ? await countByStatus(db, ctx.store.id, 'pages.status', status) : undefined;
    return readNewest<Page>(db, { among, count, matches, total }, window, maxRows, pageEntity);
  });
  return ctx.actor.isPublic ? asSeen(list) : list;
}

/** Like `listPagesJson`, for use inside an application. */
export async function listPages(ctx: Context, query: PageQueryInput = {}): Promise<List<Page>> {
  return fromJson(await listPagesJson(ctx, query));
}

export function pageColumns({ status, slug, title, content }: Page) {
  return { status, slug, search: foldTexts(title, content), shape: pageEntity.shapeNumber };
}

async function writePage(tx: TxContext, before: Page, page: Page): Promise<Json<Page>> {
  const json = toJson(page);
  await tx.db
    .updateTable('pages')
    .set({ ...pageColumns(page), json })
    .where('store_id', '=', tx.store.id)
    .where('id', '=', page.id)
    .execute();
  await writeMediaUses(tx, [{ before, after: page }]);
  pendingCounts(tx).move('pages.status', livingStatus(before), livingStatus(page));
  return json;
}

function uniqueSlug(slug: string | undefined): UniqueRules {
  return { 'pages.slug': { field: 'slug', value: slug, taken: 'already exists on another page' } };
}
