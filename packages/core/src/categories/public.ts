import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../engine/context.ts';
import type { Json, List } from '../kernel/json.ts';
import { readShown } from '../resources/public-view.ts';
import { publishedCategories } from '../resources/published-categories.ts';
import { reading } from '../storage/run.ts';
import type { Schema } from '../storage/schema.ts';
import { type Category, categoryEntity } from './fields.ts';

/** The condition that a category is a root for actors who see only published categories. */
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

/** The text of one or many categories as a public actor sees it, without parents that are not published. */
export async function withoutHiddenParents<T extends Category | List<Category>>(
  ctx: Context,
  json: Json<T>,
): Promise<Json<T>> {
  const shown = readShown(categoryEntity, json as Json<Category>);
  const named = new Set(shown.items.flatMap(({ parentId }) => parentId ?? []));
  if (named.size > 0) {
    const seen = await reading(ctx.engine.storage, (db) => publishedCategories(db, ctx.store.id, [...named]));
    for (const category of shown.items)
      if (category.parentId !== null && !seen.has(category.parentId)) category.parentId = null;
  }
  return shown.print() as Json<T>;
}
