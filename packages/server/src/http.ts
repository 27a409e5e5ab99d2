import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** Request as the application sees it: no socket, so tests need none. */
export interface AppRequest {
  readonly method: string;
  /** Path and query as they stand in the request line. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The network address it came from; absent where there is no socket. */
  readonly address?: string | undefined;
  /** The whole body. @throws CommerceError `tooLarge` above the cap, or above `max` bytes. */
  readBody(max?: number): Promise<Buffer>;
  /**
   * The body as it arrives, for what is too long to be held; absent where the whole of it is at hand anyway.
   * @throws CommerceError `tooLarge` when there is more than `max`.
   */
  openBody?(max: number): AsyncIterable<Uint8Array>;
  /** Waits, and does not count as under way meanwhile; absent where nothing counts. */
  standAside?(until: Promise<void>): Promise<void>;
}

/** Request on its way to its answer. */
export interface Call {
  readonly request: AppRequest;
  readonly requestId: string;
  readonly path: string;
  /** The query, without its question mark. */
  readonly search: string;
  /** Filled in on the way. */
  readonly facts: RequestFacts;
}

/** Part of the interface that answers the paths it owns. */
export interface Area {
  owns(path: string): boolean;
  /** Answers a call of a path it owns. @throws CommerceError for what it refuses */
  answer(call: Call): Promise<Answer>;
}

/** Answer before it is written. Without a body it has none, as after 204. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** JSON text, unless the headers name another type. */
  body?: string;
  /** Text held once for all of its answers, in place of `body`. */
  shared?: SharedBody;
  /** Bytes in place of a text; the headers say their type and their length. To be read to the end or destroyed. */
  stream?: Readable;
}

/** A body in its forms, in parts that other answers hold as well. */
export interface SharedBody {
  plain: readonly Buffer[];
  gzip: readonly Buffer[];
  /** Brotli, of files that a build has compressed. */
  br?: readonly Buffer[];
}

/** Facts about a request, gathered on its way. None of them is secret or personal, so that they can be logged. */
export interface RequestFacts {
  /** The route as the table has it, such as `/products/{id}`: never the values in its place. */
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
