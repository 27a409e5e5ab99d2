import type { JsonList, List } from '@commerce/core';

/** A single item, wrapped as the interface has it: from its stored text, or from an object. */
export function item(value: string | object): string {
  return `{"item":${typeof value === 'string' ? value : JSON.stringify(value)}}`;
}

/** A list from the items' stored texts. */
export function jsonList({ items, total }: JsonList<unknown>): string {
  return `{"items":[${items.join(',')}],"total":${total}}`;
}

/** A list from objects. */
export function list({ items, total }: List<unknown>): string {
  return JSON.stringify({ items, total });
}

/** The answer of a deletion. */
export function nothing(): undefined {
  return undefined;
}
