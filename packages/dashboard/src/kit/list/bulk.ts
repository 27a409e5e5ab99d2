import { type ApiError, toApiError } from '../../api/errors.ts';

/** An item that a bulk action changes. */
export interface Target {
  id: string;
  /** Names it in the report. */
  name: string;
}

/** The result for each of several items. */
export interface BulkResult<T = Target> {
  done: T[];
  failed: { row: T; error: ApiError }[];
}

/** Concurrent requests of one bulk action. */
const lanes = 4;
/** Retries of a request that the service was too busy for. */
const maxAgain = 8;

/** Runs an action on each row, a few at once, and returns the result of each; a failure does not stop the others. */
export async function forEachRow<T>(
  rows: readonly T[],
  each: (row: T) => Promise<unknown>,
  onProgress: (finished: number) => void = () => {},
): Promise<BulkResult<T>> {
  const done: T[] = [];
  const failed: BulkResult<T>['failed'] = [];
  const waiting = [...rows];
  const lane = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      try {
        await each(row);
        done.push(row);
      } catch (thrown) {
        failed.push({ row, error: toApiError(thrown) });
      }
      onProgress(done.length + failed.length);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { done, failed };
}

/**
 * Runs a request, again after each refusal that names a time to wait.
 * @throws ApiError the last refusal
 */
export async function patiently<T>(
  run: () => Promise<T>,
  pause: (seconds: number) => Promise<void> = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000)),
): Promise<T> {
  for (let again = 0; ; again++) {
    try {
      return await run();
    } catch (thrown) {
      const seconds = (thrown as Partial<ApiError>).retryAfter;
      if (seconds === undefined || again >= maxAgain) throw thrown;
      await pause(Math.max(1, seconds));
    }
  }
}
