import { type Sent, shown } from './fuzz-compose.ts';
import type { Got } from './fuzz-driver.ts';
import type { DrawnRequest } from './fuzz-requests.ts';

/** Minimum of requests to a route for a meaningful share. */
const minSent = 30;

interface Share {
  sent: number;
  done: number;
}

/** Outcomes of the requests of a run. */
export class FuzzRecord {
  sent = 0;
  /** Descriptions of faults, one for each kind. */
  readonly #faults = new Map<string, string>();
  readonly #statuses = new Map<string, number>();
  readonly #routes = new Map<string, Share>();
  /** Valid requests that were refused, by route and refusal. */
  readonly #refused = new Map<string, { times: number; example: string }>();
  #slowest = { ms: 0, request: '' };
  #longestRefusal = { length: 0, request: '' };

  add(drawn: DrawnRequest, request: Sent, got: Got | undefined, ms: number): void {
    this.sent++;
    const { method, path } = drawn.operation;
    const isDone = got !== undefined && (got.status < 300 || got.status === 303 || got.status === 304);
    // With another method, it is a request for another operation or for none.
    const route = request.method === method ? `${method} ${path}` : 'another method';
    const share = this.#routes.get(route) ?? { sent: 0, done: 0 };
    // A limit of its address refuses whatever is sent.
    if (got?.status !== 429) share.sent++;
    if (isDone) share.done++;
    this.#routes.set(route, share);
    const status = String(got?.status ?? 'none');
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (ms > this.#slowest.ms) this.#slowest = { ms, request: shown(request) };
    if (got && got.status >= 400 && got.text.length > this.#longestRefusal.length) {
      this.#longestRefusal = { length: got.text.length, request: shown(request) };
    }
    if (drawn.valid && !isDone && this.#refused.size < 200) {
      const reason = `${route} → ${status} ${got?.text.replace(/\\?"[^"]*\d[^"]*"/g, '…').slice(0, 160)}`;
      const known = this.#refused.get(reason) ?? {
        times: 0,
        example: `${shown(request)}\n→ ${got?.text.slice(0, 300)}`,
      };
      known.times++;
      this.#refused.set(reason, known);
    }
  }

  note({ operation }: DrawnRequest, request: Sent, got: Got | undefined, error: unknown): void {
    const { message, stack = '' } = error as Error;
    const name = `${operation.method} ${operation.path} ${got?.status} ${message.replace(/[\d"].*/s, '').slice(0, 60)}`;
    const text = `${shown(request)}\n→ ${got?.status} ${got?.text.slice(0, 300)}\n${message.slice(0, 600)}\n${stack.split('\n').slice(1, 7).join('\n')}`;
    if (this.#faults.size < 40 && !this.#faults.has(name)) this.#faults.set(name, text);
  }

  get faults(): string {
    return [...this.#faults.values()].join('\n\n');
  }

  times(status: number): number {
    return this.#statuses.get(String(status)) ?? 0;
  }

  /** The documented routes with enough requests, by their share of successes, the smallest first. */
  shares(): { route: string; sent: number; done: number; share: number }[] {
    return [...this.#routes]
      .filter(([route, { sent }]) => route !== 'another method' && sent >= minSent)
      .map(([route, { sent, done }]) => ({ route, sent, done, share: done / sent }))
      .sort((a, b) => a.share - b.share);
  }

  report(): string[] {
    const statuses = [...this.#statuses].sort(([, a], [, b]) => b - a).map(([status, times]) => `${status} × ${times}`);
    const [least] = this.shares();
    const rows = [...this.#routes].sort(([a], [b]) => (a < b ? -1 : 1));
    const refused = [...this.#refused].sort(([, a], [, b]) => b.times - a.times).slice(0, 15);
    return [
      `answers: ${statuses.join(', ')}`,
      `slowest: ${this.#slowest.ms.toFixed(0)} ms, ${this.#slowest.request}`,
      `longest refusal: ${this.#longestRefusal.length} bytes, ${this.#longestRefusal.request}`,
      `smallest share that was carried out: ${least ? `${(least.share * 100).toFixed(0)} % of ${least.route}` : 'none'}`,
      '| Method and path | Sent | 2xx or 304 | Other |',
      '|---|---|---|---|',
      ...rows.map(([route, { sent, done }]) => `| ${route} | ${sent} | ${done} | ${sent - done} |`),
      ...refused.map(([, { times, example }]) => `valid and refused ${times} times: ${example}`),
    ];
  }
}
