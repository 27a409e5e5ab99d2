import type { paths } from '@commerce/server/api';
import createClient from 'openapi-fetch';
import { service } from '../browser/places.ts';
import { errorOf, isAbort, noAnswer } from './errors.ts';
import { currentAccess, currentStore, onUnauthorized } from './session.ts';

/** Says that the dashboard sends a request: only then does the cookie of its session count. */
export const ofDashboard = 'Commerce-Dashboard';

/** The only access to the network: adds the key or lets the browser add the cookie, and ends the session on a 401. */
async function send(request: Request): Promise<Response> {
  // A path that belongs to no store, such as signing in, says nothing about the current session.
  const access = request.url.startsWith(`${service}/stores/`) ? currentAccess() : undefined;
  const { headers } = request;
  if (access?.key && !headers.has('Authorization')) headers.set('Authorization', `Bearer ${access.key.key}`);
  const hasKey = headers.has('Authorization');
  if (!hasKey) headers.set(ofDashboard, '1');
  let response: Response;
  try {
    response = await fetch(request, {
      credentials: hasKey ? 'omit' : 'same-origin',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
  } catch (error) {
    throw isAbort(error) ? error : noAnswer();
  }
  if (response.status === 401 && access) onUnauthorized(access);
  return response;
}

const querySerializer = { object: { style: 'form', explode: true } } as const;

/**
 * The interface, typed by its own document. Called as `had(api.GET('/stores/{storeId}/orders', { params: { path: at(), query } }))`.
 */
export const api = createClient<paths>({ baseUrl: service, fetch: send, querySerializer });

/** The values of a path: the store of this session, and the given ones. */
export function at<T extends Record<string, string>>(values?: T): T & { storeId: string } {
  return { ...(values as T), storeId: currentStore() ?? '' };
}

interface Fetched<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * The body of an answer.
 * @throws ApiError if the request was refused or did not arrive
 */
export async function had<T>(call: Promise<Fetched<T>>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  if (!response.ok) throw errorOf(response, error);
  return data as NonNullable<T>;
}

/** An item with the version that was read, for `If-Match`. */
export interface Versioned<T> {
  item: T;
  etag: string;
}

/** The item of an answer with its version. @throws ApiError as `had` does */
export async function hadItem<T>(call: Promise<Fetched<{ item: T }>>): Promise<Versioned<T>> {
  const { data, error, response } = await call;
  if (!response.ok || !data) throw errorOf(response, error);
  return { item: data.item, etag: response.headers.get('ETag') ?? '' };
}
