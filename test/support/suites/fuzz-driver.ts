import { Agent, request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { CommerceError } from '@commerce/core';
import type { App } from '@commerce/server';
import { expectDocumented } from '../harness/contract.ts';
import type { Composer, Sent } from './fuzz-compose.ts';
import { FuzzRecord } from './fuzz-record.ts';
import type { DrawnRequest } from './fuzz-requests.ts';
import type { FuzzedShop } from './fuzz-shop.ts';

/** An answer. */
export interface Got {
  status: number;
  headers: Record<string, string>;
  text: string;
}

const maxBody = 1024 * 1024;
/** Text that no answer may contain: our files, our stack frames, our database, or a value printed by mistake. */
const internals =
  /SQLITE_|SqliteError|syntax error at or near|invalid byte sequence|relation "|constraint failed|\[object |undefined|\n? {2,}at |node_modules|packages\/|\.ts:\d|\.js:\d|(?:Range|Type|Reference|Syntax)Error|call stack|ENOENT|ECONN/;
const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Sends a request to the interface without a socket. */
export async function handle(app: App, { method, url, headers, body }: Sent): Promise<Got> {
  const readBody = async () => {
    if (body.length > maxBody) throw new CommerceError('tooLarge', `the body must have at most ${maxBody} bytes`);
    return body;
  };
  const answer = await app.handle({ method, url, headers, readBody }, 'request-of-the-fuzz');
  if (answer.stream) for await (const _ of answer.stream);
  const text = answer.shared ? Buffer.concat([...answer.shared.plain]).toString() : (answer.body ?? '');
  return { status: answer.status, headers: answer.headers ?? {}, text };
}

interface Target {
  app: App;
  /** Of a server with the same store. */
  port: number;
  shop: FuzzedShop;
  /** Configures the providers with the secrets that sign the notifications, whatever a request has changed. */
  configureProviders: () => Promise<void>;
  composer: Composer;
  /** Faults logged since they were last taken. */
  thrown: unknown[];
}

/** Sends drawn requests, checks the answers, and remembers the ids in them. */
export class Driver {
  readonly record = new FuzzRecord();
  readonly #target: Target;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(target: Target) {
    this.#target = target;
  }

  close(): void {
    this.#agent.destroy();
  }

  async send(drawn: DrawnRequest): Promise<void> {
    const { app, composer, configureProviders, thrown } = this.#target;
    const request = await composer.compose(drawn);
    const start = performance.now();
    let ms = 0;
    let got: Got | undefined;
    try {
      got = await (isOverSocket(drawn) ? this.#overSocket(request) : handle(app, request));
      ms = performance.now() - start;
      await check(drawn, request, got);
      this.#learn(drawn, request, got);
    } catch (error) {
      this.record.note(drawn, request, got, error);
    }
    if (drawn.operation.path.includes('/payment-providers/{provider}')) await configureProviders();
    const faults = thrown.splice(0).filter((error) => !unreachable.test(String(error)));
    for (const error of faults) this.record.note(drawn, request, got, error);
    this.record.add(drawn, request, got, ms);
  }

  #overSocket({ method, url, headers, body }: Sent): Promise<Got> {
    return new Promise((resolve, reject) => {
      const length = body.length > 0 || method === 'POST' ? { 'content-length': String(body.length) } : {};
      const sending = httpRequest({
        agent: this.#agent,
        port: this.#target.port,
        host: '127.0.0.1',
        method,
        path: url,
        headers: { ...headers, ...length },
      });
      sending.setTimeout(20_000, () => sending.destroy(new Error('no answer came for 20 s')));
      sending.on('error', reject);
      sending.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const isGzip = response.headers['content-encoding'] === 'gzip' && bytes.length > 0;
          const isImage = response.headers['content-type']?.startsWith('image/');
          const text = isImage ? '' : (isGzip ? gunzipSync(bytes) : bytes).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers as Record<string, string>, text });
        });
      });
      sending.end(body);
    });
  }

  /** Keeps the ids in an answer, and forgets deleted ones. */
  #learn({ operation }: DrawnRequest, { url }: Sent, { status, headers, text }: Got): void {
    const { shop } = this.#target;
    if (status === 204 || status === 404) {
      for (const part of url.replace(/\?.*/, '').split('/')) shop.drop(decoded(part));
    }
    // A repeated answer can contain something that was deleted since.
    if (headers['idempotent-replayed'] !== undefined || headers['Idempotent-Replayed'] !== undefined) return;
    // What belongs to an order, such as a parcel or an invoice, is none.
    const isOther = /refund|rotate|replay|\/orders\/\{id\}\/(?!payments$)/.test(operation.path);
    if (status >= 300 || !text.startsWith('{"item') || isOther) return;
    const { item, items = item ? [item] : [] } = JSON.parse(text) as { item?: Learnt; items?: Learnt[] };
    for (const { id, webhookId, resource } of items.slice(0, 5)) {
      if (!id) continue;
      if (operation.path.endsWith('/imports')) shop.put('imports by resource', `${resource}/${id}`);
      if (webhookId === undefined) {
        shop.put(operation.path.endsWith('/payments') ? 'payments' : (operation.path.split('/')[3] ?? ''), id);
        continue;
      }
      shop.put('any deliveries', `${webhookId}/${id}`);
      if (shop.activeWebhooks.includes(webhookId)) shop.put('deliveries', `${webhookId}/${id}`);
    }
  }
}

