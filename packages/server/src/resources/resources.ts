import {
  type Actor,
  type Commerce,
  CommerceError,
  type Context,
  type Lasting,
  type RateLimit,
  readNearby,
  type StoreContext,
  writtenPosition,
} from '@commerce/core';
import { BodyDigest, readImport } from '../bodies/import-body.ts';
import { type JsonBody, readJson } from '../bodies/input.ts';
import { FileDigest, readFiles } from '../bodies/multipart.ts';
import { readJsonStrictly, refuseAnyField, refuseUnknownQuery } from '../bodies/strict.ts';
import { nothingAt } from '../errors.ts';
import { wantedVersions } from '../etag.ts';
import type { Answer, AppRequest, Area, Call, RequestFacts } from '../http.ts';
import { clientAddress } from '../request/origin.ts';
import { StoreRounds } from '../request/store-rounds.ts';
import { answerOf, answerOfRead, freshAnswer } from '../routes/answers.ts';
import { allowed, type Match, type Method, type Route, type Router, type SecretHeader } from '../routes/router.ts';
import { authenticate, type SignInOptions } from './auth.ts';
import { answerOnce, fingerprintOf } from './idempotency.ts';
import { KeptAnswers } from './kept-answers.ts';
import { countRequest, type StorefrontLimit } from './rate-limit.ts';

/** Any path below the store prefix, with or without `/api`. */
const storePath = /^(?:\/api)?\/stores\/[^/?]+(?:\/[^?]*)?$/;

/** Answers requests for the resources of a store: key, limits, store, path, method, scope, input, operation, in this order. */
export class Resources implements Area {
  readonly canBeStrict = true;
  readonly #commerce: Commerce;
  readonly #router: Router;
  readonly #storefront: StorefrontLimit;
  readonly #signIn: SignInOptions;
  readonly #trustProxy: boolean;
  readonly #kept: KeptAnswers | undefined;
  /** A round of requests is a turn of the event loop: between two, the database's answers for other stores are processed. */
  readonly #rounds = new StoreRounds({ ofStore: 4, next: setImmediate });
  /** Refusals of a store that has used up its limit: 500 per second. A client cannot raise its cost by asking faster. */
  readonly #refusals = new StoreRounds({ ofStore: 5, next: (begin) => setTimeout(begin, 10).unref() });

  constructor(
    commerce: Commerce,
    router: Router,
    storefront: StorefrontLimit,
    signIn: SignInOptions,
    trustProxy: boolean,
    keptBytes: number,
  ) {
    this.#commerce = commerce;
    this.#router = router;
    this.#storefront = storefront;
    this.#signIn = signIn;
    this.#trustProxy = trustProxy;
    this.#kept = KeptAnswers.of(commerce.engine, keptBytes);
  }

  owns(path: string): boolean {
    return storePath.test(path);
  }

