/** A finished request, as logged and counted. Nothing of it is secret or personal. */
export interface RequestEntry {
  /** When it ended, in milliseconds since 1970. */
  time: number;
  method: string;
  /** The route as the table has it, such as `/products/{id}`; empty for a path that is none of ours. */
  route: string;
  /** Status of the answer; 499 where nobody was left to answer. */
  status: number;
  /** From its head to its answer, in milliseconds; for a file, to its last byte. */
  ms: number;
  storeId: string | undefined;
  /** The first 12 characters of the API key, as its record shows them. */
  keyPrefix: string | undefined;
  requestId: string;
  /** The client left before it had its answer. */
  aborted: boolean;
}

/** Status of a client that left, as proxies log it too. */
export const clientLeft = 499;
