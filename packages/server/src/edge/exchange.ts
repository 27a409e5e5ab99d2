import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../app.ts';
import { toErrorAnswer } from '../errors.ts';
import type { Answer, AppRequest, RequestFacts } from '../http.ts';
import { AbortedError, openBody, readBody } from '../request/body.ts';
import type { BodyHold, BodyRoom } from '../request/body-room.ts';
import { addressHeader } from '../request/hand-over.ts';
import { isHostHeader } from '../request/origin.ts';
import { clientLeft, type RequestEntry } from '../request/request-entry.ts';
import { type PreparedAnswer, prepare, preparePlain } from './compress.ts';
import { type Load, tooLong } from './load.ts';
import { malformed, noHost, tooManyHeaders, unknownExpectation, wrongHost } from './malformed.ts';
import { Arrival, type Pace } from './pace.ts';
import type { Turn } from './request-line.ts';
import { together, write } from './write.ts';

/** Node drops headers beyond this number, and one of them could be the key, so such a request is refused. */
export const maxHeaders = 100;

/** Shorter answers are sent regardless of the bytes held. */
const minLong = 64 * 1024;

/** Room for request bodies: separate for requests with and without a key, so that requests without one cannot use up the others' room. */
export interface BodyRooms {
  anonymous: BodyRoom;
  known: BodyRoom;
}

/** Parts that the exchanges of one server share. */
export interface Edge {
  app: App;
  load: Load;
  /** Called for every finished request; undefined without a listener. */
  onFinished: ((entry: RequestEntry) => void) | undefined;
  bodies: BodyRooms;
  onError: (error: unknown, requestId: string) => void;
  /** True if the requests come from readers, which have validated them and send the client's address. */
  isBehindReaders: boolean;
}

