import { type Entity, type EntityOf, type Field, initialOf, type Shape } from '../fields/entity.ts';
import type { Json, List } from '../kernel/json.ts';

/**
 * Reads the stored text of an item or a list for a public actor. Each item is built field by field from the shape: a field without `public`
 * is answered as null, or as what it says in its place. A text that cannot be read is an internal error and is never returned unchanged.
 */
export function readShown<S extends Shape>(
  { shape }: EntityOf<S>,
  json: Json<Entity<S>> | Json<List<Entity<S>>>,
): Shown<Entity<S>> {
  type Item = Entity<S>;
  const fields = Object.entries(shape);
  const stored = JSON.parse(json) as Item | List<Item>;
  const isList = !Object.hasOwn(stored, 'id');
  const items = (isList ? (stored as List<Item>).items : [stored as Item]).map((item) => shownOf(fields, item));
  return { items, print: () => JSON.stringify(isList ? { items, total: (stored as List<Item>).total } : items[0]) };
}

export interface Shown<T> {
  /** Changes made here are printed. */
  items: T[];
  print(): string;
}

function shownOf<T extends object>(fields: readonly [string, Field][], stored: T): T {
  const shown: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const value = field.isPublic ? (stored as Record<string, unknown>)[name] : field.hidden;
    shown[name] = value === undefined ? initialOf(field) : value;
  }
  return shown as T;
}
