/** A finished request, as logged and counted. Nothing of it is secret or personal. */
export interface RequestEntry {
  /** End of the request, in milliseconds since 1970. */
  time: number;
  method: string;
  /** The route from the table, such as `/products/{id}`; empty for an unknown path. */
  route: string;
  /** Status of the answer; 499 if the client left before it. */
  status: number;
  /** From its head to its answer, in milliseconds, or to the last byte of a file. */
  ms: number;
  storeId: string | undefined;
  /** The first 12 characters of the API key, as its record shows them. */
  keyPrefix: string | undefined;
  requestId: string;
  /** True if the client left before it had its answer. */
  aborted: boolean;
}

/** Status of a client that left, as proxies log it. */
export const clientLeft = 499;
