import { createHash } from 'node:crypto';
import {
  agentContext,
  type Commerce,
  CommerceError,
  type ErrorKind,
  findUcpStore,
  openUcp,
  readNearby,
  runUcp,
  type StoreContext,
  type UcpOperation,
  ucpOperations,
  ucpProfile,
  withoutTrailing,
} from '@commerce/core';
import { readJson } from '../bodies/input.ts';
import { toErrorAnswer } from '../errors.ts';
import { isFresh, tagOf } from '../etag.ts';
import type { Answer, AppRequest, Area, Call, RequestFacts } from '../http.ts';
import { answerMcp, rpcCodes, rpcError } from '../mcp/transport.ts';
import { onlyAllows } from '../methods.ts';
import { originOf } from '../request/origin.ts';
import { StoreRounds } from '../request/store-rounds.ts';
import { countRequest, type StorefrontLimit } from '../resources/rate-limit.ts';
import { decode } from '../routes/router.ts';
import { catalogueServer } from './tools.ts';

const profilePath = '/.well-known/ucp';
const cataloguePath = new RegExp(`^/ucp/([^/]+)/(?:catalog/(${ucpOperations.join('|')})|mcp)$`);

/** Bytes of a body, and how deep it can be nested: no request of the protocol is deeper than 6. */
const maxBody = 64 * 1024;
const maxDepth = 32;

/** Seconds for which caches keep a profile; the protocol asks for at least 60. */
const profileAge = 600;

/** Headers that agents in a browser send, and those that they can read. */
const acceptedHeaders = [
  'Accept-Language',
  'Content-Type',
  'If-None-Match',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'Request-Id',
  'UCP-Agent',
  'X-Request-Id',
].join(', ');
const exposedHeaders = 'ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id';

/** What an area of agents needs beside the stores. */
export interface UcpOptions {
  trustProxy: boolean;
  /** The path below which the service is mounted. */
  basePath: string;
}

/**
 * Answers shopping agents by the Universal Commerce Protocol: the profile of a store, and its catalogue over REST and the Model Context
 * Protocol. No key is needed, and nothing is changed.
 *
 * Any origin can read the answers: a browser sends nothing with these requests that would tell who its user is, and what it reads is what
 * anyone can read. So an `Origin` is not checked either, which protects servers that know their user by cookies or by the network.
 */
export class Ucp implements Area {
  readonly #commerce: Commerce;
  readonly #storefront: StorefrontLimit;
  readonly #options: UcpOptions;
  /** As for requests with keys: a store with many requests does not delay the others. */
  readonly #rounds = new StoreRounds({ ofStore: 4, next: setImmediate });
  readonly #refusals = new StoreRounds({ ofStore: 5, next: (begin) => setTimeout(begin, 10).unref() });

  constructor(commerce: Commerce, storefront: StorefrontLimit, options: UcpOptions) {
    this.#commerce = commerce;
    this.#storefront = storefront;
    this.#options = options;
  }

  owns(path: string): boolean {
    return path === profilePath || cataloguePath.test(path);
  }

  async answer(call: Call): Promise<Answer> {
    const { request, requestId, path, facts } = call;
    const [, storeId, name] = cataloguePath.exec(path) ?? [];
    // The path has no other names.
    const operation = name as UcpOperation | undefined;
    const isMcp = storeId !== undefined && operation === undefined;
    facts.route =
      storeId === undefined ? profilePath : isMcp ? '/ucp/{storeId}/mcp' : `/ucp/{storeId}/catalog/${operation}`;
    const methods = storeId === undefined ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
    if (request.method === 'OPTIONS') return preflight(facts, methods);
    facts.headers = {
      ...facts.headers,
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': exposedHeaders,
    };
    try {
      if (storeId === undefined) return await this.#profile(request, facts);
      return await this.#catalogue(call, decode(storeId) ?? '', operation);
    } catch (error) {
      return refusalOf(error, isMcp, requestId, facts);
    }
  }

  async #profile(request: AppRequest, facts: RequestFacts): Promise<Answer> {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw onlyAllows(request, facts, 'GET, HEAD, OPTIONS');
    const { engine } = this.#commerce;
    this.#storefront.count(request, 'reads', engine.clock.now(), facts);
    const reached = originOf(request, this.#options.trustProxy);
    const store = await findUcpStore(engine, reached === undefined ? undefined : new URL(reached).host);
    facts.storeId = store.id;
    const origin = this.#origin(request);
    if (origin === undefined) throw new CommerceError('notFound', 'the address of the service is not known');
    const body = JSON.stringify(ucpProfile(origin, store.id));
    const tag = tagOf(createHash('sha256').update(body).digest('base64url').slice(0, 22));
    const headers = { 'Cache-Control': `public, max-age=${profileAge}`, ETag: tag };
    return isFresh(request.headers, tag) ? { status: 304, headers } : { status: 200, headers, body };
  }

