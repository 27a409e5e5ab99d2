import type { ProcessMetrics } from '@commerce/server';

/** The store of a database that was new, as it is announced. */
export interface FirstStore {
  store: { id: string; name: string; currency: string };
  /** Absent if no person is there to read it: what a service prints is kept by systemd, containers and log servers. */
  apiKey?: { key: string };
  /** Signs in to the dashboard, where there is one. */
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
  /** What the others have counted. */
  | { type: 'counted'; id: number; others: ProcessMetrics[] };

/** Messages of a process to the one that supervises it. */
export type ToSupervisor =
  | { type: 'ready'; location: string }
  | { type: 'begun'; first: FirstStore | undefined }
  /** The answer to `count`. */
  | { type: 'count'; id: number; own: ProcessMetrics }
  /** A question for what the others have counted. */
  | { type: 'counted'; id: number; own: ProcessMetrics };
