/** What is told of a request when it has ended. Nothing of it is secret or personal. */
export interface RequestEntry {
  /** When it ended, in milliseconds since 1970. */
  time: number;
  method: string;
  /** The route as the table has it, such as `/products/{id}`; empty where the path is none of ours. */
  route: string;
  /** What was answered; 499 where nobody was left to answer. */
  status: number;
  /** From its head to its answer, in milliseconds; of a file, to the last byte of it. */
  ms: number;
  storeId: string | undefined;
  /** The first 12 characters of the API key, as its record shows them. */
  keyPrefix: string | undefined;
  requestId: string;
  /** The client left before it had its answer. */
  aborted: boolean;
}

/** The status that stands for a client that left, as proxies write it too. */
export const clientLeft = 499;
