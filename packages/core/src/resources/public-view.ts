import type { Json, List } from '../json.ts';

/**
 * Whether everybody may see a field. The compiler asks this of each new field of a resource. A hidden field is answered as null, so only a
 * field that may be null can be hidden.
 */
export type Visibility<T> = { [Field in keyof T]-?: null extends T[Field] ? 'shown' | 'hidden' : 'shown' };

/**
 * Reads the stored text of one item or of a list for a public actor. Each item is built from the fields that are shown by name, in their
 * order: a field that `visibility` does not name is left out. A text that cannot be read is a fault, and is never handed out as it is.
 */
export function readShown<T extends object>(visibility: Visibility<T>, json: Json<T> | Json<List<T>>): Shown<T> {
  const stored = JSON.parse(json) as T | List<T>;
  const isList = !Object.hasOwn(stored, 'id');
  const items = (isList ? (stored as List<T>).items : [stored as T]).map((item) => shownOf(visibility, item));
  return { items, print: () => JSON.stringify(isList ? { items, total: (stored as List<T>).total } : items[0]) };
}

export interface Shown<T> {
  /** What is changed in here is printed. */
  items: T[];
  print(): string;
}

function shownOf<T extends object>(visibility: Visibility<T>, stored: T): T {
  const shown: Partial<T> = {};
  for (const name of Object.keys(visibility) as (keyof T)[])
    shown[name] = visibility[name] === 'shown' ? stored[name] : (null as never);
  return shown as T;
}
