import { type Commerce, CommerceError } from '@commerce/core';
import { AbortedError } from './edge/body.ts';
import { corsHeaders } from './edge/cors.ts';
import { clientAddress } from './edge/origin.ts';
import { toErrorAnswer } from './errors.ts';
import { answerFile, mediaPath } from './files.ts';
import { type Answer, type AppRequest, type RequestFacts, splitUrl } from './http.ts';
import { onlyAllows } from './methods.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { auditLogRoutes } from './routes/audit-logs.ts';
import { categoryRoutes } from './routes/categories.ts';
import { customerRoutes } from './routes/customers.ts';
import { mediaRoutes } from './routes/media.ts';
import { orderRoutes } from './routes/orders.ts';
import { pageRoutes } from './routes/pages.ts';
import { paymentRoutes } from './routes/payments.ts';
import { productRoutes } from './routes/products.ts';
import { Resources, storePath } from './routes/resources.ts';
import { type ClosedRoute, decode, type Route, Router } from './routes/router.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import type { Metrics } from './service/metrics.ts';
import { Service } from './service/service.ts';

export interface AppOptions {
  /** Opens `POST /orders` to keys with `order.write`. */
  ordersApi?: boolean;
  /** Origins such as `https://shop.example` whose pages may call this interface from a browser; `*` stands for all. */
  cors?: readonly string[];
  /** Believes what a proxy in front says of the address that clients use; without a proxy anybody could say it. */
  trustProxy?: boolean;
  /** Told of faults of our own, with the id that the client was given; standard error by default. */
  onError?: (error: unknown, requestId: string) => void;
}

export interface App {
  /**
   * Answers any request; never throws.
   * @param facts is filled in with what is known of the request
   * @param refusal what it is refused with, because there is too much to do; whether the service runs is answered all the same
   */
  handle(request: AppRequest, requestId: string, facts?: RequestFacts, refusal?: CommerceError): Promise<Answer>;
  /** Whether the path is one of ours, for applications that serve others beside. */
  owns(url: string): boolean;
  /** From now on everything is answered with 503. */
  refuse(): void;
}

const receiverPath = /^\/api\/webhooks\/([^/]+)(?:\/([^/]+))?$/;

/** Every route below the store prefix. */
export function routeTable(options: { ordersApi: boolean; uploads: boolean }): readonly (Route | ClosedRoute)[] {
  return [
    ...productRoutes,
    ...categoryRoutes,
    ...customerRoutes,
    ...pageRoutes,
    ...apiKeyRoutes,
    ...auditLogRoutes,
    ...orderRoutes(options),
    ...paymentRoutes,
    ...mediaRoutes(options),
    ...webhookRoutes,
  ];
}

/**
 * The interface without a socket: route table, keys, scopes, errors.
 * @param metrics what `/metrics` answers; without it there is nothing there
 */
export function createApp(commerce: Commerce, options: AppOptions = {}, metrics?: Metrics): App {
  const { engine } = commerce;
  const { cors } = options;
  const routes = routeTable({ ordersApi: options.ordersApi ?? false, uploads: engine.media.files !== undefined });
  const resources = new Resources(commerce, new Router(routes));
  const service = new Service(commerce, routes, options.trustProxy ?? false, metrics);
  const onError = options.onError ?? ((error, requestId) => console.error(`request ${requestId} failed:`, error));
  let refusing = false;

  return {
    async handle(request, requestId, facts = { route: '' }, refusal) {
      if (cors) facts.headers = corsHeaders(cors, request);
      const answer = await dispatch(request, requestId, facts, refusal);
      return facts.headers ? { ...answer, headers: { ...answer.headers, ...facts.headers } } : answer;
    },
    owns(url) {
      const [path] = splitUrl(url);
      return service.owns(path) || storePath.test(path) || receiverPath.test(path) || mediaPath.test(path);
    },
    refuse() {
      refusing = true;
    },
  };

  async function dispatch(
    request: AppRequest,
    requestId: string,
    facts: RequestFacts,
    refusal: CommerceError | undefined,
  ): Promise<Answer> {
    const [path, search] = splitUrl(request.url);
    const receiver = receiverPath.exec(path);
    try {
      if (path === '/healthz' || path === '/metrics') return await service.answer(request, path, facts);
      if (refusal) throw refusal;
      if (refusing) throw new CommerceError('unavailable', 'the server is shutting down');
      const store = storePath.exec(path);
      if (store) return await resources.answer(request, requestId, [store[1] ?? '', store[2] ?? '/'], search, facts);
      if (receiver) return await handleNotification(request, requestId, receiver[1] ?? '', receiver[2], facts);
      const file = mediaPath.exec(path);
      if (file) return await handleFile(request, requestId, file[1] ?? '', file[2] ?? '', search, facts);
      if (service.owns(path)) return await service.answer(request, path, facts);
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
  }

  async function handleNotification(
    request: AppRequest,
    requestId: string,
    provider: string,
    store: string | undefined,
    facts: RequestFacts,
  ): Promise<Answer> {
    facts.route = store === undefined ? '/api/webhooks/{provider}' : '/api/webhooks/{provider}/{storeId}';
    if (request.method !== 'POST') throw onlyAllows(request, facts, 'POST');
    // What cannot be decoded names no store; it must not pass for the address that leaves the store out.
    const storeId = store === undefined ? undefined : (decode(store) ?? store);
    const address = clientAddress(request, options.trustProxy ?? false);
    const answer = await commerce.receiveNotification(
      provider,
      { body: request.readBody, headers: request.headers },
      {
        requestId,
        ...(storeId === undefined ? {} : { storeId }),
        ...(address === undefined ? {} : { address }),
      },
    );
    return { status: 200, body: JSON.stringify(answer) };
  }

  async function handleFile(
    request: AppRequest,
    requestId: string,
    storeId: string,
    name: string,
    search: string,
    facts: RequestFacts,
  ): Promise<Answer> {
    facts.route = '/media/{storeId}/{file}';
    if (request.method !== 'GET' && request.method !== 'HEAD') throw onlyAllows(request, facts, 'GET, HEAD');
    const answer = await answerFile(engine, request, storeId, name, search);
    // Too late to be answered, for the headers are out. A client that leaves aborts what it does not want, which is no fault.
    answer.stream?.on('error', (error) => {
      if (error.name !== 'AbortError') onError(error, requestId);
    });
    return answer;
  }
}
