import type { Storage } from '../storage.ts';

/**
 * A storage whose file is created on its first use, and not before: a caller that only wants an existing database leaves nothing behind.
 * @param open creates the file and opens it
 */
export function openedLater(location: string, open: () => Storage): Storage {
  const opening = new Proxy(
    {},
    {
      get(_, name) {
        // A promise that resolves with the storage asks for `then`, and printing asks for symbols; neither is a use.
        if (name === 'then' || typeof name === 'symbol') return undefined;
        const opened = open();
        Object.assign(later, { isMissing: false }, opened);
        // From now on, nothing is looked up here.
        Object.setPrototypeOf(later, Object.prototype);
        return opened[name as keyof Storage];
      },
    },
  );
  const waiting = { location, isMissing: true, close: async () => {} } satisfies Partial<Storage>;
  const later: Storage = Object.assign(Object.create(opening), waiting);
  return later;
}