  async answer(call: Call): Promise<Answer> {
    const { request, requestId, facts, isStrict } = call;
    const { headers } = request;
    const [storeId, path] = splitStorePath(call.path);
    if (request.method === 'OPTIONS') return this.#answerOptions(path, facts);
    const known = authenticate(this.#commerce, request, this.#signIn);
    const { store, actor, prefix } = known instanceof Promise ? await known : known;
    facts.keyPrefix = prefix;
    facts.storeId = store.id;
    const match = this.#router.match(path);
    // Before the store's own limit, which one client must not use up for all others.
    if (actor.isPublic) {
      const kind = isRead(match, request.method) ? 'reads' : 'writes';
      this.#storefront.count(request, kind, this.#commerce.engine.clock.now(), facts);
    }
    const round = this.#rounds.enter(store.id);
    if (round) await round;
    if (store.rateLimit !== null) await this.#countRequest(call, store, store.rateLimit);
    if (match) facts.route = match.path;
    // The same answer whether the store exists or not.
    if (storeId !== store.id) throw forbidden(`${nameOf(actor)} belongs to another store`);
    if (!match) throw nothingAt(path);
    const route = routeOf(match, request.method, path, actor, facts);
    const scope = route.scopeOf?.(queryOf(call.search) as Record<string, string>) ?? route.scope;
    if (scope !== null && !actor.scopes.has(scope) && !isOfRole(route, actor)) {
      throw forbidden(`${actor.session ? 'the role of the user' : nameOf(actor)} does not have the scope ${scope}`);
    }
    if (isStrict) await refuseUnknownQuery(route.query, call.search);
    const { engine } = this.#commerce;
    const kept = route.isKept ? this.#kept : undefined;
    const name = kept ? nameOfAnswer(store, actor, path, call.search) : '';
    const before = kept?.get(name, engine.clock.now());
    if (before) return freshAnswer(before, headers);
    const ctx: Context = { engine, store, actor, requestId, ...this.#placeOf(request, actor) };
    const args: unknown[] = [...match.parameters];
    if (route.method === 'GET') {
      if (route.query) args.push(queryOf(call.search, route.repeats));
      if (kept) {
        const run = (lasting: Lasting) => route.run({ ...ctx, lasting }, ...(args as never[]));
        const made = await kept.make(name, async (lasting) => answerOf(route.answer, await run(lasting)));
        return freshAnswer(made, headers);
      }
      if (route.secretHeader) args.push(secretIn(headers, route.secretHeader));
      const result = await (route.mayLag && ctx.engine.storage.replicas
        ? readNearby(ctx, positionIn(headers), (near) => route.run(near, ...(args as never[])))
        : route.run(ctx, ...(args as never[])));
      return answerOfRead(route.answer, result, headers);
    }
    // Of an account nothing is kept: the digest of a request with a password would help to guess it.
    const isKept = route.method === 'POST' && !route.forUsers && !route.changesNothing;
    const key = isKept ? headers['idempotency-key'] : undefined;
    if (route.query) args.push(queryOf(call.search, route.repeats));
    let answer: Answer;
    if (route.exchange) {
      answer = await route.exchange(ctx, { request, position: positionIn(headers) });
    } else if (key !== undefined) {
      answer = await answerRepeatable(ctx, route, call, call.search ? `${path}?${call.search}` : path, args, key);
    } else {
      if (route.body === 'files') args.push(readFiles(request));
      else if (route.body === 'import') args.push(readImport(request, ctx.engine.importFiles.maxBytes));
      else {
        const body = await readInput(route, request, isStrict);
        if (body) args.push(body.value);
      }
      if (route.secretHeader) args.push(secretIn(headers, route.secretHeader));
      const on = route.method === 'POST' ? ctx : expecting(ctx, match.parameters[0] ?? store.id, headers['if-match']);
      answer = answerOf(route.answer, await route.run(on, ...(args as never[])));
    }
    const position = await writtenPosition(ctx.engine);
    if (position !== undefined) answer.headers = { ...answer.headers, [positionHeader]: position };
    return answer;
  }

  /** The network address of a user, for the audit log, or of a buyer, for the limits of checkouts. */
  #placeOf(request: AppRequest, { session, isPublic }: Actor): Pick<Context, 'address'> {
    return session || isPublic ? { address: clientAddress(request, this.#trustProxy) } : {};
  }

  /** @throws CommerceError `rateLimited` if nothing of the store's limit remains */
  async #countRequest({ request, facts }: Call, store: StoreContext, limit: RateLimit): Promise<void> {
    const refusal = await countRequest(this.#commerce, store, limit, facts);
    if (!refusal) return;
    const turn = this.#refusals.enter(store.id);
    if (turn) await (request.standAside?.(turn) ?? turn);
    throw refusal;
  }

  /** The methods of a path are not secret: a browser asks for them without a key before it sends one. */
  #answerOptions(path: string, facts: RequestFacts): Answer {
    const match = this.#router.match(path);
    if (!match) throw nothingAt(path);
    facts.route = match.path;
    return { status: 204, headers: { Allow: allowed(match.routes) } };
  }
}

/** True if a request changes nothing. */
function isRead(match: Match | undefined, method: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  const route = match?.routes.get('POST');
  return method === 'POST' && route !== undefined && 'run' in route && route.changesNothing === true;
}

/** True if a route admits a role without its scope. */
function isOfRole({ orRole }: Route, { session }: Actor): boolean {
  return orRole !== undefined && session?.role === orRole;
}

/** Header with the position of a write, in its answer, and with the position to read after, in a request. */
const positionHeader = 'Commerce-Position';

/** The text of a header with a secret; undefined without one. */
function secretIn(headers: AppRequest['headers'], name: SecretHeader): string | undefined {
  const secret = headers[name.toLowerCase()];
  return Array.isArray(secret) ? secret.join() : secret;
}

function positionIn(headers: AppRequest['headers']): string | undefined {
  const position = headers['commerce-position'];
  return Array.isArray(position) ? position.join() : position;
}

/** Name of the answer to a read. It has the time of the store's settings, because those of the key can be a second old. */
function nameOfAnswer({ id, updatedAt }: StoreContext, { isPublic }: Actor, path: string, search: string): string {
  return `${id} ${isPublic ? 'public' : 'secret'} ${updatedAt} ${path}?${search}`;
}

/** The id of the store in a path; undefined for another path. */
export function storeIdOf(path: string): string | undefined {
  return storePath.test(path) ? splitStorePath(path)[0] : undefined;
}

/** The store's id, and the path of the resource below it. */
function splitStorePath(path: string): [storeId: string, path: string] {
  const start = path.indexOf('/', path.startsWith('/api/') ? 5 : 1) + 1;
  const end = path.indexOf('/', start);
  return end === -1 ? [path.slice(start), '/'] : [path.slice(start, end), path.slice(end)];
}

/** @throws CommerceError `methodNotAllowed` if the path does not have the method, or has it closed */
function routeOf(
  { routes }: Match,
  requestMethod: string,
  path: string,
  { session }: Actor,
  facts: RequestFacts,
): Route {
  const method = resourceMethod(requestMethod);
  const route = method && routes.get(method);
  if (route && 'run' in route) return route;
  if (route?.openToUsers && session) return route.open;
  facts.headers = { Allow: allowed(routes), ...facts.headers };
  throw new CommerceError('methodNotAllowed', route?.closed ?? `${path} does not support ${requestMethod}`);
}

/** The method of the route: HEAD is answered like GET, PATCH does the same as PUT. */
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

/** The parameters of a query. @param repeats whether a repeated one is a list; otherwise its last value counts */
function queryOf(search: string, repeats = false): Record<string, string | string[]> {
  if (search === '') return {};
  const parameters = new URLSearchParams(search);
  if (!repeats) return Object.fromEntries(parameters);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] as string) : values];
    }),
  );
}

