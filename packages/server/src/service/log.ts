import { METHODS } from 'node:http';
import type { Writable } from 'node:stream';
import type { RequestEntry } from '../edge/request-entry.ts';
import { LineWriter } from './line-writer.ts';
import { openTextLog } from './text-log.ts';

/** The log of a server: JSON, one line for each request and each fault. */
export interface Log {
  request(entry: RequestEntry): void;
  /** A fault of our own: of the request with that id, or of a task in the background. */
  fault(error: unknown, where: { requestId: string } | { task: string }): void;
  /** A warning to the operator, in ids and words of our own. */
  warning(about: Record<string, string>): void;
  /** Writes the waiting lines, for half a second at most. */
  close(): Promise<void>;
}

/**
 * Opens a log that never holds up its writers: without a reader lines are dropped, and counted.
 * @param options.form lines of JSON, for programs, or of text, for a person
 * @param options.isShared whether other processes write to the same stream
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
 * The line of a request. Put together by hand, which costs less than `JSON.stringify` of an object. Each text is escaped, whoever says that
 * it was checked before.
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

/** As `toISOString`, called once for all lines of a millisecond. */
function timestamp(time: number): string {
  if (time !== lastTime) {
    lastTime = time;
    lastTimestamp = new Date(time).toISOString();
  }
  return lastTimestamp;
}

/** The line of a fault: the error and its place in the program, never the values. */
export function faultLine(error: unknown, where: { requestId: string } | { task: string }, time: number): string {
  return JSON.stringify({ time: timestamp(time), level: 'error', ...where, ...described(error) });
}

export interface Described {
  error: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: Described;
}

/**
 * The parts of an error that hold none of a customer's data. The other properties of a database's error do: PostgreSQL puts
 * values into `detail`, `where` and `hint`, and other programs into properties of their own.
 */
export function described(error: unknown, depth = 0): Described {
  if (!(error instanceof Error)) return { error: typeof error, message: 'something that is no error was thrown' };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const message = withoutValues(error.message, code);
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    error: error.name,
    message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(frames && frames.length > 0 ? { stack: frames.map((line) => line.trim()).join('\n') } : {}),
    ...(cause instanceof Error && depth < 4 ? { cause: described(cause, depth + 1) } : {}),
  };
}

/** PostgreSQL quotes the value itself where one does not fit its type (class 22): `invalid input syntax for type uuid: "…"`. */
function withoutValues(message: string, code: unknown): string {
  return typeof code === 'string' && /^22\w{3}$/.test(code) ? message.replace(/: .*$/s, '') : message;
}
