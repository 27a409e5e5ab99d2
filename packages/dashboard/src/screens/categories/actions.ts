import { api, at, had } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { itemsOf } from '../../api/items.ts';
import { can } from '../../api/session.ts';
import { confirm, toast } from '../../kit/index.ts';
import { explain } from '../../kit/states.tsx';
import { t } from '../../words/words.ts';
import type { Categories, Category } from '../goods/tree.ts';

const words = t.categories;

/** Whether a category has subcategories, which keeps it at the top level: there are only two. */
export function hasSubcategories({ items }: Categories, id: string | undefined): boolean {
  return id !== undefined && items.some(({ category }) => category.parentId === id);
}

/** Categories that can become the parent of this one. */
export function parentOptions(all: Categories, id?: string): (readonly [string, string])[] {
  const top = ['', words.noParent] as const;
  if (hasSubcategories(all, id)) return [top];
  return [
    top,
    ...all.items
      .filter(({ category, depth }) => depth === 0 && category.parentId === null && category.id !== id)
      .map(({ category }) => [category.id, category.name] as const),
  ];
}

/**
 * Products in a category; undefined if the key may not see them.
 * @throws ApiError
 */
export async function productsIn(id: string, signal?: AbortSignal): Promise<number | undefined> {
  if (!can('product.read')) return undefined;
  const query = { categoryId: [id], limit: 1 };
  const call = api.GET('/stores/{storeId}/products', { params: { path: at(), query }, signal: signal ?? null });
  return (await had(call)).total;
}

/**
 * Deletes a category, after a question that tells the effect on its products and its children.
 * @returns whether it was deleted
 */
export async function removeCategory(category: Category, all: Categories): Promise<boolean> {
  const { id, name } = category;
  try {
    const products = await productsIn(id);
    const below = all.items.filter((one) => one.category.parentId === id).length;
    const text = [
      products === undefined ? words.someProductsKept : words.productsKept(products),
      below === 0 ? '' : words.subcategoriesKept(below),
      words.noUndo,
    ];
    const isSure = await confirm(words.sure(name), text.filter(Boolean).join(' '), { yes: words.sureYes });
    if (!isSure) return false;
    await itemsOf('categories').remove(id);
    toast(words.deleted);
    return true;
  } catch (thrown) {
    toast(explain(toApiError(thrown))[1], { tone: 'bad' });
    return false;
  }
}
