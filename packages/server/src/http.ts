import type { IncomingHttpHeaders } from 'node:http';

/** A request as the application sees it: no socket, so tests need none. */
export interface AppRequest {
  method: string;
  /** Path and query as they stand in the request line. */
  url: string;
  headers: IncomingHttpHeaders;
  /** The whole body. @throws CommerceError `tooLarge` above the cap. */
  readBody(): Promise<Buffer>;
}

/** An answer before it is written. Without a body it has none, as after 204. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  /** JSON text. */
  body?: string;
}
