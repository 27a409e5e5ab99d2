import { type Commerce, CommerceError } from '@commerce/core';
import { CheckoutReturns } from './checkout-returns.ts';
import { Dashboard } from './dashboard.ts';
import { nothingAt, toErrorAnswer } from './errors.ts';
import { Feeds } from './feeds.ts';
import { Files } from './files.ts';
import { type Answer, type AppRequest, type Area, type RequestFacts, splitUrl } from './http.ts';
import { Receivers } from './receivers.ts';
import { defaultStorefrontLimits, type StorefrontLimits } from './request/address-limits.ts';
import { AbortedError } from './request/body.ts';
import { corsHeaders } from './request/cors.ts';
import { factsHeaders, type HandOver } from './request/hand-over.ts';
import { prefersStrict, strictApplied } from './request/prefer.ts';
import { SessionCookie } from './request/session-cookie.ts';
import { StoreOrigins } from './request/store-origins.ts';
import type { Identify } from './resources/identify.ts';
import { StorefrontLimit } from './resources/rate-limit.ts';
import { Resources, storeIdOf } from './resources/resources.ts';
import { refuseOrigin } from './routes/mcp/route.ts';
import { Router } from './routes/router.ts';
import { allRoutes } from './routes/table.ts';
import type { Metrics } from './service/metrics.ts';
import { prefixOf, Service, type ServicePage } from './service/service.ts';
import { SignIns } from './sign-ins.ts';
import { Ucp } from './ucp/ucp.ts';

export interface AppOptions {
  /** Opens `POST /orders` to keys with `order.write`. */
  ordersApi?: boolean;
  /** Origins such as `https://shop.example` whose pages can call this interface from a browser; `*` means all. */
  cors?: readonly string[];
  /** Requests per minute of each network address with storefront keys, in this process; 600 reads and 60 writes by default. */
  storefrontLimits?: StorefrontLimits;
  /**
   * Most bytes of answers that this process keeps to send them again while nothing is written; 16 MiB by default, 0 keeps none. Only
   * SQLite knows at once that nothing was written, so answers from PostgreSQL are not kept.
   */
  keptAnswers?: number;
  /** The application's own sign-in, in front of keys. */
  identify?: Identify<AppRequest>;
  /** Trusts the forwarding headers of a proxy; without a proxy any client could forge them. */
  trustProxy?: boolean;
  /**
   * Path below which an application has mounted this interface, such as `/shop`. Needed if the application strips it from the paths it
   * passes on, as Express does. The OpenAPI document includes it in the service's address.
   */
  basePath?: string;
  /**
   * Service pages that are answered here: `/healthz`, `/readyz`, `/openapi.json`, `/docs`, `/metrics` by default, and `/` by a standalone
   * server. The application answers the others.
   */
  pages?: readonly ServicePage[];
  /**
   * Path below which the service pages are answered, such as `/internal` for `/internal/healthz` and `/internal/docs`. Useful if the
   * application needs their usual paths, or a proxy hides them from the public. The root by default.
   */
  pagesAt?: string;
  /** Answers the dashboard at `/dashboard` and below; off by default. */
  dashboard?: boolean;
  /** Called for internal errors, with the request id that the client was given; standard error by default. */
  onError?: (error: unknown, requestId: string) => void;
}

export interface App {
  /**
   * Answers any request; never throws.
   * @param facts filled in with details of the request
   * @param refusal error of an overloaded server; health and metrics are answered anyway
   */
  handle(request: AppRequest, requestId: string, facts?: RequestFacts, refusal?: CommerceError): Promise<Answer>;
  /** True if the path belongs to this interface, for applications that also serve other paths. */
  owns(url: string): boolean;
  /**
   * Reports at `/readyz` from now on that the service is not ready, which sends balancers' clients elsewhere; answers everything else as
   * before.
   */
  leave(): void;
  /** Answers everything with 503 from now on, except for health and metrics. */
  refuse(): void;
}

/** Place of an application in a service of several processes. */
export interface AppPlace {
  /** Hands over to the writing process; without it this process answers everything. */
  handOver?: HandOver;
  /** True if other processes hand the requests over and want the details learned about them. */
  isWriter?: boolean;
}

/** Paths answered under any load, so that operators can see that the service runs. */
const alwaysAnswered = ['/healthz', '/metrics'];

const defaultKeptAnswers = 16 * 1024 * 1024;

/** Methods that change nothing. */
const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

const shuttingDown = new CommerceError('unavailable', 'the server is shutting down');

/**
 * The interface without a socket: areas, each with its own paths.
 * @param metrics answers `/metrics`; without it that path is not found
 */