/** The text without its percent-encoding; unchanged if the encoding is broken. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface Learnt {
  id?: string;
  /** Of a delivery. */
  webhookId?: string;
  /** Of an import. */
  resource?: string;
}

function isOverSocket({ operation, valid, overSocket }: DrawnRequest): boolean {
  // Only the edge serves it.
  if (operation.path === '/metrics') return true;
  // PayPal is asked about at most two notifications a second from one address.
  if (valid && operation.path === '/api/webhooks/{provider}') return false;
  return overSocket;
}

/** @throws Error for an undocumented answer, and for an answer that shows our internals */
async function check({ operation }: DrawnRequest, sent: Sent, { status, headers, text }: Got): Promise<void> {
  for (const [name, value] of Object.entries(headers)) {
    if (!headerText.test(String(value))) throw new Error(`the header ${name} cannot be sent: ${JSON.stringify(value)}`);
  }
  // The shop is told why its provider cannot be reached.
  const isUnreachable = operation.path.includes('/payment-providers/') && unreachable.test(text);
  if (status >= 500 && !(status === 503 && isUnreachable) && !isRetry(sent.url, status, text)) {
    throw new Error(`answered ${status}`);
  }
  const isPage = /openapi|docs|metrics/.test(operation.path);
  const told = isUnreachable ? text.replace(unreachable, '') : text;
  if (!isPage && internals.test(told)) throw new Error(`tells ${internals.exec(told)?.[0]}`);
  if (status >= 400 && text.length > 300_000) throw new Error(`a refusal of ${text.length} bytes`);
  // Refused by the HTTP parser, before the path is known.
  if (status === 431) return;
  // A path without the form of a file's name is not the path of a file.
  if (/^\/(?:media\/.*|docs)\/\{\w+\}$/.test(operation.path) && status === 404) return;
  await expectDocumented(sent.method, sent.url, status, headers, text);
}

/** What is told of the provider of the fuzzed shop that nobody answers for. */
const unreachable = /http:\/\/127\.0\.0\.1:9 could not be reached: ECONNREFUSED: connect ECONNREFUSED 127\.0\.0\.1:9/;

/** Whether the answer makes the provider send the notification again: no stock at present, or too many from one address. */
function isRetry(url: string, status: number, text: string): boolean {
  if (status !== 500 || !url.includes('/api/webhooks/')) return false;
  return text.includes('"INSUFFICIENT_STOCK"') || text.includes('a second are asked about for one address');
}