/** One request and its answer, from the head of the request to the last byte of the answer. */
export class Exchange implements Turn, AppRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly #edge: Edge;
  readonly #startedAt: number;
  readonly #facts: RequestFacts = { route: '' };
  #body: BodyHold | undefined;
  #bodyError: unknown;
  #arrival: Arrival | undefined;
  /** Bytes that the answer holds until it is sent. */
  #heldBytes = 0;
  /** Undefined before the turn of the request and after its end. */
  #isUnderWay: boolean | undefined;
  #end = () => {};

  constructor(edge: Edge, request: IncomingMessage, response: ServerResponse, url: string, requestId: string) {
    this.#edge = edge;
    this.request = request;
    this.response = response;
    this.requestId = requestId;
    this.method = request.method ?? 'GET';
    this.url = url;
    this.headers = request.headers;
    this.#startedAt = edge.onFinished ? performance.now() : 0;
  }

  get address(): string | undefined {
    if (!this.#edge.isBehindReaders) return this.request.socket.remoteAddress;
    const told = this.headers[addressHeader];
    return typeof told === 'string' ? told : undefined;
  }

  start(end: () => void): void {
    this.#end = end;
    const { app, load } = this.#edge;
    load.underWay++;
    this.#isUnderWay = true;
    const unfit = this.#edge.isBehindReaders ? undefined : unfitAnswer(this.request, this.url);
    if (unfit) {
      this.#send(preparePlain(unfit));
      return;
    }
    app
      .handle(this, this.requestId, this.#facts, load.refusal())
      .then((answer) => {
        if (this.#bodyError instanceof AbortedError) {
          // The client left; or the parser refused the rest of the body, and that was answered.
          answer.stream?.destroy();
          this.#leave();
          return;
        }
        const fitting = this.#hold(answer);
        const form = prepare(fitting, this.headers['accept-encoding']);
        return form instanceof Promise ? form.then((ready) => this.#send(ready)) : this.#send(form);
      })
      .catch((error) => this.#fail(error));
  }

  abandon(): void {
    this.#tell(clientLeft, true);
  }

  async readBody(max?: number): Promise<Buffer> {
    const { load } = this.#edge;
    let body: Buffer;
    this.#count(false);
    try {
      const { anonymous, known } = this.#edge.bodies;
      this.#body = (this.#facts.keyPrefix === undefined ? anonymous : known).open();
      body = await readBody(this.request, this.#body, max);
    } catch (error) {
      this.#bodyError = error;
      throw error;
    } finally {
      this.#count(true);
    }
    // Others came in the meantime; this one has not started yet.
    const refusal = load.refusal();
    if (refusal) throw refusal;
    return body;
  }

  async standAside(until: Promise<void>): Promise<void> {
    this.#count(false);
    await until;
    this.#count(true);
  }

  openBody(max: number): AsyncGenerator<Buffer> {
    this.#arrival = new Arrival();
    return this.#uncounted(openBody(this.request, max), this.#arrival);
  }

  /** True if the body is read as it arrives, and comes fast enough to exceed the time limit. */
  keepsPace(pace: Pace): boolean {
    const isArriving = !this.request.complete && !this.response.headersSent && !this.#isGone();
    return isArriving && this.#arrival?.keeps(pace) === true;
  }

  /** The body as it arrives; while waiting for its next part, the request does not count as running. */
  async *#uncounted(parts: AsyncGenerator<Buffer>, arrival: Arrival): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        this.#count(false);
        const part = await parts.next().finally(() => this.#count(true));
        if (part.done) return;
        arrival.bytes += part.value.length;
        yield part.value;
      }
    } finally {
      await parts.return(undefined);
    }
  }

  /** Counts the request as running or not. A part of a body can still be awaited when the answer has left. */
  #count(isUnderWay: boolean): void {
    if (this.#isUnderWay === undefined || this.#isUnderWay === isUnderWay) return;
    this.#isUnderWay = isUnderWay;
    this.#edge.load.underWay += isUnderWay ? 1 : -1;
  }

  /** Counts the bytes that the answer holds; an answer too long for the remaining room is replaced by a refusal. */
  #hold(answer: Answer): Answer {
    const { load } = this.#edge;
    const { method } = this;
    const bytes = lengthOf(answer);
    const fits = bytes < minLong || load.makeRoom(bytes) || (method !== 'GET' && method !== 'HEAD');
    const fitting = fits ? answer : toErrorAnswer(tooLong, this.requestId);
    this.#heldBytes = lengthOf(fitting);
    load.hold(this.#heldBytes);
    return fitting;
  }

  #send(answer: PreparedAnswer): void {
    together(() => {
      const { request, response } = this;
      try {
        if (response.headersSent || this.#isGone()) {
          // Nothing can be written: closing the connection tells the client.
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
    let isClosed = false;
    const closed = () => {
      // A socket that tells of its end does so to all who listened before, whoever has gone since: the response among them.
      if (isClosed) return;
      isClosed = true;
      response.off('close', closed);
      // A response whose turn has not come gets no event when its connection closes.
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
    this.#count(false);
    this.#isUnderWay = undefined;
    load.hold(-this.#heldBytes);
    this.#body?.release();
    const status = response.headersSent ? response.statusCode : clientLeft;
    this.#tell(status, !response.writableFinished);
    this.#end();
  }

  #tell(status: number, aborted: boolean): void {
    const { onFinished } = this.#edge;
    if (!onFinished) return;
    const { route, storeId, keyPrefix } = this.#facts;
    onFinished({
      time: Date.now(),
      method: this.method,
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

/** Length of a text that an answer holds. One that is kept counts too: it can be dropped before the answer has left. */
function lengthOf({ body, kept }: Answer): number {
  return body?.length ?? kept?.plain.length ?? 0;
}

/** The one expectation that node:http supports. */
const continuing = /(?:^|\W)100-continue(?:$|\W)/i;

/** The refusal of an invalid request; undefined for a valid one. */
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

/** Node keeps the first of several headers of a name; a proxy can have used the last. */
function occursTwice(rawHeaders: readonly string[], name: string): boolean {
  let times = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] as string;
    if (header.length === name.length && header.toLowerCase() === name) times++;
  }
  return times > 1;
}