export function createApp(
  commerce: Commerce,
  options: AppOptions = {},
  metrics?: Metrics,
  { handOver, isWriter = false }: AppPlace = {},
): App {
  const { cors, ordersApi = false, trustProxy = false, storefrontLimits = defaultStorefrontLimits } = options;
  const { keptAnswers = defaultKeptAnswers } = options;
  const onError = options.onError ?? ((error, requestId) => console.error(`request ${requestId} failed:`, error));
  let isLeaving = false;
  const routes = allRoutes({
    ordersApi,
    uploads: commerce.engine.media.files !== undefined,
    dashboard: options.dashboard,
    onError,
  });
  const receivers = new Receivers(commerce, trustProxy);
  const storefront = new StorefrontLimit(storefrontLimits, trustProxy);
  const returns = new CheckoutReturns(commerce, storefront);
  const cookie = new SessionCookie(trustProxy, () => commerce.engine.publicUrl?.());
  const signIns = new SignIns(commerce, cookie, trustProxy);
  const signIn = { cookie, identify: options.identify, origins: cors ?? [] };
  const resources = new Resources(commerce, new Router(routes), storefront, signIn, trustProxy, keptAnswers);
  const storeOrigins = new StoreOrigins(commerce.engine);
  const areas: readonly Area[] = [
    resources,
    receivers,
    returns,
    ...(options.dashboard ? [signIns] : []),
    new Files(commerce.engine, onError),
    new Feeds(commerce, trustProxy, onError),
    new Ucp(commerce, storefront, { trustProxy, basePath: options.basePath ?? '' }),
    ...(options.dashboard ? [new Dashboard(commerce.engine)] : []),
    new Service(
      commerce,
      routes,
      {
        trustProxy,
        basePath: options.basePath,
        pages: options.pages,
        pagesAt: options.pagesAt,
        dashboard: options.dashboard,
      },
      { metrics, writer: handOver, isLeaving: () => isLeaving },
    ),
  ];
  /** The area, or the writer in its place. */
  const answering = (area: Area, method: string): Pick<Area, 'answer'> =>
    handOver && mayWrite(area, method) ? handOver : area;
  const mayWrite = (area: Area, method: string): boolean =>
    area === returns || (!readMethods.has(method) && (area === resources || area === receivers || area === signIns));
  const alive = new Set(alwaysAnswered.map((page) => prefixOf(options.pagesAt) + page));
  let isRefusing = false;

  /** The answer to an error. A client that leaves, or a refusal without a cause, is not an internal error. */
  const answerError = (error: unknown, requestId: string, facts: RequestFacts): Answer => {
    const answer = toErrorAnswer(isPublic(facts) ? withoutPlaces(error) : error, requestId);
    const isRefusal = error instanceof CommerceError && error.kind !== 'internal' && error.cause === undefined;
    if (answer.status >= 500 && !isRefusal && !(error instanceof AbortedError)) onError(error, requestId);
    return answer;
  };

  return {
    async handle(request, requestId, facts = { route: '' }, refusal) {
      const [path, search] = splitUrl(request.url);
      const { origin } = request.headers;
      // The process that received the handed-over request leaves this to the one connected to the client.
      const storeId = origin === undefined || isWriter ? undefined : storeIdOf(path);
      const ofStore = storeId === undefined ? [] : await storeOrigins.of(storeId);
      if (cors || (origin !== undefined && ofStore.includes(origin))) {
        facts.headers = corsHeaders([...(cors ?? []), ...ofStore], request);
      }
      const isStrict = prefersStrict(request.headers.prefer);
      const call = { request, requestId, path, search, isStrict, facts };
      const area = areas.find((one) => one.owns(call.path));
      let answer: Answer;
      try {
        if ((refusal || isRefusing) && !alive.has(path)) throw refusal ?? shuttingDown;
        if (!area) throw nothingAt(path);
        if (!isWriter && request.method !== 'OPTIONS') refuseOrigin(path, origin, cors ?? []);
        answer = await answering(area, request.method).answer(call);
      } catch (error) {
        answer = answerError(error, requestId, facts);
        // A provider repeats a notification after 500, and only then.
        if (area === receivers && (answer.status === 503 || answer.status === 409)) answer.status = 500;
      }
      if (isStrict && (!area || area.canBeStrict)) facts.headers = { ...facts.headers, ...strictApplied };
      if (isWriter) facts.headers = { ...facts.headers, ...factsHeaders(facts) };
      return facts.headers ? { ...answer, headers: { ...answer.headers, ...facts.headers } } : answer;
    },
    owns(url) {
      const [path] = splitUrl(url);
      return areas.some((one) => one.owns(path));
    },
    leave() {
      isLeaving = true;
    },
    refuse() {
      isRefusing = true;
    },
  };
}

/** True if a request came without a key, or with a public one. */
function isPublic({ keyPrefix }: RequestFacts): boolean {
  return keyPrefix === undefined || keyPrefix.startsWith('ck_pub_');
}

/** An outage as shown to the public: the host that did not answer and its socket error are only for the log. */
function withoutPlaces(error: unknown): unknown {
  if (!(error instanceof CommerceError) || error.kind !== 'unavailable' || error.cause === undefined) return error;
  const what = 'a service that this request depends on could not be reached; try again in a moment';
  return new CommerceError('unavailable', what, { cause: error });
}
