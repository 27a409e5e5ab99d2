import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** Request in the application's form: without a socket, so that tests need none. */
export interface AppRequest {
  readonly method: string;
  /** Path and query from the request line. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The client's network address; absent without a socket. */
  readonly address?: string | undefined;
  /** The whole body. @throws CommerceError `tooLarge` above the cap, or above `max` bytes. */
  readBody(max?: number): Promise<Buffer>;
  /**
   * The body as it arrives, if it is too long to be held; absent if the whole body is available anyway.
   * @throws CommerceError `tooLarge` when there is more than `max`.
   */
  openBody?(max: number): AsyncIterable<Uint8Array>;
  /** Waits without counting as running; absent if requests are not counted. */
  standAside?(until: Promise<void>): Promise<void>;
}

/** Request on its way to its answer. */
export interface Call {
  readonly request: AppRequest;
  readonly requestId: string;
  readonly path: string;
  /** The query, without its question mark. */
  readonly search: string;
  /** True if the request prefers `handling=strict`: unknown parameters and fields are then refused. */
  readonly isStrict: boolean;
  /** Filled in during processing. */
  readonly facts: RequestFacts;
}

/** Part of the interface that answers the paths it owns. */
export interface Area {
  /** True if the area reads requests strictly when they prefer it. */
  readonly canBeStrict?: true;
  owns(path: string): boolean;
  /** Answers a call of a path it owns. @throws CommerceError for what it refuses */
  answer(call: Call): Promise<Answer>;
}

/** Answer before it is written. Without `body` it has none, as with 204. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** JSON text, unless the headers name another type. */
  body?: string;
  /** Text held once for all of its answers, instead of `body`. */
  shared?: SharedBody;
  /** A text that is kept for further answers, instead of `body`. */
  kept?: KeptText;
  /** Bytes instead of a text; the headers contain their type and length. Must be read to the end or destroyed. */
  stream?: Readable;
}

/** Codings in which answers are sent. */
export type Coding = 'gzip' | 'br';

/** A text that is sent repeatedly. */
export interface KeptText {
  readonly plain: Buffer;
  /** The text in a coding; a promise while it is being compressed. */
  in(coding: Coding): Buffer | Promise<Buffer>;
}

/** A body in its forms, in parts that other answers hold too. */
export interface SharedBody {
  plain: readonly Buffer[];
  gzip: readonly Buffer[];
  /** Brotli, for files that a build has compressed. */
  br?: readonly Buffer[];
}

/** Details of a request, gathered during processing. None of them is secret or personal, so they can be logged. */
export interface RequestFacts {
  /** The route from the table, such as `/products/{id}`: never the values in it. */
  route: string;
  storeId?: string;
  /** The first characters of the API key, as its record shows them. */
  keyPrefix?: string;
  /** Headers of the answer, whether it succeeds or not. */
  headers?: Record<string, string>;
}

/** A request's path and its query. */
export function splitUrl(url: string): [path: string, search: string] {
  const query = url.indexOf('?');
  return query === -1 ? [url, ''] : [url.slice(0, query), url.slice(query + 1)];
}