/**
 * The context of a change that `If-Match` allows only for some versions.
 * @param id of the resource; of the store itself for its settings
 */
function expecting(ctx: Context, id: string, ifMatch: string | undefined): Context {
  const versions = wantedVersions(ifMatch);
  return versions ? { ...ctx, expected: { id, versions } } : ctx;
}

/** Answers a POST that can be repeated with the same `Idempotency-Key`. */
async function answerRepeatable(
  ctx: Context,
  route: Route,
  { request, isStrict }: Call,
  path: string,
  args: unknown[],
  key: string | string[],
): Promise<Answer> {
  const run = (once: Context) => route.run(once, ...(args as never[]));
  if (route.body === 'files') {
    const digest = new FileDigest(path);
    args.push(readFiles(request, digest));
    return answerOnce(ctx, route, key, () => digest.result(), run);
  }
  if (route.body === 'import') {
    const digest = new BodyDigest(path);
    args.push(readImport(request, ctx.engine.importFiles.maxBytes, digest));
    return answerOnce(ctx, route, key, () => digest.result(), run);
  }
  const body = await readInput(route, request, isStrict);
  if (body) args.push(body.value);
  if (!route.secretHeader) return answerOnce(ctx, route, key, fingerprintOf(path, body?.bytes), run);
  const secret = secretIn(request.headers, route.secretHeader);
  args.push(secret);
  // With another secret it is another request, whose answer must not be that of the first.
  return answerOnce(ctx, route, key, fingerprintOf(`${path}\n${secret ?? ''}`, body?.bytes), run);
}

/** The JSON of a request; undefined if its route takes none. */
async function readInput(
  { body, answer }: Route,
  request: AppRequest,
  isStrict: boolean,
): Promise<JsonBody | undefined> {
  if (body === 'files' || body === 'import') return undefined;
  if (!isStrict) return body && readJson(request);
  // Entries of a list, and results of another kind, are not what is sent.
  if (body) return readJsonStrictly(request, body, { answer: answer.wrap === 'item' ? answer.schema : undefined });
  await refuseAnyField(request);
  return undefined;
}

/** Who asks, in an error. */
function nameOf({ type }: Actor): string {
  return type === 'apiKey' ? 'the API key' : 'the user';
}

function forbidden(reason: string): CommerceError {
  return new CommerceError('forbidden', `insufficient permissions: ${reason}`);
}
