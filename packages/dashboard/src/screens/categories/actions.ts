import { api, at, had } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { itemsOf } from '../../api/items.ts';
import { can } from '../../api/session.ts';
import { confirm, toast } from '../../kit/index.ts';
import { explain } from '../../kit/states.tsx';
import type { Categories, Category } from '../goods/tree.ts';

/** Roots that a category can move below: none if it has children, because there are two levels. */
export function parentOptions({ items }: Categories, id?: string): (readonly [string, string])[] {
  const top = ['', 'None: it is a root category'] as const;
  if (items.some(({ category }) => category.parentId === id && id !== undefined)) return [top];
  return [
    top,
    ...items
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
  const query = { categoryId: id, limit: 1 };
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
    const ofProducts =
      products === undefined
        ? 'Its products are kept, but no longer belong to it.'
        : products === 0
          ? 'It contains no products.'
          : products === 1
            ? 'It contains one product, which is kept.'
            : `${products.toLocaleString()} products belong to it; they are kept.`;
    const ofThose =
      below === 0
        ? ''
        : below === 1
          ? ' Its subcategory becomes a root category.'
          : ` Its ${below} subcategories become root categories.`;
    const text = `${ofProducts}${ofThose} This cannot be undone.`;
    if (!(await confirm(`Delete ${name}?`, text, { yes: 'Delete category' }))) return false;
    await itemsOf('categories').remove(id);
    toast('Category deleted.');
    return true;
  } catch (thrown) {
    toast(explain(toApiError(thrown))[1], { tone: 'bad' });
    return false;
  }
}
