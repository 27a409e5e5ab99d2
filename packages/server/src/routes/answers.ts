import type { Json, List } from '@commerce/core';

/** A single item, wrapped as the interface has it: from its stored text, or from an object. */
export function item(value: string | object): string {
  return `{"item":${typeof value === 'string' ? value : JSON.stringify(value)}}`;
}

/** A list: as core printed it, or from objects. */
export function list(value: Json<List<unknown>> | List<unknown>): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The answer of a deletion. */
export function nothing(): undefined {
  return undefined;
}
