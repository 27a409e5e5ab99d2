import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../app.ts';
import { toErrorAnswer } from '../errors.ts';
import type { Answer, RequestFacts } from '../http.ts';
import { AbortedError, openBody, readBody } from './body.ts';
import type { BodyHold, BodyRoom } from './body-room.ts';
import { type PreparedAnswer, prepare, preparePlain } from './compress.ts';
import { type Load, tooLong } from './load.ts';
import { malformed, noHost, tooManyHeaders, unknownExpectation, wrongHost } from './malformed.ts';
import { isHostHeader } from './origin.ts';
import { clientLeft, type RequestEntry } from './request-entry.ts';
import type { Turn } from './request-line.ts';
import { together, write } from './write.ts';

/** Node leaves out what is beyond, which could be the key: such a request is refused instead. */
export const maxHeaders = 100;

/** Answers of fewer bytes are made however much is held. */
const minLong = 64 * 1024;

/** The room for bodies: of those who have shown a key, and of those who have not and cannot take it from the others. */
export interface BodyRooms {
  anonymous: BodyRoom;
  known: BodyRoom;
}

/** What requests are answered with, and who is told of it. */
export interface Edge {
  app: App;
  load: Load;
  /** Tells everybody who wants to know of requests that have ended; undefined where nobody does. */
  onFinished: ((entry: RequestEntry) => void) | undefined;
  bodies: BodyRooms;
  onError: (error: unknown, requestId: string) => void;
}

/** One request and its answer, from the head of the one to the last byte of the other. */
export class Exchange implements Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly #edge: Edge;
  /** Path and query. */
  readonly #url: string;
  readonly #startedAt: number;
  readonly #facts: RequestFacts = { route: '' };
  #body: BodyHold | undefined;
  #bodyError: unknown;
  /** Bytes that the answer holds until it has left. */
  #heldBytes = 0;
  #end = () => {};

  constructor(edge: Edge, request: IncomingMessage, response: ServerResponse, url: string, requestId: string) {
    this.#edge = edge;
    this.request = request;
    this.response = response;
    this.requestId = requestId;
    this.#url = url;
    this.#startedAt = edge.onFinished ? performance.now() : 0;
  }

  start(end: () => void): void {
    this.#end = end;
    const { request, requestId } = this;
    const { app, load } = this.#edge;
    load.underWay++;
    const unfit = unfitAnswer(request, this.#url);
    if (unfit) {
      this.#send(preparePlain(unfit));
      return;
    }
    const { method = 'GET', headers } = request;
    const read = () => this.#readBody();
    const open = (max: number) => uncounted(openBody(request, max), load);
    app
      .handle(
        { method, url: this.#url, headers, address: request.socket.remoteAddress, readBody: read, openBody: open },
        requestId,
        this.#facts,
        load.refusal(),
      )
      .then((answer) => {
        if (this.#bodyError instanceof AbortedError) {
          // The parser refused the rest of it, and that was answered; or the client left.
          answer.stream?.destroy();
          this.#leave();
          return;
        }
        const fitting = this.#hold(answer);
        const form = prepare(fitting, headers['accept-encoding']);
        return form instanceof Promise ? form.then((ready) => this.#send(ready)) : this.#send(form);
      })
      .catch((error) => this.#fail(error));
  }

  abandon(): void {
    this.#tell(clientLeft, true);
  }

  async #readBody(): Promise<Buffer> {
    const { load } = this.#edge;
    let body: Buffer;
    load.underWay--;
    try {
      const { anonymous, known } = this.#edge.bodies;
      this.#body = (this.#facts.keyPrefix === undefined ? anonymous : known).open();
      body = await readBody(this.request, this.#body);
    } catch (error) {
      this.#bodyError = error;
      throw error;
    } finally {
      load.underWay++;
    }
    // Others came in the meantime; nothing has been done for this one yet.
    const refusal = load.refusal();
    if (refusal) throw refusal;
    return body;
  }

  /** Takes note of how much the answer holds, or of the one that refuses it where that is too much. */
  #hold(answer: Answer): Answer {
    const { load } = this.#edge;
    const { method } = this.request;
    const bytes = answer.body?.length ?? 0;
    const fits = bytes < minLong || load.makeRoom(bytes) || (method !== 'GET' && method !== 'HEAD');
    const fitting = fits ? answer : toErrorAnswer(tooLong, this.requestId);
    this.#heldBytes = fitting.body?.length ?? 0;
    load.hold(this.#heldBytes);
    return fitting;
  }

  #send(answer: PreparedAnswer): void {
    together(() => {
      const { request, response } = this;
      try {
        if (response.headersSent || this.#isGone()) {
          // What could not be written: the connection says so by its end.
          answer.stream?.destroy();
        } else {
          write(request, response, answer, this.requestId);
        }
        this.#leave();
      } catch (error) {
        answer.stream?.destroy();
        this.#fail(error);
      }
    });
  }

  #fail(error: unknown): void {
    this.#edge.onError(error, this.requestId);
    this.response.destroy();
    this.#leave();
  }

  #isGone(): boolean {
    return this.response.destroyed || this.request.socket.destroyed;
  }

  /** Ends the exchange when the last byte of the answer has left, or none will. */
  #leave(): void {
    const { response, request } = this;
    const { load } = this.#edge;
    if (response.writableFinished || this.#isGone()) {
      this.#finish();
      return;
    }
    const { socket } = request;
    const left = load.leave(() => {
      socket.destroy();
      closed();
    });
    const closed = () => {
      response.off('close', closed);
      // A response whose turn has not come on its connection is not told that this has closed.
      socket.off('close', closed);
      left();
      this.#finish();
    };
    response.on('close', closed);
    socket.on('close', closed);
  }

  #finish(): void {
    const { response } = this;
    const { load } = this.#edge;
    load.underWay--;
    load.hold(-this.#heldBytes);
    this.#body?.release();
    const status = response.headersSent ? response.statusCode : clientLeft;
    this.#tell(status, !response.writableFinished);
    this.#end();
  }

  #tell(status: number, aborted: boolean): void {
    const { onFinished } = this.#edge;
    if (!onFinished) return;
    const { method = 'GET' } = this.request;
    const { route, storeId, keyPrefix } = this.#facts;
    onFinished({
      time: Date.now(),
      method,
      route,
      status: aborted ? clientLeft : status,
      ms: performance.now() - this.#startedAt,
      storeId,
      keyPrefix,
      requestId: this.requestId,
      aborted,
    });
  }
}

