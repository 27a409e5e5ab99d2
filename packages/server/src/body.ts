import type { IncomingMessage } from 'node:http';
import { CommerceError } from '@commerce/core';

/** The most a body may hold. */
export const maxBody = 1024 * 1024;

/** The client went away before its request was whole; nobody is left to answer. */
export class AbortedError extends Error {
  override readonly name = 'AbortedError';
}

/**
 * Reads a request's body.
 * @throws CommerceError `tooLarge` as soon as the body is known to exceed the cap; AbortedError when the client left.
 */
export function readBody(request: IncomingMessage, max = maxBody): Promise<Buffer> {
  const tooLarge = () => new CommerceError('tooLarge', `the body must have at most ${max} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > max) return Promise.reject(tooLarge());
  if (request.readableEnded) {
    const message =
      'the body was read before it got here: mount the listener ahead of body parsers such as express.json()';
    return Promise.reject(new Error(message));
  }
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
        reject(tooLarge());
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
