import { type ApiError, isAbort, toApiError } from '../../api/errors.ts';
import type { Page } from '../../api/types.ts';
import { type BulkResult, forEachRow, patiently, type Target } from './bulk.ts';

// A bulk action on more items than one request or one page of a list has.

/** One part of a task after another. */
export interface Step {
  /** Items per part. */
  size: number;
  /**
   * Changes the items of one part.
   * @throws ApiError for what prevents all of them, which stops the task
   */
  run(part: readonly Target[]): Promise<BulkResult>;
}

/** A step that runs an action on each item. Small parts, so that the task can be stopped soon. */
export function stepOf(each: (target: Target) => Promise<unknown>): Step {
  return { size: 20, run: (part) => forEachRow(part, (target) => patiently(() => each(target))) };
}

export interface Report {
  done: number;
  failed: BulkResult['failed'];
  /** Items that were not tried, because the task was stopped. */
  notReached: number;
  /** What stopped the task, if a person did not. */
  stoppedBy?: ApiError | undefined;
}

/** Items per page of a search for all that match. */
const pageSize = 200;

/**
 * All items of the rows of a list, before any is changed: a change can move an item out of the list, and the others up.
 * @throws ApiError, or the abort of the signal
 */
export async function collect<T>(
  load: (window: { limit: number; offset: number }, signal: AbortSignal) => Promise<Page<T>>,
  targetsOf: (row: T) => readonly Target[],
  signal: AbortSignal,
  onFound: (found: number, total: number) => void,
): Promise<Target[]> {
  // An item that is new meanwhile moves the others down, so that one comes twice.
  const found = new Map<string, Target>();
  for (let offset = 0, total = 1; offset < total; ) {
    const page = await patiently(() => load({ limit: pageSize, offset }, signal));
    signal.throwIfAborted();
    if (page.items.length === 0) break;
    for (const target of page.items.flatMap(targetsOf)) found.set(target.id, target);
    offset += page.items.length;
    total = page.total;
    onFound(found.size, total);
  }
  return [...found.values()];
}

/** Refusals that the next item would meet, too: no connection, or no permission. */
const isFinal = ({ status }: ApiError) => status === 0 || status === 401 || status === 403;

/** Changes the items part by part. Between two parts it stops if the signal says so, or if nothing more can succeed. */
export async function runTask(
  targets: readonly Target[],
  step: Step,
  signal: AbortSignal,
  onProgress: (report: Report) => void,
): Promise<Report> {
  const report: Report = { done: 0, failed: [], notReached: targets.length };
  for (let i = 0; i < targets.length && !signal.aborted && !report.stoppedBy; i += step.size) {
    try {
      const { done, failed } = await step.run(targets.slice(i, i + step.size));
      report.done += done.length;
      report.failed = [...report.failed, ...failed.filter(({ error }) => !isFinal(error))];
      report.stoppedBy = failed.find(({ error }) => isFinal(error))?.error;
    } catch (thrown) {
      if (isAbort(thrown)) break;
      report.stoppedBy = toApiError(thrown);
    }
    report.notReached = targets.length - report.done - report.failed.length;
    onProgress({ ...report });
  }
  return report;
}
