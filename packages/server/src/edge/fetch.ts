import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream, ReadableStreamDefaultReader } from 'node:stream/web';
import { withoutTrailing } from '@commerce/core';
import type { Listener } from './listener.ts';

/** Answers one request in the form of the Fetch standard. Further arguments of a framework are passed to `addressOf`. */
export type FetchHandler = (request: Request, ...rest: unknown[]) => Promise<Response>;

/** Options of a handler in addition to the listener. */
export interface FetchPlace {
  /** Removed from the start of the path, if present. */
  basePath: string;
  addressOf(request: Request, rest: unknown[]): string | undefined;
}

/**
 * The listener answers a request of the Fetch standard in the form of a node:http request. Bodies are streams both ways, as fast as the
 * other side reads them. An aborted request counts as a client that left.
 */
export function openFetchHandler(listener: Listener, { basePath, addressOf }: FetchPlace): FetchHandler {
  const base = withoutTrailing(basePath, '/');
  return async (request, ...rest) => {
    request.signal.throwIfAborted();
    const connection = new FetchConnection(addressOf(request, rest));
    const incoming = new FetchRequest(request, rest, connection, base);
    const { promise, resolve, reject } = answerOf();
    const outgoing = new FetchResponse(request.method, resolve);
    connection.once('close', () => {
      incoming.destroy();
      outgoing.destroy();
    });
    outgoing.once('close', () => {
      reject(request.signal.aborted ? request.signal.reason : new Error('the request was given up before its answer'));
      request.signal.removeEventListener('abort', leave);
      incoming.destroy();
      connection.destroy();
    });
    const leave = () => connection.destroy();
    request.signal.addEventListener('abort', leave, { once: true });
    listener(incoming as unknown as IncomingMessage, outgoing as unknown as ServerResponse);
    return promise;
  };
}

/** The request and the framework's further arguments from which an incoming request was made. */
export function fetchArguments(incoming: IncomingMessage): [request: Request, rest: unknown[]] {
  const { source, rest } = incoming as unknown as FetchRequest;
  return [source, rest];
}

function answerOf() {
  let resolve: (answer: Response) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Response>((resolveIt, rejectIt) => {
    resolve = resolveIt;
    reject = rejectIt;
  });
  return { promise, resolve, reject };
}

/** Replaces the connection; each request has its own. */
class FetchConnection extends EventEmitter {
  destroyed = false;

  constructor(readonly remoteAddress: string | undefined) {
    super();
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }

  pause(): void {}

  resume(): void {}
}

/** The request in the form of node:http. */
class FetchRequest extends Readable {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders = {};
  readonly rawHeaders: string[] = [];
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly socket: FetchConnection;
  readonly source: Request;
  readonly rest: unknown[];
  readonly #body: NodeReadableStream<Uint8Array> | null;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #isWhole: boolean;

  constructor(request: Request, rest: unknown[], connection: FetchConnection, base: string) {
    super();
    this.source = request;
    this.rest = rest;
    const { pathname, search, host } = new URL(request.url);
    const isBelow = base !== '' && (pathname === base || pathname.startsWith(`${base}/`));
    this.method = request.method;
    this.url = `${isBelow ? pathname.slice(base.length) || '/' : pathname}${search}`;
    this.socket = connection;
    // A hand-made request has none; its address contains the host.
    if (!request.headers.has('host')) this.#add('host', host);
    for (const [name, value] of request.headers) this.#add(name, value);
    this.#body = request.body as NodeReadableStream<Uint8Array> | null;
    this.#isWhole = this.#body === null;
    if (this.#isWhole) this.push(null);
    // The reader learns from `close` that the rest does not come.
    this.on('error', () => {});
  }

  #add(name: string, value: string): void {
    this.rawHeaders.push(name, value);
    Object.assign(this.headers, { [name]: value });
  }

  /** True when the data is complete: all of it has arrived, or none was requested. */
  get complete(): boolean {
    return this.#isWhole || this.#reader === undefined;
  }

  override _read(): void {
    if (!this.#body) return;
    this.#reader ??= this.#body.getReader();
    this.#reader.read().then(
      ({ done, value }) => {
        if (done) this.#isWhole = true;
        this.push(done ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      },
      (error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (!this.#isWhole && this.#body) {
      const cancelled = this.#reader ? this.#reader.cancel() : this.#body.locked ? undefined : this.#body.cancel();
      cancelled?.catch(() => {});
    }
    callback(error);
  }
}

/** Statuses whose answers must not have a body. */
const bodyless = new Set([204, 205, 304]);

/** The answer in the form of node:http, which becomes a `Response` with its head. */
class FetchResponse extends PassThrough {
  headersSent = false;
  statusCode = 200;
  readonly #method: string;
  readonly #answer: (response: Response) => void;

  constructor(method: string, answer: (response: Response) => void) {
    super();
    this.#method = method;
    this.#answer = answer;
    // If it is cut, its reader learns it from the stream that it reads.
    this.on('error', () => {});
  }

  writeHead(status: number, fields: readonly string[]): this {
    this.statusCode = status;
    this.headersSent = true;
    const headers = new Headers();
    for (let i = 0; i < fields.length; i += 2) {
      const name = fields[i] as string;
      // The server manages connections, and HTTP/2 lacks this header.
      if (name !== 'Connection') headers.append(name, fields[i + 1] as string);
    }
    const hasBody = this.#method !== 'HEAD' && !bodyless.has(status);
    if (!hasBody) this.resume();
    this.#answer(
      new Response(hasBody ? (Readable.toWeb(this) as unknown as ReadableStream) : null, { status, headers }),
    );
    return this;
  }

  flushHeaders(): void {}
}
