import { CommerceError } from '../kernel/errors.ts';
import type { Storage } from './storage.ts';

/** The refusal of work with a closed database. It names no file, because a client whose request came too late can see it. */
export function closedError(): CommerceError {
  return new CommerceError(
    'unavailable',
    'the database was closed by commerce.close(): open it again with openCommerce()',
  );
}

/**
 * Replaces a storage that was closed: every use is refused by name. Without this, a use would fail with whatever the driver says of a closed
 * connection, or read a file that has got the number of the closed one.
 */
export function closedStorage(storage: Storage): Storage {
  const { location, uniqueViolation, isTransient, isUnavailable, refusal } = storage;
  const kept = { location, uniqueViolation, isTransient, isUnavailable, refusal, close: async () => {} };
  return new Proxy(kept as unknown as Storage, {
    get(_, name) {
      if (Object.hasOwn(kept, name)) return kept[name as keyof typeof kept];
      const member = storage[name as keyof Storage];
      // What the engine does not have, and turns for reads, which fail themselves.
      if (member === undefined || name === 'readTurns') return undefined;
      if (typeof member === 'function' && name !== 'lastCommit') return () => Promise.reject(closedError());
      throw closedError();
    },
  });
}
