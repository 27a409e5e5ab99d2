import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { PreparedAnswer } from './compress.ts';

let waiting: (() => void)[] = [];

/**
 * Writes the answers of one turn of the event loop together at its end. Written between the reads, each answer would wake a client that had
 * gone back to sleep, which costs more than the read.
 */
export function together(write: () => void): void {
  if (waiting.length === 0) {
    setImmediate(() => {
      const writes = waiting;
      waiting = [];
      for (const one of writes) one();
    });
  }
  waiting.push(write);
}

/** Milliseconds in which a client can continue sending a body that is not read. */
const drainTime = 1000;

/** Headers of JSON: no browser treats it as a page. */
const jsonHeaders = [...['Content-Type', 'application/json; charset=utf-8'], ...['X-Content-Type-Options', 'nosniff']];

/** Of JSON that only the key's owner is allowed to see: no cache keeps a copy. A client can still remember the entity tag itself. */
const uncached = ['Cache-Control', 'no-store'];

/** Writes an answer, even if the client is still sending. */
export function write(
  request: IncomingMessage,
  response: ServerResponse,
  answer: PreparedAnswer,
  requestId: string,
): void {
  const headers: string[] = ['X-Request-Id', requestId];
  for (const name in answer.headers) headers.push(name, answer.headers[name] as string);
  const { body, stream } = answer;
  const parts = typeof body === 'object' && !Buffer.isBuffer(body) ? body.slice(0, -1) : [];
  const last = typeof body === 'object' && !Buffer.isBuffer(body) ? body.at(-1) : body;
  if (stream) {
    writeStream(request, response, answer.status, headers, stream);
    return;
  }
  if (body !== undefined) {
    if (answer.headers?.['Content-Type'] === undefined) {
      headers.push(...jsonHeaders);
      if (answer.headers?.['Cache-Control'] === undefined) headers.push(...uncached);
    }
    headers.push('Content-Length', String(answer.length));
  }
  if (request.complete) {
    response.writeHead(answer.status, headers);
    for (const part of parts) response.write(part);
    response.end(last);
    return;
  }
  // Part of the body is still arriving. The connection closes after the answer, and closing it on unread bytes resets it, which can cost
  // the client the answer. Therefore the whole answer is sent first, and ends later.
  if (answer.headers?.Connection === undefined) headers.push('Connection', 'close');
  response.writeHead(answer.status, headers);
  response.flushHeaders();
  for (const part of parts) response.write(part);
  if (last !== undefined) response.write(last);
  const end = () => {
    clearTimeout(cutting);
    response.end();
  };
  const cutting = setTimeout(end, drainTime).unref();
  request.once('end', end).once('close', end).resume();
}

/** Sends bytes as fast as the client reads them; closes the file when the client leaves. */
function writeStream(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: string[],
  stream: Readable,
): void {
  if (response.destroyed || stream.destroyed) {
    stream.destroy();
    response.destroy();
    return;
  }
  if (!request.complete) headers.push('Connection', 'close');
  response.writeHead(status, headers);
  response.once('close', () => stream.destroy());
  // The length was announced: only a cut connection tells the client that bytes are missing.
  stream.once('error', () => response.destroy());
  stream.pipe(response);
  request.resume();
}
