import type { Writable } from 'node:stream';
import type { RequestEntry } from '../request/request-entry.ts';
import { LineWriter } from './line-writer.ts';
import { type Described, described, type Log } from './log-facts.ts';

/**
 * Opens a log for a person who reads it live: the same facts as in JSON, without the ones that only programs compare.
 * @param isShared true if other processes write to the same stream
 */
export function openTextLog(stream: Writable & { fd?: number }, isShared = false): Log {
  const writer = new LineWriter(stream, (dropped) => `${clock(Date.now())} dropped ${dropped} lines`, isShared);
  return {
    request: (entry) => writer.write(textOfRequest(entry)),
    warning: (about) => writer.write(textOfWarning(about, Date.now())),
    fault: (error, where) => writer.write(textOfFault(error, where, Date.now())),
    close: () => writer.close(),
  };
}

/** Such as `14:03:09 GET /products/{id} 200 in 1.2 ms`. */
export function textOfRequest({ time, method, route, status, ms, aborted }: RequestEntry): string {
  const path = route === '' ? '(unknown path)' : plain(route);
  const left = aborted ? ', the client left' : '';
  return `${clock(time)} ${plain(method)} ${path} ${status} in ${Math.round(ms * 10) / 10} ms${left}`;
}

export function textOfWarning({ message, event, ...about }: Record<string, string>, time: number): string {
  const facts = Object.entries(about).map(([name, value]) => `${name}=${value}`);
  return plain([clock(time), 'warning:', message ?? event, ...facts].filter(Boolean).join(' '));
}

export function textOfFault(error: unknown, where: { requestId: string } | { task: string }, time: number): string {
  const place = 'task' in where ? where.task : `request ${plain(where.requestId)}`;
  return `${clock(time)} error in ${place}: ${textOf(described(error))}`;
}

function textOf({ error, message, code, stack, cause }: Described): string {
  const lines = [`${plain(error)}: ${plain(message)}${code === undefined ? '' : ` (${code})`}`];
  // Keeps the stack's line breaks.
  if (stack !== undefined) lines.push(...stack.split('\n').map((line) => `    ${plain(line)}`));
  if (cause !== undefined) lines.push(`  caused by ${textOf(cause)}`);
  return lines.join('\n');
}

/** A text on one line, without characters that control a terminal. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** The time of day in the reader's time zone. */
function clock(time: number): string {
  return new Date(time).toTimeString().slice(0, 8);
}
