declare const entity: unique symbol;

/**
 * The JSON text of a `T`. A resource is serialized once, when it is written, and stored as text next to the columns that queries need.
 * Reads join texts instead of building objects, and an answer, an event and an ETag are the same bytes.
 */
export type Json<T> = string & { readonly [entity]: T };

export function toJson<T>(value: T): Json<T> {
  return JSON.stringify(value) as Json<T>;
}

export function fromJson<T>(json: Json<T>): T {
  return JSON.parse(json) as T;
}

/** A page of a list, and the total number of items. */
export interface List<T> {
  items: T[];
  total: number;
}

/** An operation whose text is parsed, for use inside an application. */
export function parsed<Args extends unknown[], T>(
  operation: (...args: Args) => Promise<Json<T>>,
): (...args: Args) => Promise<T> {
  return async (...args) => fromJson(await operation(...args));
}
