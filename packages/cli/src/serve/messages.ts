import type { ProcessMetrics } from '@commerce/server';

/** The store of a new database, as it is announced. */
export interface FirstStore {
  store: { id: string; name: string; currency: string };
  /** Absent if no person reads the output: systemd, containers and log servers keep what a service prints. */
  apiKey?: { key: string };
  /** Signs in to the dashboard, if the service has one. */
  signInCode?: string;
}

/** Messages from the supervisor to a process that it started. */
export type ToWorker =
  /** Every process listens: the writer can begin its work. */
  | { type: 'begin' }
  /** End when the running requests are answered. */
  | { type: 'stop' }
  /** Asks for the process's counts. */
  | { type: 'count'; id: number }
  /** The counts of the other processes. */
  | { type: 'counted'; id: number; others: ProcessMetrics[] };

/** Messages from a process to its supervisor. */
export type ToSupervisor =
  | { type: 'ready'; location: string }
  | { type: 'begun'; first: FirstStore | undefined }
  /** The answer to `count`. */
  | { type: 'count'; id: number; own: ProcessMetrics }
  /** Asks for the counts of the other processes. */
  | { type: 'counted'; id: number; own: ProcessMetrics };
