import { type Expression, type SqlBool, sql } from 'kysely';
import type { Context } from '../../engine/context.ts';
import type { Db } from '../../storage/storage.ts';

/**
 * The given categories with their subcategories; for public actors only published ones, below published ones. Products can still name a
 * category that is being deleted.
 */
export async function categoriesWithin({ store, actor }: Context, db: Db, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) return [];
  const ids = sql.join(given);
  const status = sql.raw(actor.isPublic ? "= 'published'" : "<> 'deleted'");
  const { rows } = await sql<{ id: string }>`
    select id from categories where store_id = ${store.id} and id in (${ids}) and status ${status}
    union select below.id from categories as above
    join categories as below on below.store_id = ${store.id} and below.parent_id = above.id and below.status ${status}
    where above.store_id = ${store.id} and above.id in (${ids}) and above.status ${status}`.execute(db);
  const found = rows.map(({ id }) => id);
  return [...new Set(actor.isPublic ? found : [...given, ...found])].sort();
}

/** The condition that a product is in one of the categories or in a subcategory of one. */
export function isInCategories({ store }: Context, ids: readonly string[], alias: string): Expression<SqlBool> {
  const given = ids.filter((id) => id !== '');
  if (given.length === 0) return sql<SqlBool>`1 = 1`;
  const within = sql`select id from categories where store_id = ${store.id} and status <> 'deleted'
    and (id in (${sql.join(given)}) or parent_id in (${sql.join(given)}))`;
  return sql<SqlBool>`exists (select 1 from product_facets as also where also.store_id = ${store.id}
    and also.facet = 'category' and also.value in (${within})
    and also.created_at = ${sql.ref(`${alias}.created_at`)} and also.product_id = ${sql.ref(`${alias}.id`)})`;
}
