import { type Commerce, CommerceError, type Context, type Identity } from '@commerce/core';
import { toErrorAnswer } from '../errors.ts';
import { etagOf, isKnown, wantedVersions } from '../etag.ts';
import type { Answer, AppRequest, RequestFacts } from '../http.ts';
import { answerOf } from './answers.ts';
import { authenticate } from './auth.ts';
import { answerOnce, fingerprintOf } from './idempotency.ts';
import { readJson } from './input.ts';
import { FileDigest, readFiles } from './multipart.ts';
import { countRequest } from './rate-limit.ts';
import { allowed, type Method, type Route, type RouteInput, type Router } from './router.ts';

/** Any path below the store prefix, with or without /api: the store's id, then the path of the resource. */
export const storePath = /^(?:\/api)?\/stores\/([^/?]+)(\/[^?]*)?$/;

/** Answers requests for the resources of a store: key, limit, store, route, scope, input, operation, in this order. */
export class Resources {
  readonly #commerce: Commerce;
  readonly #router: Router;

  constructor(commerce: Commerce, router: Router) {
    this.#commerce = commerce;
    this.#router = router;
  }

  async answer(
    request: AppRequest,
    requestId: string,
    [storeId, path]: [string, string],
    search: string,
    facts: RequestFacts,
  ): Promise<Answer> {
    if (request.method === 'OPTIONS') return this.#options(path, facts);
    const known = authenticate(this.#commerce, request.headers);
    const identity = known instanceof Promise ? await known : known;
    const { store } = identity;
    facts.keyPrefix = identity.prefix;
    facts.storeId = store.id;
    if (store.rateLimit === null) return this.#answerKnown(request, requestId, storeId, path, search, facts, identity);
    const counted = await countRequest(this.#commerce, store, store.rateLimit);
    facts.headers = { ...facts.headers, ...counted.headers };
    if (counted.refused) throw counted.refused;
    return this.#answerKnown(request, requestId, storeId, path, search, facts, identity);
  }

  /** The methods of a path are no secret: a browser asks for them without a key before it sends one. */
  #options(path: string, facts: RequestFacts): Answer {
    const match = this.#router.match(path);
    if (!match) throw nothingAt(path);
    facts.route = match.path;
    return { status: 204, headers: { Allow: allowed(match.routes) } };
  }

  async #answerKnown(
    request: AppRequest,
    requestId: string,
    storeId: string,
    path: string,
    search: string,
    facts: RequestFacts,
    { store, actor }: Identity,
  ): Promise<Answer> {
    const match = this.#router.match(path);
    if (match) facts.route = match.path;
    // The same for a store that exists and for one that does not.
    if (storeId !== store.id) {
      throw new CommerceError('forbidden', 'insufficient permissions: the API key is not of this store');
    }
    if (!match) throw nothingAt(path);
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
    const { params } = match;
    const query = search === '' ? noQuery : (Object.fromEntries(new URLSearchParams(search)) as never);
    const ctx: Context = { engine: this.#commerce.engine, store, actor, requestId };
    if (method === 'GET') return answerRead(request, route, ctx, { params, query, body: noBody });
    if (method === 'POST') return answerPost(request, route, ctx, { params, query }, path);
    const body = method === 'PUT' ? (await readJson(request)).value : noBody;
    const versions = wantedVersions(request.headers['if-match']);
    const expecting = versions && params.id !== undefined ? { ...ctx, expected: { id: params.id, versions } } : ctx;
    return answerOf(route.answer, await route.run(expecting, { params, query, body: body as never }));
  }
}

async function answerRead(request: AppRequest, route: Route, ctx: Context, input: RouteInput): Promise<Answer> {
  const body = route.answer.print(await route.run(ctx, input));
  if (!route.answer.versioned || body === undefined) return { status: 200, ...(body === undefined ? {} : { body }) };
  const etag = etagOf(body);
  const headers = { ETag: etag };
  return isKnown(request.headers['if-none-match'], etag) ? { status: 304, headers } : { status: 200, headers, body };
}

async function answerPost(
  request: AppRequest,
  route: Route,
  ctx: Context,
  { params, query }: Omit<RouteInput, 'body'>,
  path: string,
): Promise<Answer> {
  const key = request.headers['idempotency-key'];
  if (route.body === 'files') {
    const digest = key === undefined ? undefined : new FileDigest(path);
    const files = readFiles(request, digest);
    const input = { params, query, body: files as never };
    if (digest === undefined) return answerOf(route.answer, await route.run(ctx, input));
    return answerOnce(
      ctx,
      route,
      key,
      () => digest.result(),
      (once) => route.run(once, input),
    );
  }
  const body = route.body === undefined ? undefined : await readJson(request);
  const input = { params, query, body: body?.value as never };
  if (key === undefined) return answerOf(route.answer, await route.run(ctx, input));
  return answerOnce(ctx, route, key, fingerprintOf(path, body?.bytes), (once) => route.run(once, input));
}

function nothingAt(path: string): CommerceError {
  return new CommerceError('notFound', `there is nothing at ${path}`);
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
