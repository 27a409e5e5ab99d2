import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buyerPageHeaders, buyerPageHtml } from './buyer-page.ts';
import type { DisputeStep } from './disputes.ts';
import { paypalStub } from './paypal-stub.ts';
import { squareStub } from './square-stub.ts';
import { stripeStub } from './stripe-stub.ts';
import { stubEndpoints } from './stub-endpoints.ts';
import {
  type Answered,
  type BookEntry,
  type BuyerAction,
  buyerActions,
  type ProviderName,
  type RefundEntry,
  type RefundPlan,
  Refused,
  type StubAnswer,
  type StubPart,
  type StubRequest,
  type Target,
  type Told,
} from './stub-part.ts';

/**
 * A fault of a call. The answer comes late, is an error (`after`: although the work was done), or comes twice. Or it never comes (`hang`)
 * or breaks off (`reset`), although the work was done.
 */
export type StubFault =
  | { delay: number }
  | { status: number; after?: boolean; headers?: Record<string, string>; body?: unknown }
  | 'hang'
  | 'reset'
  | 'twice';

/** A fault of a notification. */
export type NotificationFault = 'lost' | 'twice' | { delay: number };

export interface StubOptions {
  port?: number;
  /** Milliseconds since 1970; the time of the machine by default. */
  clock?: { now(): number };
  /** Action of an impatient buyer as soon as a page exists; none by default. */
  buyer?: BuyerAction;
  /** False ends pages only when `tick` is called; by default a timer does it every second. */
  ticks?: boolean;
  /** Waits in milliseconds before a notification that was not answered with 2xx is sent again. */
  retryDelays?: readonly number[];
  /** Called for each call and each notification, such as to print them. */
  log?(line: string): void;
}

/** A call that the stub answered. */
export interface StubCall extends StubRequest {
  /** Such as `stripe.create`. */
  operation: string;
  /** The status answered; null without an answer. */
  status: number | null;
}

/** A notification that was sent; `status` is null without an answer. */
export interface StubNotification {
  event: string;
  body: string;
  headers: Record<string, string>;
  status: number | null;
}

const maxBody = 1024 * 1024;
const maxLog = 10_000;
const notificationTimeout = 10_000;
/** Real providers retry a notification for days; here the shop is on the same machine. */
const usualDelays = [1000, 2000, 5000, 15_000, 60_000];

/**
 * Plays Stripe, PayPal and Square on loopback, for tests and for trying a shop without an account. It has the parts of their APIs that
 * checkouts need, pages on which a person pays, and signed notifications. It refuses what the providers refuse, as far as that is
 * published.
 */