/** The one expectation that node:http meets. */
const continuing = /(?:^|\W)100-continue(?:$|\W)/i;

/** What a request is answered with that cannot be worked on as it stands. */
function unfitAnswer(request: IncomingMessage, url: string): Answer | undefined {
  // The parser takes a line without a version for HTTP/0.9.
  if (request.httpVersionMajor !== 1) return malformed;
  if (request.rawHeaders.length > 2 * maxHeaders) return tooManyHeaders;
  const { host } = request.headers;
  if (host === undefined && request.httpVersion === '1.1') return noHost;
  if (host !== undefined && (!isHostHeader(host) || occursTwice(request.rawHeaders, 'host'))) return wrongHost;
  const { expect } = request.headers;
  if (expect !== undefined && request.httpVersion === '1.1' && !continuing.test(expect)) return unknownExpectation;
  if (request.method === 'OPTIONS' && url === '*')
    return { status: 204, headers: { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } };
  return undefined;
}

/** Node keeps the first of several, and a proxy in front may have gone by the last. */
function occursTwice(rawHeaders: readonly string[], name: string): boolean {
  let times = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] as string;
    if (header.length === name.length && header.toLowerCase() === name) times++;
  }
  return times > 1;
}

/** The body as it arrives; while its next part is waited for, the request is none that is being worked on. */
async function* uncounted(parts: AsyncGenerator<Buffer>, load: Load): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      load.underWay--;
      const part = await parts.next().finally(() => load.underWay++);
      if (part.done) return;
      yield part.value;
    }
  } finally {
    await parts.return(undefined);
  }
}
