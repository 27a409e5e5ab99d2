import type { ProcessMetrics } from '@commerce/server';

/** The store of a new database, as it is announced. */
export interface FirstStore {
  store: { id: string; name: string; currency: string };
  /** Absent if no person reads the output: systemd, containers and log servers keep what a service prints. */
  apiKey?: { key: string };
  /** Signs in to the dashboard, if the service has one. */
  signInCode?: string;
}

/** Messages of the process that supervises to one that it has started. */
export type ToWorker =
  /** Every process listens: the writer may begin with its work. */
  | { type: 'begin' }
  /** End when the requests under way are answered. */
  | { type: 'stop' }
  /** Tell what you have counted. */
  | { type: 'count'; id: number }
  /** The counts of the other processes. */
  | { type: 'counted'; id: number; others: ProcessMetrics[] };

/** Messages of a process to the one that supervises it. */
export type ToSupervisor =
  | { type: 'ready'; location: string }
  | { type: 'begun'; first: FirstStore | undefined }
  /** The answer to `count`. */
  | { type: 'count'; id: number; own: ProcessMetrics }
  /** A question for what the others have counted. */
  | { type: 'counted'; id: number; own: ProcessMetrics };