export async function startProviderStub(options: StubOptions = {}) {
  const { clock = Date, retryDelays = usualDelays, log = () => {} } = options;
  let origin = '';
  const base = () => origin;
  const stripe = stripeStub(base);
  const paypal = paypalStub(base);
  const square = squareStub(base);
  const parts: Record<ProviderName, StubPart> = { stripe, paypal, square };
  const endpoints = stubEndpoints({ stripe: stripe.accountOf, paypal: paypal.accountOf, square: square.accountOf });

  const calls: StubCall[] = [];
  const notifications: StubNotification[] = [];
  const faults = new Map<string, StubFault[]>();
  const notificationFaults: NotificationFault[] = [];
  const under = new Set<Promise<unknown>>();
  const timers = new Set<NodeJS.Timeout>();
  let isClosed = false;

  /** Work that continues after an answer; `settled` waits for it. */
  function follow(work: Promise<unknown>): void {
    const one = work.catch((error: unknown) => log(`! ${error}`)).finally(() => under.delete(one));
    under.add(one);
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, ms);
      timers.add(timer);
    });
  }

  async function deliver({ target, sent }: Told): Promise<number | null> {
    if (typeof target === 'function') return target(sent);
    return ask(target, { method: 'POST', headers: sent.headers, body: sent.body });
  }

  /** Sends one notification, and retries until it is answered with 2xx; resolves after the first try. */
  async function tell(one: Told): Promise<void> {
    const fault = notificationFaults.shift();
    if (fault === 'lost') return;
    if (typeof fault === 'object') await pause(fault.delay);
    const attempt = async () => {
      const status = await deliver(one);
      keep(notifications, { event: one.event, body: one.sent.body, headers: one.sent.headers, status });
      log(`→ ${one.event}: ${status ?? 'no answer'}`);
      return status !== null && status >= 200 && status < 300;
    };
    const isTaken = await attempt();
    if (fault === 'twice') await attempt();
    if (!isTaken) follow(tellAgain(attempt));
  }

  async function tellAgain(attempt: () => Promise<boolean>): Promise<void> {
    for (const delay of retryDelays) {
      await pause(delay);
      if (isClosed || (await attempt())) return;
    }
  }

  async function tellAll(told: readonly Told[]): Promise<void> {
    for (const one of told) if (endpoints.hears(one.target, one.event)) await tell(one);
  }

  /** Does what a buyer does on a page, and waits for the shop's first answer to the notifications, as Stripe does. */
  async function act(provider: ProviderName, id: string, action: BuyerAction): Promise<{ location: string | null }> {
    // Only Stripe's methods are chosen by the shop.
    if (action === 'later' && provider !== 'stripe') return { location: null };
    const { location, tell: told } = parts[provider].act(id, action, clock.now());
    await tellAll(told);
    return { location };
  }

  /** An impatient buyer of PayPal has to come back before money is taken; the other providers' pages take it themselves. */
  async function impatient(provider: ProviderName, id: string, action: BuyerAction): Promise<void> {
    const { location } = await act(provider, id, action);
    if (provider !== 'paypal' || location === null) return;
    await ask(location, { method: 'GET' });
  }

  /** Takes a step of the dispute about what was paid at a page, and waits for the shop's first answer. */
  async function dispute(provider: ProviderName, page: string, step: DisputeStep): Promise<void> {
    await tellAll(parts[provider].dispute(page, step, clock.now()));
  }

  async function tick(): Promise<void> {
    for (const part of Object.values(parts)) await tellAll(part.tick(clock.now()));
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    const body = await bodyOf(request);
    if (body === null) return send(response, { status: 413, body: {} });
    const { pathname: path, searchParams: query } = url;
    const call = { method: request.method ?? '', path, query, headers: request.headers, body };
    if (url.pathname.startsWith('/buyer/')) return serveBuyer(call, response);
    await serveApi(call, response);
  }

  async function serveBuyer({ method, path }: StubRequest, response: ServerResponse): Promise<void> {
    const [, , provider = '', id = '', action] = path.split('/').map(decodeURIComponent);
    const part = Object.hasOwn(parts, provider) ? parts[provider as ProviderName] : undefined;
    const isKnown = part?.page(id, clock.now());
    const isAction = action === undefined || buyerActions.includes(action as BuyerAction);
    if (!part || !isKnown || !isAction) return send(response, { status: 404, body: {} });
    const own = `/buyer/${provider}/${encodeURIComponent(id)}`;
    if (method === 'POST' && action !== undefined) {
      const { location } = await act(provider as ProviderName, id, action as BuyerAction);
      response.writeHead(303, { ...buyerPageHeaders, Location: location ?? own }).end();
      return;
    }
    if (method !== 'GET' || action !== undefined) return send(response, { status: 405, body: {} });
    await tick();
    const page = part.page(id, clock.now()) ?? isKnown;
    response.writeHead(200, buyerPageHeaders).end(buyerPageHtml(page, own));
  }

  async function serveApi(request: StubRequest, response: ServerResponse): Promise<void> {
    const ofEndpoints = endpoints.operationOf(request.method, request.path);
    const found =
      ofEndpoints ??
      (Object.keys(parts) as ProviderName[])
        .map((provider) => ({ provider, name: parts[provider].operationOf(request.method, request.path) }))
        .find(({ name }) => name !== null);
    if (!found || found.name === null)
      return send(response, { status: 404, body: { error: { message: 'Unknown URL' } } });
    const { provider, name } = found;
    const operation = `${provider}.${name}`;
    const call: StubCall = { ...request, operation, status: null };
    keep(calls, call);
    const fault = faults.get(operation)?.shift();
    if (typeof fault === 'object' && 'delay' in fault) await pause(fault.delay);
    const early = typeof fault === 'object' && 'status' in fault && !fault.after ? fault : null;
    const {
      answer,
      tell: told = [],
      opened,
    } = early
      ? failed(early)
      : work(() =>
          ofEndpoints ? endpoints.answer(provider, name, request) : parts[provider].answer(name, request, clock.now()),
        );
    const late = typeof fault === 'object' && 'status' in fault ? failed(fault).answer : answer;
    if (late !== answer && !early && (name === 'create' || name === 'refund'))
      parts[provider].replaceAnswer?.(request, late);
    call.status = fault === 'hang' || fault === 'reset' ? null : late.status;
    log(`← ${request.method} ${request.path}: ${call.status ?? 'no answer'}`);
    if (fault === 'reset') response.socket?.resetAndDestroy();
    else if (fault !== 'hang') await send(response, late, fault === 'twice');
    follow(tellAll(told));
    if (opened !== undefined && options.buyer) follow(impatient(provider, opened, options.buyer));
  }

  function work(answer: () => Answered): Answered {
    try {
      return answer();
    } catch (error) {
      if (error instanceof Refused) return { answer: error.answer };
      throw error;
    }
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      log(`! ${error}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ticking = options.ticks === false ? undefined : setInterval(() => follow(tick()), 1000).unref();

  return {
    url: origin,
    /** The last calls of the APIs, the oldest first. */
    calls,
    /** The last notifications, the oldest first, one for each try. */
    notifications,
    /**
     * Opens an account at the provider whose notifications go to the target.
     * @param notificationUrl address that Square signs, if it is another
     * @returns the settings of a store with this account
     */
    account(provider: ProviderName, target: Target, notificationUrl?: string): Record<string, string> {
      if (provider === 'stripe') return stripe.register(target);
      if (provider === 'paypal') return paypal.register(target);
      return square.register(target, notificationUrl ?? (typeof target === 'string' ? target : `${origin}/registered`));
    },
    /** Makes the next calls of an operation, such as `stripe.create`, fail; without faults, its calls work again. */
    fault(operation: string, ...next: StubFault[]): void {
      faults.set(operation, next.length === 0 ? [] : [...(faults.get(operation) ?? []), ...next]);
    },
    /** Makes the next notifications fail. */
    faultNotifications: (...next: NotificationFault[]) => void notificationFaults.push(...next),
    act,
    /** The endpoints of an account's notifications, by its target. */
    endpoints: endpoints.of,
    /** Adds an endpoint that somebody made by hand. @param token the account's key */
    addEndpoint: endpoints.add,
    dispute,
    /** The pages of a provider with the money taken there, in the provider's own books. */
    books: (provider: ProviderName): BookEntry[] => parts[provider].books(),
    /** What becomes of the next refunds at a provider; by default, they succeed. */
    planRefunds: (provider: ProviderName, ...plans: RefundPlan[]): void => parts[provider].planRefunds(...plans),
    /** The refunds in a provider's own books, the oldest first. */
    refunds: (provider: ProviderName): RefundEntry[] => parts[provider].refunds(),
    /** Decides a pending refund, or lets one fail later; waits for the shop's first answer to the notifications. */
    decideRefund: (provider: ProviderName, id: string, status: 'succeeded' | 'failed'): Promise<void> =>
      tellAll(parts[provider].decideRefund(id, status, clock.now())),
    /** Runs what is due by the clock; this happens every second by default. */
    tick,
    /** Waits until every running notification is answered or given up. */
    async settled(): Promise<void> {
      while (under.size > 0) await Promise.all(under);
    },
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(ticking);
      for (const timer of timers) clearTimeout(timer);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

export type RunningStub = Awaited<ReturnType<typeof startProviderStub>>;

const onDemand = { error: { type: 'api_error', message: 'on demand' } };

/** @returns the status that was answered; null without an answer in time */
async function ask(url: string, init: RequestInit): Promise<number | null> {
  const signal = AbortSignal.timeout(notificationTimeout);
  try {
    const answer = await fetch(url, { ...init, redirect: 'manual', signal });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return null;
  }
}

function failed({ status, headers, body = onDemand }: Extract<StubFault, { status: number }>): Answered {
  return { answer: { status, body, ...(headers && { headers }) } };
}

async function send(response: ServerResponse, { status, body, headers }: StubAnswer, isTwice = false): Promise<void> {
  // The client is gone, such as a killed process: no event would say that the answer has left.
  if (response.closed) return;
  const bytes = Buffer.from(JSON.stringify(body));
  const all = { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length), ...headers };
  if (isTwice) {
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const once = Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Answer\r\n${head.join('')}\r\n`), bytes]);
    response.socket?.end(Buffer.concat([once, once]));
    return;
  }
  response.writeHead(status, all);
  await new Promise<void>((resolve) => response.end(bytes, resolve).once('close', resolve));
}

/** The body as text; null when it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBody) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function keep<T>(list: T[], one: T): void {
  list.push(one);
  if (list.length > maxLog) list.shift();
}
