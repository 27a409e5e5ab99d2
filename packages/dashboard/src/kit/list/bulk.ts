import { type ApiError, toApiError } from '../../api/errors.ts';

/** The result for each of several items. */
export interface BulkResult<T> {
  done: T[];
  failed: { row: T; error: ApiError }[];
}

/** Concurrent requests of one bulk action. */
const lanes = 4;

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
