import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** A request as the application sees it: no socket, so tests need none. */
export interface AppRequest {
  method: string;
  /** Path and query as they stand in the request line. */
  url: string;
  headers: IncomingHttpHeaders;
  /** The network address that it came from; absent where there is no socket. */
  address?: string | undefined;
  /** The whole body. @throws CommerceError `tooLarge` above the cap. */
  readBody(): Promise<Buffer>;
  /**
   * The body as it arrives, for what is too long to be held; absent where the whole of it is at hand anyway.
   * @throws CommerceError `tooLarge` when there is more than `max`.
   */
  openBody?(max: number): AsyncIterable<Uint8Array>;
}

/** An answer before it is written. Without a body it has none, as after 204. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** JSON text, unless the headers name another type. */
  body?: string;
  /** In place of a text, one that is held once for all of its answers. */
  shared?: SharedBody;
  /** Bytes in place of a text; the headers say their type and their length. To be read to the end or destroyed. */
  stream?: Readable;
}

/** A body in both of its forms, in parts that other answers hold as well. */
export interface SharedBody {
  plain: readonly Buffer[];
  gzip: readonly Buffer[];
}

/** What becomes known of a request on its way. Nothing of it is secret or personal, so that it can be logged. */
export interface RequestFacts {
  /** The route as the table has it, such as `/products/{id}`: never what stands in its place. */
  route: string;
  storeId?: string;
  /** The first characters of the API key, as its record shows them. */
  keyPrefix?: string;
  /** Headers that the answer has whatever becomes of the request. */
  headers?: Record<string, string>;
}

/** A request's path and its query. */
export function splitUrl(url: string): [path: string, search: string] {
  const query = url.indexOf('?');
  return query === -1 ? [url, ''] : [url.slice(0, query), url.slice(query + 1)];
}
