import { type Commerce, CommerceError, versionOf } from '@commerce/core';
import { isKnown } from './etag.ts';
import type { Answer, AppRequest, RequestFacts } from './http.ts';
import { onlyAllows } from './methods.ts';
import type { Metrics } from './metrics.ts';
import type { OpenApiDocument } from './openapi/document.ts';
import { originOf } from './origin.ts';
import { Readiness } from './readiness.ts';
import type { ClosedRoute, Route } from './router.ts';

type Page = (request: AppRequest) => Promise<Answer>;

/** What the service answers about itself, to anybody: whether it runs, whether it can work, what it understands. */
export class Service {
  readonly #commerce: Commerce;
  readonly #readiness: Readiness;
  readonly #routes: readonly (Route | ClosedRoute)[];
  readonly #pages: ReadonlyMap<string, Page>;
  readonly #trustProxy: boolean;
  #document: Promise<OpenApiDocument> | undefined;

  /**
   * @param trustProxy whether a proxy in front says where the service is reached
   * @param metrics what `/metrics` answers; without it there is nothing there
   */
  constructor(commerce: Commerce, routes: readonly (Route | ClosedRoute)[], trustProxy: boolean, metrics?: Metrics) {
    this.#commerce = commerce;
    this.#readiness = new Readiness(commerce);
    this.#routes = routes;
    this.#trustProxy = trustProxy;
    this.#pages = new Map<string, Page>([
      ['/healthz', async () => json({ status: 'ok' })],
      ['/readyz', () => this.#ready()],
      ['/openapi.json', (request) => this.#answerDocument(request)],
      // Loaded when they are asked for, as the document is: few services are, after their first day.
      ['/docs', async () => (await import('./reference.ts')).answerPage()],
      ...['/docs/redoc.js', '/docs/page.js', '/docs/licences.txt'].map((path): [string, Page] => [
        path,
        async (request) => (await import('./reference.ts')).answerAsset(request, path),
      ]),
      ...(metrics ? [['/metrics', () => metrics.answer()] as const] : []),
    ]);
  }

  owns(path: string): boolean {
    return this.#pages.has(path);
  }

  async answer(request: AppRequest, path: string, facts: RequestFacts): Promise<Answer> {
    const page = this.#pages.get(path);
    if (!page) throw new CommerceError('notFound', `there is nothing at ${path}`);
    facts.route = path;
    if (request.method !== 'GET' && request.method !== 'HEAD') throw onlyAllows(request, facts, 'GET, HEAD');
    return page(request);
  }

  async #answerDocument(request: AppRequest): Promise<Answer> {
    const { headers } = request;
    this.#document ??= readDocument(this.#routes);
    const document = await this.#document;
    const origin = originOf(request, this.#trustProxy);
    // Whoever keeps the document as a file should still find the service by it.
    const servers = origin === undefined ? document.servers : [{ ...document.servers[0], url: origin }];
    const text = JSON.stringify({ ...document, servers });
    const etag = `"${versionOf(text)}"`;
    const own = { ETag: etag, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
    return isKnown(headers['if-none-match'], etag)
      ? { status: 304, headers: own }
      : { status: 200, headers: own, body: text };
  }

  async #ready(): Promise<Answer> {
    await this.#readiness.check();
    // Requests are served all the same; whose they are is for the log, as anybody may ask here.
    const blockedWebhooks = this.#commerce.blockedQueues().length;
    return json({ status: 'ready', ...(blockedWebhooks > 0 ? { blockedWebhooks } : {}) });
  }
}

async function readDocument(routes: readonly (Route | ClosedRoute)[]): Promise<OpenApiDocument> {
  const { documentOf } = await import('./openapi/document.ts');
  return documentOf(routes);
}

function json(value: object): Answer {
  return { status: 200, body: JSON.stringify(value) };
}
