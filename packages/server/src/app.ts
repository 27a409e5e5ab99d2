import { isUtf8 } from 'node:buffer';
import { type Commerce, CommerceError, type Context, receiveNotification } from '@commerce/core';
import { authenticate } from './auth.ts';
import { AbortedError } from './body.ts';
import { toErrorAnswer } from './errors.ts';
import type { Answer, AppRequest } from './http.ts';
import { answerFile, mediaPath } from './media-files.ts';
import { readFiles } from './multipart.ts';
import { allowed, decode, type Method, type Route, type RouteInput, Router } from './router.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { auditLogRoutes } from './routes/audit-logs.ts';
import { categoryRoutes } from './routes/categories.ts';
import { customerRoutes } from './routes/customers.ts';
import { mediaRoutes } from './routes/media.ts';
import { orderRoutes } from './routes/orders.ts';
import { pageRoutes } from './routes/pages.ts';
import { productRoutes } from './routes/products.ts';
import { webhookRoutes } from './routes/webhooks.ts';

export interface AppOptions {
  /** Opens `POST /orders` to keys with `order.write`. */
  ordersApi?: boolean;
  /** Told of faults of our own, with the id that the client was given; standard error by default. */
  onError?: (error: unknown, requestId: string) => void;
}

export interface App {
  /** Answers any request; never throws. */
  handle(request: AppRequest, requestId: string): Promise<Answer>;
  /** Whether the path is one of ours, for applications that serve others beside. */
  owns(url: string): boolean;
  /** From now on everything is answered with 503. */
  refuse(): void;
}

// Any path below the store prefix, with or without /api: the store's id, then the path of the resource.
const storePath = /^(?:\/api)?\/stores\/([^/?]+)(\/[^?]*)?$/;
const receiverPath = /^\/api\/webhooks\/([^/]+)(?:\/([^/]+))?$/;

/** The interface without a socket: route table, keys, scopes, errors. */
export function createApp(commerce: Commerce, options: AppOptions = {}): App {
  const { engine } = commerce;
  const router = new Router([
    ...productRoutes,
    ...categoryRoutes,
    ...customerRoutes,
    ...pageRoutes,
    ...apiKeyRoutes,
    ...auditLogRoutes,
    ...orderRoutes({ ordersApi: options.ordersApi ?? false }),
    ...mediaRoutes({ uploads: engine.media.files !== undefined }),
    ...webhookRoutes,
  ]);
  const onError = options.onError ?? ((error, requestId) => console.error(`request ${requestId} failed:`, error));
  let refusing = false;

  return {
    async handle(request, requestId) {
      const [path = '', search = ''] = splitUrl(request.url);
      const receiver = receiverPath.exec(path);
      try {
        if (path === '/healthz') return health(request, async () => ({ status: 'ok' }));
        if (refusing) throw new CommerceError('unavailable', 'the server is shutting down');
        if (path === '/readyz') return await health(request, ready);
        const store = storePath.exec(path);
        if (store) return await handleResource(request, requestId, store[1] ?? '', store[2] ?? '/', search);
        if (receiver) return await handleNotification(request, requestId, receiver[1] ?? '', receiver[2]);
        const file = mediaPath.exec(path);
        if (file) return await handleFile(request, requestId, file[1] ?? '', file[2] ?? '', search);
        throw new CommerceError('notFound', `there is nothing at ${path}`);
      } catch (error) {
        const answer = toErrorAnswer(error, requestId);
        if (!(error instanceof CommerceError) || error.kind === 'internal' || error.cause !== undefined) {
          // A client that leaves is no fault of ours.
          if (answer.status >= 500 && !(error instanceof AbortedError)) onError(error, requestId);
        }
        // A provider sends again what was answered with 500, and only that.
        return receiver && (answer.status === 503 || answer.status === 409) ? { ...answer, status: 500 } : answer;
      }
    },
    owns(url) {
      const [path = ''] = splitUrl(url);
      return (
        path === '/healthz' ||
        path === '/readyz' ||
        storePath.test(path) ||
        receiverPath.test(path) ||
        mediaPath.test(path)
      );
    },
    refuse() {
      refusing = true;
    },
  };

  async function handleResource(
    request: AppRequest,
    requestId: string,
    storeId: string,
    path: string,
    search: string,
  ): Promise<Answer> {
    const known = authenticate(commerce, request.headers);
    const identity = known instanceof Promise ? await known : known;
    const { store, actor } = identity;
    // The same for a store that exists and for one that does not.
    if (storeId !== store.id)
      throw new CommerceError('forbidden', 'insufficient permissions: the API key is not of this store');
    const match = router.match(path);
    if (!match) throw new CommerceError('notFound', `there is nothing at ${path}`);
    const method = resourceMethod(request.method);
    const route = method && match.routes.get(method);
    if (!route || 'closed' in route) {
      const closed = route?.closed ?? `${request.method} is not a method of ${path}`;
      const answer = toErrorAnswer(new CommerceError('methodNotAllowed', closed), requestId);
      return { ...answer, headers: { ...answer.headers, Allow: allowed(match.routes) } };
    }
    if (!actor.scopes.has(route.scope)) {
      throw new CommerceError(
        'forbidden',
        `insufficient permissions: the API key does not have the scope ${route.scope}`,
      );
    }
    const ctx: Context = { engine, store, actor, requestId };
    const body = await route.run(ctx, await readInput(request, route, match.params, search));
    return body === undefined ? { status: route.status } : { status: route.status, body };
  }

  async function handleNotification(
    request: AppRequest,
    requestId: string,
    provider: string,
    store: string | undefined,
  ): Promise<Answer> {
    if (request.method !== 'POST') return onlyAllows('POST', request, requestId);
    // What cannot be decoded names no store; it must not pass for the address that leaves the store out.
    const storeId = store === undefined ? undefined : (decode(store) ?? store);
    const answer = await receiveNotification(
      engine,
      provider,
      { body: await request.readBody(), headers: request.headers },
      { requestId, ...(storeId === undefined ? {} : { storeId }) },
    );
    return { status: 200, body: JSON.stringify(answer) };
  }

  async function handleFile(
    request: AppRequest,
    requestId: string,
    storeId: string,
    name: string,
    search: string,
  ): Promise<Answer> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return onlyAllows('GET, HEAD', request, requestId);
    const answer = await answerFile(engine, request, storeId, name, search);
    // Too late to be answered, for the headers are out. A client that leaves aborts what it does not want, which is no fault.
    answer.stream?.on('error', (error) => {
      if (error.name !== 'AbortError') onError(error, requestId);
    });
    return answer;
  }

  async function ready(): Promise<object> {
    const { pending } = await commerce.migrationStatus();
    if (pending.length > 0) throw new CommerceError('unavailable', `the database lacks ${pending.join(', ')}`);
    return { status: 'ready' };
  }
}

