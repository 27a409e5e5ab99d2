import { type SelectQueryBuilder, sql } from 'kysely';
import type { Context } from '../engine/context.ts';
import type { Printer } from '../fields/entity.ts';
import { searchWords } from '../kernel/fold.ts';
import type { Json, List } from '../kernel/json.ts';
import type { PublishedTable } from '../kernel/nouns.ts';
import type { Window } from '../resources/bounded.ts';
import { emptyList } from '../resources/list-json.ts';
import { countByStatus, type PublishingStatus, seenStatus } from '../resources/publishing.ts';
import { snapshotOrScan } from '../storage/run.ts';
import type { Schema } from '../storage/schema.ts';
import type { Db } from '../storage/storage.ts';
import { readNewest } from './items.ts';

/** Filters that lists of resources with a status share. */
export interface PublishedQuery extends Window {
  status?: PublishingStatus | undefined;
  slug?: string | undefined;
  search?: string | undefined;
}

type Query = SelectQueryBuilder<Schema, 'categories', object>;

/** Filters of one resource. */
interface Narrowed {
  /** Undefined if no item can match. */
  rows: Query | undefined;
  /** True if an index finds the rows, so that counts of the whole list do not apply. */
  isIndexed: boolean;
  /** Adds filters that no index serves. */
  matching?: (rows: Query) => Query;
}

/**
 * A list of a resource with a status and a slug, newest first, with the exact total of matching items. Public actors find published items
 * only.
 * @param narrow further filters of the resource
 */
export async function listPublished<T>(
  ctx: Context,
  table: PublishedTable,
  entity: Printer<T>,
  { status: asked, slug, search, ...window }: PublishedQuery,
  narrow: (rows: Query, db: Db) => Promise<Narrowed> = async (rows) => ({ rows, isIndexed: false }),
): Promise<Json<List<T>>> {
  const status = seenStatus(ctx, asked);
  if (status === 'none') return emptyList();
  const { storage } = ctx.engine;
  const words = searchWords(search ?? '');
  return snapshotOrScan(ctx, async (db, maxRows) => {
    const living = db
      // Every such table has these columns; the type checker follows one of them.
      .selectFrom(table as 'categories')
      .where('store_id', '=', ctx.store.id)
      .where('status', '<>', sql.lit('deleted')) as Query;
    const { rows, isIndexed: isOfFew, matching } = await narrow(slug ? living.where('slug', '=', slug) : living, db);
    if (!rows) return emptyList<T>();
    const list = `${table}.status` as const;
    const isIndexed = isOfFew || Boolean(slug);
    const count = isIndexed ? undefined : await countByStatus(db, ctx.store.id, list);
    let matches = status ? rows.where('status', '=', status) : rows;
    if (matching) matches = matching(matches);
    if (words.length > 0) matches = matches.where((eb) => storage.containsText(eb.ref('search'), words));
    const isCounted = status && !isIndexed && words.length === 0 && !matching;
    const total = isCounted ? await countByStatus(db, ctx.store.id, list, status) : undefined;
    return readNewest<T>(db, { among: rows, count, matches, total } as never, window, maxRows, entity);
  });
}
