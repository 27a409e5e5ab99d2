import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/errors.ts';
import { patiently, type Target } from './bulk.ts';
import { collect, type Report, runTask, stepOf } from './task.ts';

const targets = Array.from({ length: 450 }, (_, i): Target => ({ id: `i${i}`, name: `Item ${i}` }));
const refusal = (status: number, retryAfter?: number) =>
  new ApiError({ status, code: 'CONFLICT', message: 'no', retryAfter });
const never = new AbortController().signal;

describe('a task on all items that match', () => {
  it('finds all of them by pages, each once', async () => {
    const seen: number[] = [];
    const found = await collect(
      async ({ limit, offset }) => {
        seen.push(offset);
        // Another item is new before the second page, so that one comes again.
        const start = offset === 0 ? 0 : offset - 1;
        return { items: targets.slice(start, start + limit), total: targets.length + (offset === 0 ? 0 : 1) };
      },
      (target) => [target],
      never,
      () => {},
    );
    expect(seen).toEqual([0, 200, 400]);
    expect(found).toEqual(targets);
  });

  it('stops looking for them if it is cancelled', async () => {
    const control = new AbortController();
    const looking = collect(
      async () => {
        control.abort();
        return { items: targets.slice(0, 200), total: 450 };
      },
      (target) => [target],
      control.signal,
      () => {},
    );
    await expect(looking).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });

  it('changes them part by part, and tells what failed', async () => {
    const reports: Report[] = [];
    const step = stepOf(async ({ id }) => {
      if (id === 'i30') throw refusal(409);
    });
    const report = await runTask(targets, step, never, (now) => reports.push(now));
    expect(report).toMatchObject({ done: 449, notReached: 0, failed: [{ row: targets[30] }] });
    expect(report.stoppedBy).toBeUndefined();
    expect(reports).toHaveLength(Math.ceil(targets.length / step.size));
    expect(reports[0]).toMatchObject({ done: 20, notReached: 430 });
  });

  it('stops after the current part', async () => {
    const control = new AbortController();
    const report = await runTask(
      targets,
      stepOf(async () => {}),
      control.signal,
      ({ done }) => {
        if (done === 60) control.abort();
      },
    );
    expect(report).toEqual({ done: 60, failed: [], notReached: 390 });
  });

  it('stops if nothing more can succeed', async () => {
    const lost = refusal(0);
    const step = stepOf(async ({ id }) => {
      if (Number(id.slice(1)) >= 25) throw lost;
    });
    expect(await runTask(targets, step, never, () => {})).toEqual({
      done: 25,
      failed: [],
      notReached: 425,
      stoppedBy: lost,
    });
    const denied = refusal(400);
    const whole = { size: 200, run: () => Promise.reject(denied) };
    expect(await runTask(targets, whole, never, () => {})).toMatchObject({ notReached: 450, stoppedBy: denied });
  });

  it('waits if the service is busy', async () => {
    const waited: number[] = [];
    const pause = async (seconds: number) => void waited.push(seconds);
    let left = 2;
    const run = async () => {
      if (left-- > 0) throw refusal(429, left * 5);
      return 'done';
    };
    expect(await patiently(run, pause)).toBe('done');
    expect(waited).toEqual([5, 1]);
    await expect(patiently(() => Promise.reject(refusal(429, 1)), pause)).rejects.toMatchObject({ status: 429 });
    await expect(patiently(() => Promise.reject(refusal(409)), pause)).rejects.toMatchObject({ status: 409 });
  });
});