async function health(request: AppRequest, check: () => Promise<object>): Promise<Answer> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return onlyAllows('GET, HEAD', request, '');
  return { status: 200, body: JSON.stringify(await check()) };
}

function onlyAllows(methods: string, request: AppRequest, requestId: string): Answer {
  const error = new CommerceError('methodNotAllowed', `${request.method} is not allowed here, only ${methods}`);
  const answer = toErrorAnswer(error, requestId);
  return { ...answer, headers: { ...answer.headers, Allow: methods } };
}

function splitUrl(url: string): [string, string] {
  const query = url.indexOf('?');
  return query === -1 ? [url, ''] : [url.slice(0, query), url.slice(query + 1)];
}

/** The method as routes know it: HEAD is answered as GET, PATCH does what PUT does. */
function resourceMethod(method: string): Method | undefined {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return 'GET';
    case 'PUT':
    case 'PATCH':
      return 'PUT';
    case 'POST':
    case 'DELETE':
      return method;
    default:
      return undefined;
  }
}

const noQuery = {} as never;
const noBody = undefined as never;

async function readInput(
  request: AppRequest,
  route: Route,
  params: Record<string, string>,
  search: string,
): Promise<RouteInput> {
  const query = search === '' ? noQuery : (Object.fromEntries(new URLSearchParams(search)) as never);
  if (route.method !== 'POST' && route.method !== 'PUT') return { params, query, body: noBody };
  const body = route.body === 'files' ? readFiles(request) : await readJson(request);
  return { params, query, body: body as never };
}

async function readJson(request: AppRequest): Promise<unknown> {
  const type = request.headers['content-type'];
  if (type === undefined || !/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type)) {
    throw new CommerceError(
      'unsupportedMediaType',
      `the body must be sent as application/json, not ${type ?? 'without a type'}`,
    );
  }
  const bytes = await request.readBody();
  if (!isUtf8(bytes)) throw malformed('the body must be UTF-8');
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw malformed(`the body must be a JSON object: ${(error as Error).message}`);
  }
}

function malformed(message: string): CommerceError {
  return new CommerceError('validation', message, { details: [{ field: 'body', reason: message }] });
}
