import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** A request as the application sees it: no socket, so tests need none. */
export interface AppRequest {
  method: string;
  /** Path and query as they stand in the request line. */
  url: string;
  headers: IncomingHttpHeaders;
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
  /** JSON text. */
  body?: string;
  /** Bytes in place of JSON; the headers say their type and their length. To be read to the end or destroyed. */
  stream?: Readable;
}
