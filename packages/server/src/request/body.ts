import type { IncomingMessage } from 'node:http';
import { CommerceError } from '@commerce/core';
import type { BodyHold } from './body-room.ts';

/** Maximum bytes of a body. */
export const maxBody = 1024 * 1024;

/** Maximum bytes of an upload. */
export const maxUpload = 50 * 1024 * 1024;

/** The client left before its request was complete; it cannot be answered. */
export class AbortedError extends Error {
  override readonly name = 'AbortedError';
}

/**
 * Reads a request's body.
 * @param hold counts its bytes, and can end it
 * @throws CommerceError `tooLarge` as soon as the body is known to exceed the cap, `unavailable` when others need the room; AbortedError
 * when the client left.
 */
export function readBody(request: IncomingMessage, hold?: BodyHold, max = maxBody): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > max) return Promise.reject(tooLarge(max));
  if (request.readableEnded) return Promise.reject(alreadyRead());
  return new Promise((resolve, reject) => {
    // Received bytes, at the start of a growing buffer. A list of pieces would cost more, because each can be a single byte.
    let body: Buffer = Buffer.alloc(0);
    let size = 0;
    const stop = (error: CommerceError) => {
      request.removeAllListeners('data');
      request.pause();
      body = Buffer.alloc(0);
      reject(error);
    };
    hold?.begin(() => stop(tooManyBodies));
    request.on('data', (chunk: Buffer) => {
      const needed = size + chunk.length;
      if (needed > max) {
        stop(tooLarge(max));
        return;
      }
      if (needed > body.length) {
        const capacity =
          size === 0 && chunk.length === length ? length : Math.min(max, Math.max(needed, 2 * body.length));
        // Room is made first, and this body itself can be cut for it.
        if (hold && !hold.grow(capacity - body.length)) return;
        if (size === 0 && chunk.length === capacity) {
          body = chunk;
          size = needed;
          return;
        }
        const grown = Buffer.allocUnsafeSlow(capacity);
        body.copy(grown, 0, 0, size);
        body = grown;
      }
      chunk.copy(body, size);
      size = needed;
    });
    request.on('end', () => {
      hold?.end();
      resolve(body.subarray(0, size));
    });
    const left = () => {
      // Node emits it after a successful request too; no error is created for that.
      if (!request.readableEnded) reject(new AbortedError('the client left'));
    };
    request.on('error', left);
    request.on('close', left);
  });
}

/**
 * A request's body as it arrives; nothing is read before it is consumed. A reader that stops early leaves the rest unread.
 * @throws CommerceError `tooLarge` as soon as the body is known to exceed the cap; AbortedError when the client left.
 */
export async function* openBody(request: IncomingMessage, max: number): AsyncGenerator<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge(max);
  if (request.readableEnded) throw alreadyRead();
  let size = 0;
  // Destroying the request would destroy the connection, and with it the answer.
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

const tooManyBodies = new CommerceError('unavailable', 'too many bodies are on their way; try again');

function alreadyRead(): Error {
  return new Error(
    'the body was read before it got here: mount the listener ahead of body parsers such as express.json()',
  );
}

function tooLarge(max: number): CommerceError {
  return new CommerceError('tooLarge', `the body must have at most ${max} bytes`);
}
