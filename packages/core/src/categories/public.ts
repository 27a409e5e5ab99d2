import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Json, List } from '../json.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { Schema } from '../storage/schema.ts';
import type { Db } from '../storage/storage.ts';
import type { Category } from './fields.ts';

const publishedIds = preparedPerLength<{ storeId: string }, { id: string }>((db, p, ids) =>
  db
    .selectFrom('categories')
    .select('id')
    .where('store_id', '=', p('storeId'))
    .where('id', 'in', ids)
    .where('status', '=', sql.lit('published')),
);

/** Ids asked for in one statement. */
const maxIds = 500;

/** Which of the ids are of published categories. */
export async function arePublished(db: Db, storeId: string, ids: readonly string[]): Promise<Set<string>> {
  const published = new Set<string>();
  for (let i = 0; i < ids.length; i += maxIds) {
    for (const { id } of await publishedIds(db, { storeId }, ids.slice(i, i + maxIds))) published.add(id);
  }
  return published;
}

/** The condition that a category is a root for those who see published ones alone. */
export function hasNoSeenParent(storeId: string): Expression<SqlBool> {
  const { exists, not, selectFrom } = expressionBuilder<Schema, never>();
  return not(
    exists(
      selectFrom('categories as parent')
        .select(sql.lit(1).as('one'))
        .where('parent.store_id', '=', storeId)
        .where('parent.id', '=', sql.ref<string>('categories.parent_id'))
        .where('parent.status', '=', sql.lit('published')),
    ),
  );
}

/** Quotation marks inside JSON strings are escaped, so nothing that a shop writes into a category looks like this. */
const parents = /"parentId":"([^"]+)"/g;

/** The text of one or many categories as a public actor sees it: below no category that is not published. */
export async function withoutHiddenParents<T extends Category | List<Category>>(
  ctx: Context,
  json: Json<T>,
): Promise<Json<T>> {
  const named = new Set(Array.from(json.matchAll(parents), ([, id]) => id as string));
  if (named.size === 0) return json;
  const seen = await reading(ctx.engine.storage, (db) => arePublished(db, ctx.store.id, [...named]));
  return json.replace(parents, (all, id) => (seen.has(id) ? all : '"parentId":null')) as Json<T>;
}
