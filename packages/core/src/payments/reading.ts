/** Looks into a provider's JSON, of which nothing is sure: a missing step or another type is null. */
function at(value: unknown, path: readonly string[]): unknown {
  let here = value;
  for (const step of path) {
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, step)) return null;
    here = (here as Record<string, unknown>)[step];
  }
  return here ?? null;
}

/** A text that is not empty; a NUL in it, which PostgreSQL cannot store, becomes the replacement character. */
export function textAt(value: unknown, ...path: string[]): string | null {
  const found = at(value, path);
  return typeof found === 'string' && found !== '' ? found.replaceAll('\0', '\ufffd').toWellFormed() : null;
}

/** The value that a table has for a provider's word; null for a word that is not in it. */
export function wordIn<T>(table: Record<string, T>, word: string | null): T | null {
  return word !== null && Object.hasOwn(table, word) ? (table[word] as T) : null;
}

/** A whole number that JavaScript holds exactly. */
export function integerAt(value: unknown, ...path: string[]): number | null {
  const found = at(value, path);
  return Number.isSafeInteger(found) ? (found as number) : null;
}

export function objectAt(value: unknown, ...path: string[]): object | null {
  const found = at(value, path);
  return found !== null && typeof found === 'object' ? found : null;
}

/** The objects of a list; an entry that is no object is left out. */
export function listAt(value: unknown, ...path: string[]): object[] {
  const found = at(value, path);
  return Array.isArray(found) ? found.filter((entry) => entry !== null && typeof entry === 'object') : [];
}
