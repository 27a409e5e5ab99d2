import { publishedOf } from '../collection/published.ts';
import type { Context } from '../engine/context.ts';
import { type Json, type List, parsed } from '../kernel/json.ts';
import { parse } from '../kernel/parse.ts';
import { writeMediaUses } from '../media/uses.ts';
import { type Page, type PageChanges, type PageInput, PageQuery, type PageQueryInput, pageEntity } from './fields.ts';

const pages = publishedOf(pageEntity, {
  table: 'pages',
  noun: 'page',
  searched: ({ title, content }) => [title, content],
  list: writeMediaUses,
});

/**
 * Creates a page; `title` and `slug` are required, `status` defaults to `draft`. Emits `page.created`.
 * @throws CommerceError `validation`; `conflict` when the slug is taken.
 */
export const createPage = (ctx: Context, input: PageInput): Promise<Page> => pages.create(ctx, input);

/**
 * Changes the given fields: an absent one keeps its value, null clears an optional one. Emits `page.updated`, unless nothing changes.
 * @throws CommerceError `validation`, `notFound`; `conflict` when the slug is taken.
 */
export const updatePage = (ctx: Context, id: string, input: PageChanges): Promise<Page> => pages.update(ctx, id, input);

/**
 * Deletes a page: answers no longer contain it, and its slug is free again. Emits `page.deleted` with its last state.
 * @throws CommerceError `notFound`
 */
export const deletePage = (ctx: Context, id: string): Promise<void> => pages.remove(ctx, id);

/** @throws CommerceError `notFound`, also for the id of another store's page and for a malformed one. */
export const getPageJson = pages.read;

/** Like `getPageJson`, for use inside an application. */
export const getPage = parsed(getPageJson);

/**
 * A list of the store's pages, newest first, with the exact total of matching pages.
 * @throws CommerceError `validation` for a filter or a window out of range.
 */
export async function listPagesJson(ctx: Context, query: PageQueryInput = {}): Promise<Json<List<Page>>> {
  return pages.list(ctx, parse(PageQuery, query));
}

/** Like `listPagesJson`, for use inside an application. */
export const listPages = parsed(listPagesJson);

export const pageResource = {
  ...pages,
  query: PageQuery,
  list: listPagesJson,
  named: 'title',
  words: { one: 'a page', description: 'Pages of content, such as an imprint.' },
};
