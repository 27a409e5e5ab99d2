import { type Commerce, CommerceError, withoutTrailing } from '@commerce/core';
import { nothingAt } from '../errors.ts';
import type { Answer, AppRequest, Area, Call } from '../http.ts';
import { onlyAllows } from '../methods.ts';
import type { HandOver } from '../request/hand-over.ts';
import { originOf } from '../request/origin.ts';
import type { ClosedRoute, Route } from '../routes/router.ts';
import type { Metrics } from './metrics.ts';
import { inTime, Readiness } from './readiness.ts';
import { SharedText } from './shared-text.ts';

type Page = (request: AppRequest, call: Call) => Promise<Answer>;

/** Pages about the service; `/docs` includes its files, and `/` links to the others. */
export const servicePages = ['/', '/healthz', '/readyz', '/openapi.json', '/docs', '/metrics'] as const;
export type ServicePage = (typeof servicePages)[number];

/** Pages that are answered in an application with its own root page. */
const besideOthers = servicePages.filter((page) => page !== '/');

export interface ServiceOptions {
  /** Trusts a proxy's headers about the address of the service. */
  trustProxy: boolean;
  /** Path below which the service is reached, such as `/shop`; not part of the requested paths. */
  basePath?: string | undefined;
  /** Pages to answer; all but `/` by default. */
  pages?: readonly ServicePage[] | undefined;
  /** Path below which the pages are answered, such as `/internal`; at the root by default. */
  pagesAt?: string | undefined;
  /** True if the dashboard is answered, to which `/` then leads. */
  dashboard?: boolean | undefined;
}

/** Maximum number of secrets that `/readyz` names. */
const maxNamed = 100;

/** Answers public requests about the service itself: health, readiness, the document of its interface, metrics. */
export class Service implements Area {
  readonly #commerce: Commerce;
  readonly #readiness: Readiness;
  readonly #writer: HandOver | undefined;
  readonly #isLeaving: () => boolean;
  readonly #routes: readonly (Route | ClosedRoute)[];
  readonly #pages: ReadonlyMap<string, Page>;
  readonly #options: ServiceOptions;
  #document: Promise<PrintedDocument> | undefined;

  /**
   * @param parts.metrics answers `/metrics`; without it that path is not found
   * @param parts.writer the writing process, if it is another one: this process is ready only if the writer is
   * @param parts.isLeaving true if the server is stopping
   */
  constructor(
    commerce: Commerce,
    routes: readonly (Route | ClosedRoute)[],
    options: ServiceOptions,
    {
      metrics,
      writer,
      isLeaving = () => false,
    }: { metrics?: Metrics | undefined; writer?: HandOver | undefined; isLeaving?: () => boolean } = {},
  ) {
    this.#commerce = commerce;
    this.#readiness = new Readiness(commerce);
    this.#writer = writer;
    this.#isLeaving = isLeaving;
    this.#routes = routes;
    this.#options = options;
    const reference = (path: string): [string, Page] => [
      path,
      // Loaded with the first request, like the document: few services are asked for them after their first day.
      async (request) => (await import('./reference.ts')).answerReference(request, path),
    ];
    const pages: Record<ServicePage, [string, Page][]> = {
      '/': [['/', async (request) => (await import('./home.ts')).answerHome(request, options.dashboard)]],
      '/healthz': [['/healthz', async () => json({ status: 'ok' })]],
      '/readyz': [['/readyz', (_, call) => this.#ready(call)]],
      '/openapi.json': [['/openapi.json', (request) => this.#answerDocument(request)]],
      '/docs': [
        ...['/docs', '/docs/redoc.js', '/docs/page.js', '/docs/licences.txt'].map(reference),
        ['/docs/', async () => ({ status: 308, headers: { Location: '../docs' } })],
      ],
      '/metrics': metrics ? [['/metrics', () => metrics.answer()]] : [],
    };
    const at = prefixOf(options.pagesAt);
    this.#pages = new Map(
      (options.pages ?? besideOthers).flatMap((page) => pages[page]).map(([path, answer]) => [`${at}${path}`, answer]),
    );
  }

  owns(path: string): boolean {
    return this.#pages.has(path);
  }

  async answer(call: Call): Promise<Answer> {
    const { request, path, facts } = call;
    const page = this.#pages.get(path);
    if (!page) throw nothingAt(path);
    facts.route = path;
    if (request.method !== 'GET' && request.method !== 'HEAD') throw onlyAllows(request, facts, 'GET, HEAD');
    return page(request, call);
  }

  async #answerDocument(request: AppRequest): Promise<Answer> {
    this.#document ??= readDocument(this.#routes).catch((error) => {
      this.#document = undefined;
      throw error;
    });
    const { text, server } = await this.#document;
    const origin = originOf(request, this.#options.trustProxy);
    const base = withoutTrailing(this.#options.basePath ?? '', '/');
    // A document kept as a file should still lead to the service.
    const own = origin === undefined && base === '' ? server : { ...server, url: `${origin ?? ''}${base}` };
    return text.answer(request, {}, `,"servers":${JSON.stringify([own])}}`);
  }

  async #ready(call: Call): Promise<Answer> {
    if (this.#isLeaving()) throw new CommerceError('unavailable', 'the server is stopping');
    await this.#readiness.check();
    if (this.#writer) return inTime(this.#writer.answer(call), 'the process that writes');
    // Requests are still served. This page is public, so it names only ids.
    const blockedWebhooks = this.#commerce.blockedQueues().length;
    const unreadable = await inTime(this.#commerce.unreadableSecrets(), 'the database');
    const storesWithoutMail = await inTime(this.#commerce.storesWithoutMail(), 'the database');
    return json({
      status: 'ready',
      ...(blockedWebhooks > 0 ? { blockedWebhooks } : {}),
      ...(unreadable.length > 0 ? { unreadableSecrets: unreadable.slice(0, maxNamed) } : {}),
      ...(storesWithoutMail > 0 ? { storesWithoutMail } : {}),
    });
  }
}

/**
 * The path below which the pages are, without a trailing slash.
 * @throws Error if no path could begin with it
 */
export function prefixOf(pagesAt = ''): string {
  if (/^(\/[\w.~-]+)*\/?$/.test(pagesAt)) return pagesAt.replace(/\/$/, '');
  throw new Error(`pagesAt must be a path such as "/internal", not ${JSON.stringify(pagesAt)}`);
}

/** The document up to its servers, which depend on the address that the client used. */
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
