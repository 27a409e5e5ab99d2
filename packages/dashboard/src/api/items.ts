import { api, at, had, hadItem, type Versioned } from './client.ts';
import type { Schemas } from './types.ts';

/** The schemas of the collections whose items are read, created, changed and deleted in the same way. */
interface Names {
  categories: 'Category';
  customers: 'Customer';
  discounts: 'Discount';
  media: 'Media';
  orders: 'Order';
  pages: 'Page';
  products: 'Product';
  webhooks: 'Webhook';
}

export type Collection = keyof Names;
export type Item<C extends Collection> = Schemas[Names[C]];
export type Changes<C extends Collection> = Schemas[`${Names[C]}Changes`];

/** Operations on one collection. Each function throws an ApiError, as `had` does. */
export interface Items<C extends Collection> {
  read(id: string, signal?: AbortSignal): Promise<Versioned<Item<C>>>;
  /** @param body every field of the new item; the service reports missing ones */
  create(body: Changes<C>): Promise<Versioned<Item<C>>>;
  /** @param etag the version that was read: any other is refused with 409 */
  update(id: string, body: Changes<C>, etag: string | undefined): Promise<Versioned<Item<C>>>;
  remove(id: string, etag?: string): Promise<void>;
}

export function itemsOf<C extends Collection>(collection: C): Items<C> {
  // The paths of pages are used for the types of all: collections differ only in the item.
  const all = `/stores/{storeId}/${collection}` as '/stores/{storeId}/pages';
  const one = `${all}/{id}` as const;
  const items = {
    read: (id: string, signal: AbortSignal | null = null) =>
      hadItem(api.GET(one, { params: { path: at({ id }) }, signal })),
    create: (body: Schemas['PageInput']) => hadItem(api.POST(all, { params: { path: at() }, body })),
    update: (id: string, body: Changes<'pages'>, etag: string | undefined) =>
      hadItem(api.PUT(one, { params: { path: at({ id }), header: { 'If-Match': etag } }, body })),
    remove: (id: string, etag?: string) =>
      had(api.DELETE(one, { params: { path: at({ id }), header: { 'If-Match': etag } } })),
  };
  return items as unknown as Items<C>;
}
