import type { components, paths } from '@commerce/server/api';
import createClient, { type ClientOptions } from 'openapi-fetch';

type Schemas = components['schemas'];
type ListQuery = NonNullable<paths['/stores/{storeId}/products']['get']['parameters']['query']>;

/** Filters, order, `group`, `facets` and `include` of a list; any of several values of one attribute, and all attributes. */
export type ProductQuery = Omit<ListQuery, 'attributes'> & { attributes?: Record<string, string | string[]> };

export interface StorefrontOptions extends Omit<ClientOptions, 'baseUrl' | 'headers'> {
  /** Address of the service. */
  url: string;
  storeId: string;
  /** A storefront key, `ck_pub_…`, which is public. */
  key: string;
}

/** A refusal of the store: its status, its code, and the error of each field. */
export class StorefrontError extends Error {
  constructor(
    readonly status: number,
    readonly error: Schemas['ErrorEnvelope']['error'],
  ) {
    super(error.message);
  }
}

/**
 * The calls that a page needs on one store, typed by the interface's own document. Each call throws a `StorefrontError` when it is refused.
 */
export function createStorefront({ url, storeId, key, ...options }: StorefrontOptions) {
  const headers = { Authorization: `Bearer ${key}` };
  const querySerializer = { object: { style: 'form', explode: true } } as const;
  const client = createClient<paths>({ querySerializer, ...options, baseUrl: url, headers });
  const at = '/stores/{storeId}';
  const path = { storeId };
  return {
    /** The whole interface, for calls that are not below. */
    client,
    /** What pages must know of the shop: name, currency, language, methods and pages. */
    shop: async () => had(await client.GET(`${at}/shop`, { params: { path } })).item,
    products: async ({ attributes = {}, ...rest }: ProductQuery = {}) => {
      const named = Object.entries(attributes).map(([name, value]) => [`attr.${name}`, value]);
      const query: ListQuery = { ...rest, ...Object.fromEntries(named) };
      return had(await client.GET(`${at}/products`, { params: { path, query } }));
    },
    /** A product with its variants and images, in one request; undefined if there is none. */
    product: async (slug: string) => {
      const query = { slug, include: 'variants,media' };
      return had(await client.GET(`${at}/products`, { params: { path, query } })).items[0];
    },
    categories: async () =>
      had(await client.GET(`${at}/categories`, { params: { path, query: { limit: 200 } } })).items,
    page: async (slug: string) => had(await client.GET(`${at}/pages`, { params: { path, query: { slug } } })).items[0],
    image: async (id: string) => had(await client.GET(`${at}/media/{id}`, { params: { path: { ...path, id } } })).item,
    /** What a cart costs and what keeps it from being bought. Changes nothing. */
    quote: async (body: Schemas['QuoteInput']) =>
      had(await client.POST(`${at}/checkouts/quote`, { params: { path }, body })).item,
    /** Orders, and answers where the buyer pays. A retry with the same key, after an answer was lost, orders only once. */
    checkout: async (body: Schemas['CheckoutInput'], idempotencyKey: string = crypto.randomUUID()) => {
      const header = { 'Idempotency-Key': idempotencyKey };
      return had(await client.POST(`${at}/checkouts`, { params: { path, header }, body })).item;
    },
    /** With its secret, a paid or placed checkout has `orderUrl`, the link to the page of its order. */
    checkoutStatus: async (id: string, secret?: string | null) => {
      const header = secret ? { 'Checkout-Secret': secret } : {};
      return had(await client.GET(`${at}/checkouts/{id}`, { params: { path: { ...path, id }, header } })).item;
    },
    cancel: async (id: string, secret: string) =>
      had(await client.POST(`${at}/checkouts/{id}/cancel`, { params: { path: { ...path, id } }, body: { secret } }))
        .item,
    /** The order of a link. @param token what is behind the `#` of the page's address; it belongs in no path and no log */
    order: async (token: string) =>
      had(await client.GET(`${at}/orders/by-token`, { params: { path, header: { 'Order-Token': token } } })).item,
    /** States that a contract is withdrawn from. With the token of an order, name, e-mail and number can be left out. */
    withdraw: async (
      body: Schemas['WithdrawalInput'],
      { token, idempotencyKey = crypto.randomUUID() }: { token?: string; idempotencyKey?: string } = {},
    ) => {
      const header = { 'Idempotency-Key': idempotencyKey, ...(token !== undefined && { 'Order-Token': token }) };
      return had(await client.POST(`${at}/withdrawals`, { params: { path, header }, body })).item;
    },
  };
}

function had<T>({
  data,
  error,
  response,
}: {
  data?: T;
  error?: Schemas['ErrorEnvelope'];
  response: Response;
}): NonNullable<T> {
  if (data !== undefined && data !== null) return data;
  const unknown = { code: 'INTERNAL_ERROR', message: `the store answered ${response.status}` } as const;
  throw new StorefrontError(response.status, error?.error ?? unknown);
}
