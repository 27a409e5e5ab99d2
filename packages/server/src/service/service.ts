import { type Commerce, CommerceError } from '@commerce/core';
import { originOf } from '../edge/origin.ts';
import type { Answer, AppRequest, RequestFacts } from '../http.ts';
import { onlyAllows } from '../methods.ts';
import type { ClosedRoute, Route } from '../routes/router.ts';
import type { Metrics } from './metrics.ts';
import { Readiness } from './readiness.ts';
import { SharedText } from './shared-text.ts';

type Page = (request: AppRequest) => Promise<Answer>;

/** What the service answers about itself, to anybody: whether it runs, whether it can work, what it understands. */
export class Service {
  readonly #commerce: Commerce;
  readonly #readiness: Readiness;
  readonly #routes: readonly (Route | ClosedRoute)[];
  readonly #pages: ReadonlyMap<string, Page>;
  readonly #trustProxy: boolean;
  #document: Promise<PrintedDocument> | undefined;

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
      ...['/docs', '/docs/redoc.js', '/docs/page.js', '/docs/licences.txt'].map((path): [string, Page] => [
        path,
        async (request) => (await import('./reference.ts')).answerReference(request, path),
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
    this.#document ??= readDocument(this.#routes).catch((error) => {
      this.#document = undefined;
      throw error;
    });
    const { text, server } = await this.#document;
    const origin = originOf(request, this.#trustProxy);
    // Whoever keeps the document as a file should still find the service by it.
    const own = origin === undefined ? server : { ...server, url: origin };
    return text.answer(request, {}, `,"servers":${JSON.stringify([own])}}`);
  }

  async #ready(): Promise<Answer> {
    await this.#readiness.check();
    // Requests are served all the same; whose they are is for the log, as anybody may ask here.
    const blockedWebhooks = this.#commerce.blockedQueues().length;
    return json({ status: 'ready', ...(blockedWebhooks > 0 ? { blockedWebhooks } : {}) });
  }
}

/** The document up to its servers, which depend on how the service is reached. */
interface PrintedDocument {
  text: SharedText;
  server: object;
}

async function readDocument(routes: readonly (Route | ClosedRoute)[]): Promise<PrintedDocument> {
  const { documentOf } = await import('./openapi/document.ts');
  const { servers, ...rest } = documentOf(routes);
  return { text: await SharedText.of(JSON.stringify(rest).slice(0, -1)), server: servers[0] ?? {} };
}

function json(value: object): Answer {
  return { status: 200, body: JSON.stringify(value) };
}
