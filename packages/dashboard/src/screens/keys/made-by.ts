import type { Schemas } from '../../api/types.ts';

type ApiKey = Schemas['ApiKey'];

/** The keys that end with a key: the keys that it created, directly or indirectly. */
export function madeBy<T extends Pick<ApiKey, 'id' | 'createdBy'>>(id: string, keys: Iterable<T>): T[] {
  const all = [...keys];
  const found: T[] = [];
  const ids = new Set([id]);
  for (let n = -1; n !== found.length; ) {
    n = found.length;
    for (const key of all) {
      if (key.createdBy !== null && ids.has(key.createdBy) && !ids.has(key.id)) {
        ids.add(key.id);
        found.push(key);
      }
    }
  }
  return found;
}
