/** The value at a path in a provider's JSON, of unknown shape; null when a step is missing or not an object. */
function at(value: unknown, path: readonly string[]): unknown {
  let here = value;
  for (const step of path) {
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, step)) return null;
    here = (here as Record<string, unknown>)[step];
  }
  return here ?? null;
}

/** A non-empty text, else null. NUL, which PostgreSQL cannot store, becomes the replacement character. */
export function textAt(value: unknown, ...path: string[]): string | null {
  const found = at(value, path);
  return typeof found === 'string' && found !== '' ? found.replaceAll('\0', '\ufffd').toWellFormed() : null;
}

/** The value for a provider's word in a table; null for an unknown word, and for names that every object has. */
export function wordIn<T>(table: Record<string, T>, word: string | null): T | null {
  return word !== null && Object.hasOwn(table, word) ? (table[word] as T) : null;
}

/** An instant in milliseconds, from a text such as `2026-11-18T12:00:00Z`; else null. */
export function timeAt(value: unknown, ...path: string[]): number | null {
  const time = Date.parse(textAt(value, ...path) ?? '');
  return Number.isNaN(time) ? null : time;
}

/** A whole number within the exact range of JavaScript, else null. */
export function integerAt(value: unknown, ...path: string[]): number | null {
  const found = at(value, path);
  return Number.isSafeInteger(found) ? (found as number) : null;
}

export function objectAt(value: unknown, ...path: string[]): object | null {
  const found = at(value, path);
  return found !== null && typeof found === 'object' ? found : null;
}

/** The texts of a list, without other entries; empty when it is not a list. */
export function textsAt(value: unknown, ...path: string[]): string[] {
  const found = at(value, path);
  return Array.isArray(found) ? found.filter((entry) => typeof entry === 'string') : [];
}

/** The objects of a list, without other entries; empty when it is not a list. */
export function listAt(value: unknown, ...path: string[]): object[] {
  const found = at(value, path);
  return Array.isArray(found) ? found.filter((entry) => entry !== null && typeof entry === 'object') : [];
}
