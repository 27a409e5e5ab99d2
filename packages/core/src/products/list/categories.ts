import { type Expression, type SqlBool, sql } from 'kysely';
import type { Context } from '../../engine/context.ts';
import type { Db } from '../../storage/storage.ts';

/** The given categories with their subcategories; for public actors only published ones, below published ones. */
export async function categoriesWithin(ctx: Context, db: Db, ids: readonly string[]): Promise<string[]> {
  const storeId = ctx.store.id;
  const living = ctx.actor.isPublic ? sql`status = 'published'` : sql`status <> 'deleted'`;
  const given = ids.filter((id) => id !== '');
  if (given.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from categories where store_id = ${storeId} and id in (${sql.join(given)}) and ${living}
    union select below.id from categories as above
    join categories as below on below.store_id = ${storeId} and below.parent_id = above.id
      and below.status <> 'deleted' ${ctx.actor.isPublic ? sql`and below.status = 'published'` : sql``}
    where above.store_id = ${storeId} and above.id in (${sql.join(given)})
      and above.${ctx.actor.isPublic ? sql`status = 'published'` : sql`status <> 'deleted'`}`.execute(db);
  return rows.map(({ id }) => id).sort();
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
