import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { type Categories, type Category, inOrder } from './tree.ts';

/** Limit of loaded categories, in pages of 200. */
export const maxCategories = 2000;

/**
 * All categories of the store, up to 2,000; empty if the key may not see them.
 * @throws ApiError
 */
export async function loadCategories(signal?: AbortSignal): Promise<Categories> {
  const items: Category[] = [];
  let total = 0;
  if (can('category.read')) {
    do {
      const query = { limit: 200, offset: items.length };
      const page = await had(
        api.GET('/stores/{storeId}/categories', { params: { path: at(), query }, signal: signal ?? null }),
      );
      items.push(...page.items);
      total = page.total;
      if (page.items.length === 0) break;
    } while (items.length < Math.min(total, maxCategories));
  }
  return { items: inOrder(items), total, byId: new Map(items.map((one) => [one.id, one])) };
}
