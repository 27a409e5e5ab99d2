import { METHODS } from 'node:http';
import type { Writable } from 'node:stream';
import type { RequestEntry } from '../request/request-entry.ts';
import { LineWriter } from './line-writer.ts';
import { described, type Log } from './log-facts.ts';
import { openTextLog } from './text-log.ts';

/**
 * Opens a log that never blocks its writers: without a reader, lines are dropped and counted.
 * @param options.form lines of JSON for programs, or of text for a person
 * @param options.isShared true if other processes write to the same stream
 */
export function openLog(
  stream: Writable & { fd?: number } = process.stderr,
  { form = 'json', isShared = false }: { form?: 'json' | 'text'; isShared?: boolean } = {},
): Log {
  if (form === 'text') return openTextLog(stream, isShared);
  const writer = new LineWriter(
    stream,
    (dropped) => `{"time":"${timestamp(Date.now())}","level":"warn","dropped":${dropped}}`,
    isShared,
  );
  return {
    request: (entry) => writer.write(requestLine(entry)),
    warning: (about) => writer.write(JSON.stringify({ time: timestamp(Date.now()), level: 'warn', ...about })),
    fault: (error, where) => writer.write(faultLine(error, where, Date.now())),
    close: () => writer.close(),
  };
}

const methods = new Set(METHODS);

/**
 * The line of a request. Built by hand, which costs less than `JSON.stringify` of an object. Each text is escaped, even if it was checked
 * before.
 */
export function requestLine({
  time,
  method,
  route,
  status,
  ms,
  storeId,
  keyPrefix,
  requestId,
  aborted,
}: RequestEntry): string {
  const known = methods.has(method) ? method : 'OTHER';
  let line = `{"time":"${timestamp(time)}","level":"${status >= 500 ? 'warn' : 'info'}","method":"${known}","route":${JSON.stringify(route)},"status":${status},"ms":${Math.round(ms * 10) / 10}`;
  if (storeId !== undefined) line += `,"storeId":${JSON.stringify(storeId)}`;
  if (keyPrefix !== undefined) line += `,"key":${JSON.stringify(keyPrefix)}`;
  line += `,"requestId":${JSON.stringify(requestId)}`;
  return aborted ? `${line},"aborted":true}` : `${line}}`;
}

let lastTime = 0;
let lastTimestamp = '';

/** Like `toISOString`, but called once for all lines of a millisecond. */
function timestamp(time: number): string {
  if (time !== lastTime) {
    lastTime = time;
    lastTimestamp = new Date(time).toISOString();
  }
  return lastTimestamp;
}

/** The line of an internal error: the error and its place in the program, never the values. */
export function faultLine(error: unknown, where: { requestId: string } | { task: string }, time: number): string {
  return JSON.stringify({ time: timestamp(time), level: 'error', ...where, ...described(error) });
}
