import { type Commerce, CommerceError } from '@commerce/core';
import type { Answer, AppRequest, RequestFacts } from './http.ts';
import { onlyAllows } from './methods.ts';
import type { Metrics } from './metrics.ts';
import { Readiness } from './readiness.ts';
import type { ClosedRoute, Route } from './router.ts';

/** What the service answers about itself, to anybody: whether it runs, whether it can work, what it understands. */
export class Service {
  readonly #readiness: Readiness;
  readonly #routes: readonly (Route | ClosedRoute)[];
  readonly #pages: ReadonlyMap<string, () => Promise<Answer>>;

  /** @param metrics what `/metrics` answers; without it there is nothing there */
  constructor(commerce: Commerce, routes: readonly (Route | ClosedRoute)[], metrics?: Metrics) {
    this.#readiness = new Readiness(commerce);
    this.#routes = routes;
    this.#pages = new Map([
      ['/healthz', async () => json({ status: 'ok' })],
      ['/readyz', () => this.#ready()],
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
    return page();
  }

  async #ready(): Promise<Answer> {
    await this.#readiness.check();
    return json({ status: 'ready' });
  }
}

function json(value: object): Answer {
  return { status: 200, body: JSON.stringify(value) };
}
