import type { IncomingMessage } from 'node:http';
import { CommerceError } from '@commerce/core';

/** The most a body may hold. */
export const maxBody = 1024 * 1024;

/** The most that an upload may hold. */
export const maxUpload = 50 * 1024 * 1024;

/** The client went away before its request was whole; nobody is left to answer. */
export class AbortedError extends Error {
  override readonly name = 'AbortedError';
}

/**
 * Reads a request's body.
 * @throws CommerceError `tooLarge` as soon as the body is known to exceed the cap; AbortedError when the client left.
 */
export function readBody(request: IncomingMessage, max = maxBody): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > max) return Promise.reject(tooLarge(max));
  if (request.readableEnded) return Promise.reject(alreadyRead());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= max) {
        chunks.push(chunk);
      } else {
        request.removeAllListeners('data');
        request.pause();
        reject(tooLarge(max));
      }
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const left = () => {
      // Also told after a request that ended well; an error is not made for nothing.
      if (!request.readableEnded) reject(new AbortedError('the client left'));
    };
    request.on('error', left);
    request.on('close', left);
  });
}

/**
 * A request's body as it arrives; nothing is read ahead of what is asked for. Whoever stops early leaves the rest unread.
 * @throws CommerceError `tooLarge` as soon as the body is known to exceed the cap; AbortedError when the client left.
 */
export async function* openBody(request: IncomingMessage, max: number): AsyncGenerator<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge(max);
  if (request.readableEnded) throw alreadyRead();
  let size = 0;
  // Destroying the request would take the connection, and with it the answer.
  const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > max) throw tooLarge(max);
      yield chunk;
    }
  } catch (error) {
    throw request.destroyed && !request.complete ? new AbortedError('the client left') : error;
  }
}

function alreadyRead(): Error {
  return new Error(
    'the body was read before it got here: mount the listener ahead of body parsers such as express.json()',
  );
}

function tooLarge(max: number): CommerceError {
  return new CommerceError('tooLarge', `the body must have at most ${max} bytes`);
}
