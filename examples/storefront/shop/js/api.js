import config from '../config.js';

/** @typedef {import('@commerce/server/api').components['schemas']} Schemas */
/** @typedef {Schemas['Product']} Product */
/** @typedef {Schemas['ListedProduct']} ListedProduct */
/** @typedef {NonNullable<Schemas['ListedProduct']['variants']>[number]} Variant */
/** @typedef {Schemas['ProductFacets']} Facets */
/** @typedef {Schemas['Shop']} Shop */
/** @typedef {Schemas['Quote']} Quote */
/** @typedef {Schemas['QuoteInput']} QuoteInput */
/** @typedef {Schemas['Category']} Category */
/** @typedef {Schemas['Media']} Media */
/** @typedef {Schemas['Page']} Page */
/** @typedef {Schemas['Checkout']} Checkout */
/** @typedef {Schemas['CreatedCheckout']} CreatedCheckout */
/** @typedef {Schemas['CheckoutInput']} CheckoutInput */
/** @typedef {Schemas['BuyersOrder']} BuyersOrder */
/** @typedef {Schemas['WithdrawalInput']} WithdrawalInput */
/** @typedef {Schemas['ReceivedWithdrawal']} ReceivedWithdrawal */
/** @template T @typedef {{ items: T[], total: number }} List */

/** A request that was refused (`status` from 400 on), or that got no answer (`status` 0). */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {{ code?: string, message?: string, details?: { field: string, message?: string, reason?: string, code?: string }[] }} [error]
   * @param {number} [retryAfter] seconds to wait, if the shop says so
   */
  constructor(
    status,
    { code = 'UNREACHABLE', message = 'the shop could not be reached', details = [] } = {},
    retryAfter = 0,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** Milliseconds before a request is given up. Opening a page at a payment provider can take two tries of ten seconds. */
const patience = 30_000;

/** @typedef {Record<string, string | number | undefined | readonly string[]>} Query a list repeats its parameter */

/**
 * Asks the store.
 * @template T
 * @param {string} path below the store, such as `/products`
 * @param {{ query?: Query, body?: object, headers?: Record<string, string>, signal?: AbortSignal }} [options] a request with a body is a POST
 * @returns {Promise<T>}
 */
async function ask(path, options = {}) {
  const response = await send(path, options);
  return response.json().catch(() => ({}));
}

/**
 * @param {string} path
 * @param {{ query?: Query, body?: object, headers?: Record<string, string>, signal?: AbortSignal }} options
 */
async function send(path, { query = {}, body, headers = {}, signal }) {
  const url = new URL(`${config.url}/stores/${config.storeId}${path}`);
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined && one !== '') url.searchParams.append(name, String(one));
  }
  const timeout = AbortSignal.timeout(patience);
  /** @type {Response} */
  let response;
  try {
    response = await fetch(url, {
      headers: {
        Authorization: `Bearer ${config.key}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused(0);
  }
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  throw new Refused(response.status, error, Number(response.headers.get('Retry-After') ?? 0));
}

/** @template T @param {string} path @param {Record<string, string>} [headers] @returns {Promise<T>} */
const item = async (path, headers = {}) => /** @type {{ item: T }} */ (await ask(path, { headers })).item;

/** What pages must know of the shop. @returns {Promise<Shop>} */
export const getShop = () => item('/shop');

/**
 * @param {Query} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<List<ListedProduct> & { facets?: Facets }>}
 */
export const listProducts = (query, signal) => ask('/products', { query, ...(signal && { signal }) });

/**
 * A product with its variants and pictures, in one request.
 * @param {string} slug
 * @returns {Promise<ListedProduct | undefined>}
 */
export const getProduct = async (slug) => (await listProducts({ slug, include: 'variants,media', limit: 1 })).items[0];

/**
 * What a cart costs, and what keeps it from being bought. Nothing is changed.
 * @param {QuoteInput} input
 * @param {AbortSignal} [signal]
 * @returns {Promise<Quote>}
 */
export async function quote(input, signal) {
  const answer = await ask('/checkouts/quote', { body: input, ...(signal && { signal }) });
  return /** @type {{ item: Quote }} */ (answer).item;
}

/** @returns {Promise<List<Category>>} */
export const listCategories = () => ask('/categories', { query: { limit: 200 } });

/** @param {Query} [query] @returns {Promise<List<Page>>} */
export const listPages = (query = {}) => ask('/pages', { query: { limit: 20, ...query } });

/**
 * @param {CheckoutInput} input
 * @param {string} idempotencyKey
 * @returns {Promise<CreatedCheckout>}
 */
export async function createCheckout(input, idempotencyKey) {
  const answer = await ask('/checkouts', { body: input, headers: { 'Idempotency-Key': idempotencyKey } });
  return /** @type {{ item: CreatedCheckout }} */ (answer).item;
}

/**
 * @param {string} id
 * @param {string | null} [secret] shows the address of the page of the order, once it is paid or placed
 * @returns {Promise<Checkout>}
 */
export const getCheckout = (id, secret) =>
  item(`/checkouts/${encodeURIComponent(id)}`, secret ? { 'Checkout-Secret': secret } : {});

/** @param {string} id @param {string} secret @returns {Promise<Checkout>} */
export async function cancelCheckout(id, secret) {
  const answer = await ask(`/checkouts/${encodeURIComponent(id)}/cancel`, { body: { secret } });
  return /** @type {{ item: Checkout }} */ (answer).item;
}

/**
 * The order of the link that the buyer was sent.
 * @param {string} token
 * @returns {Promise<BuyersOrder>}
 */
export const getOrderByToken = (token) => item('/orders/by-token', { 'Order-Token': token });

/**
 * An invoice of the order as a PDF file. The token goes in a header, so a link cannot ask for it.
 * @param {string} token
 * @param {string} id
 * @returns {Promise<Blob>}
 */
export async function getInvoiceFile(token, id) {
  const path = `/orders/by-token/invoices/${encodeURIComponent(id)}.pdf`;
  return (await send(path, { headers: { 'Order-Token': token } })).blob();
}

/**
 * States that a contract is withdrawn from. The store receives everything.
 * @param {WithdrawalInput} input
 * @param {string} idempotencyKey
 * @param {string} [token] of the order's page
 * @returns {Promise<ReceivedWithdrawal>}
 */
export async function createWithdrawal(input, idempotencyKey, token) {
  const headers = { 'Idempotency-Key': idempotencyKey, ...(token && { 'Order-Token': token }) };
  return /** @type {{ item: ReceivedWithdrawal }} */ (await ask('/withdrawals', { body: input, headers })).item;
}

/** @type {Promise<Map<string, Media>> | undefined} */
let newest;

/**
 * Images by their ids. One list holds all images of a small shop; missing ones are asked for by their ids.
 * @param {string[]} ids
 * @returns {Promise<Map<string, Media>>}
 */
export async function getImages(ids) {
  newest ??= ask('/media', { query: { mimeType: 'image/', limit: 200 } }).then(
    (list) => new Map(/** @type {List<Media>} */ (list).items.map((media) => [media.id, media])),
    () => new Map(),
  );
  const known = await newest;
  const missing = [...new Set(ids)].filter((id) => !known.has(id));
  for (let at = 0; at < missing.length; at += 200) {
    const query = { ids: missing.slice(at, at + 200).join(','), limit: 200 };
    const list = /** @type {List<Media>} */ (await ask('/media', { query }).catch(() => ({ items: [] })));
    for (const media of list.items) known.set(media.id, media);
  }
  return known;
}