  async #catalogue(call: Call, storeId: string, operation: UcpOperation | undefined): Promise<Answer> {
    const { request, requestId, facts } = call;
    if (request.method !== 'POST') throw onlyAllows(request, facts, 'POST, OPTIONS');
    const { engine } = this.#commerce;
    // Before the store is looked for, and before its own limit, which one client must not use up for all others.
    this.#storefront.count(request, 'reads', engine.clock.now(), facts);
    const store = await openUcp(engine, storeId);
    facts.storeId = store.id;
    const round = this.#rounds.enter(store.id);
    if (round) await round;
    await this.#count(request, store, facts);
    const { value } = await readJson(request, { max: maxBody, maxDepth });
    const origin = this.#origin(request);
    const run = (one: UcpOperation, input: unknown) => {
      const ctx = agentContext(engine, store, requestId);
      const read = (near: typeof ctx) => runUcp(near, one, input, origin);
      return engine.storage.replicas ? readNearby(ctx, undefined, read) : read(ctx);
    };
    if (operation !== undefined)
      return { status: 200, headers: uncached, body: JSON.stringify(await run(operation, value)) };
    const failures: unknown[] = [];
    const answer = await answerMcp(
      request,
      value,
      catalogueServer(run, (error) => failures.push(error)),
    );
    if (failures.length > 0) throw failures[0];
    return { ...answer, headers: { ...answer.headers, ...uncached } };
  }

  /** @throws CommerceError `rateLimited` if nothing of the store's limit remains */
  async #count(request: AppRequest, store: StoreContext, facts: RequestFacts): Promise<void> {
    if (store.rateLimit === null) return;
    const refusal = await countRequest(this.#commerce, store, store.rateLimit, facts);
    if (!refusal) return;
    const turn = this.#refusals.enter(store.id);
    if (turn) await (request.standAside?.(turn) ?? turn);
    throw refusal;
  }

  /** The address of the service, with the path that it is mounted at; undefined if it is not known. */
  #origin(request: AppRequest): string | undefined {
    const { trustProxy, basePath } = this.#options;
    const known = this.#commerce.engine.publicUrl?.();
    if (known !== undefined) return known;
    const reached = originOf(request, trustProxy);
    return reached === undefined ? undefined : `${reached}${withoutTrailing(basePath, '/')}`;
  }
}

/** Prices and stock change; the protocol warns against using an answer again. */
const uncached = { 'Cache-Control': 'no-store' };

function preflight(facts: RequestFacts, methods: string): Answer {
  facts.headers = {
    ...facts.headers,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': acceptedHeaders,
    'Access-Control-Max-Age': '86400',
  };
  return { status: 204, headers: { Allow: methods } };
}

/** Errors that the protocol has codes for. The others are those of every path. */
const coded: ReadonlySet<ErrorKind> = new Set(['validation', 'tooLarge', 'rateLimited']);

/** Errors that are those of every path in the Model Context Protocol, too. */
const plain: ReadonlySet<ErrorKind> = new Set(['methodNotAllowed', 'internal', 'unavailable']);

/**
 * The answer to an error of the client, with the fields of the protocol beside those of every other error of this service.
 * @throws any other error
 */
function refusalOf(error: unknown, isMcp: boolean, requestId: string, facts: RequestFacts): Answer {
  if (!(error instanceof CommerceError) || (isMcp ? plain.has(error.kind) : !coded.has(error.kind))) throw error;
  const known = toErrorAnswer(error, requestId);
  const code = codeOf(error);
  const headers = { ...known.headers, ...uncached };
  if (isMcp) {
    const wait = Number(facts.headers?.['Retry-After']);
    const data = { code, content: error.message, ...(wait > 0 && { retry_after: wait }) };
    const answer = rpcError(known.status, rpcCodeOf(error), error.message, data);
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }
  const body = JSON.stringify({ code, content: error.message, ...JSON.parse(known.body ?? '{}') });
  return { ...known, headers, body };
}

function rpcCodeOf({ kind }: CommerceError): number {
  return kind === 'validation' ? rpcCodes.invalidRequest : rpcCodes.refused;
}

function codeOf({ kind, code, details }: CommerceError): string {
  const isTooMany = details.some((one) => one.field === 'ids' && one.code === 'TOO_MANY');
  if (kind === 'tooLarge' || isTooMany) return 'request_too_large';
  return kind === 'validation' ? 'invalid_request' : code.toLowerCase();
}
