import { processorTime, startLoader, stop } from './children.mjs';

export const usualConnections = 50;

/**
 * Sends requests over 50 connections, or as many as are asked for, and counts what comes back. Requests are printed before the clock starts.
 * @param {object} task
 * @param {string} task.url
 * @param {object[]} task.requests the requests of all connections together
 * @param {number} [task.seconds] how long; without it each request is sent once
 * @param {number} [task.connections]
 * @param {number[]} [task.allow] statuses accepted beside 2xx
 * @param {import('node:child_process').ChildProcess} task.child the process that answers, whose processor time is measured beside
 */
export async function load({ url, requests, seconds, connections = usualConnections, child, allow = [] }) {
  const loader = startLoader();
  await loader.ask({ url, requests, seconds, connections });
  const before = processorTime(child);
  const result = await loader.answer();
  const after = processorTime(child);
  await stop(loader.child);
  const { errors, non2xx, statusCodeStats, times, taken } = result;
  const answered = times.length;
  const statuses = Object.fromEntries(Object.entries(statusCodeStats).map(([status, { count }]) => [status, count]));
  const faults = non2xx - allow.reduce((sum, status) => sum + (statuses[status] ?? 0), 0);
  if (errors > 0 || faults > 0) {
    throw new Error(
      `${errors} errors, ${non2xx} answers other than 2xx (${JSON.stringify(statusCodeStats)}) at ${url}`,
    );
  }
  if (!seconds && answered !== requests.length) throw new Error(`${answered} of ${requests.length} were answered`);
  const used = before === undefined || after === undefined ? undefined : after - before;
  const sorted = times.sort();
  const percentile = (share) => sorted[Math.floor((answered - 1) * share)];
  return {
    answered,
    statuses,
    rate: (answered * 1000) / taken,
    p50: percentile(0.5),
    p99: percentile(0.99),
    /** The share of one processor that the answering process used. */
    busy: used === undefined ? undefined : used / taken,
    /** Processor time for one answer, in microseconds. */
    cost: used === undefined ? undefined : (used * 1000) / answered,
  };
}

/**
 * Adds to the result of a load the processor time that a process spent on it.
 * @param {import('node:child_process').ChildProcess} child the process that answers
 * @param {() => Promise<{ answered: number, rate: number, p50: number, p99: number }>} run
 */
export async function withCost(child, run) {
  const start = performance.now();
  const before = processorTime(child);
  const result = await run();
  const after = processorTime(child);
  if (before === undefined || after === undefined) return { ...result, busy: undefined, cost: undefined };
  const used = after - before;
  return { ...result, busy: used / (performance.now() - start), cost: (used * 1000) / result.answered };
}
