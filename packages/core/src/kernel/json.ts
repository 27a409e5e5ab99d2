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

const [quotation, backslash, openObject, openArray, closeObject, closeArray] = [...'"\\{[}]'].map((c) =>
  c.charCodeAt(0),
);

/** Maximum nesting of objects and arrays in a body from an unknown sender; bodies of payment providers nest fewer than ten. */
export const maxUnverifiedDepth = 64;

/**
 * True if JSON text nests objects and arrays more than `max` deep. Checked before parsing, because an attacker's megabyte of brackets would
 * be built that deep. Bytes of UTF-8 beyond ASCII never equal these characters.
 */
export function isDeeper(json: Uint8Array, max: number): boolean {
  let depth = 0;
  let isText = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (isText) {
      if (byte === backslash) i++;
      else if (byte === quotation) isText = false;
    } else if (byte === quotation) isText = true;
    else if (byte === openObject || byte === openArray) {
      if (++depth > max) return true;
    } else if (byte === closeObject || byte === closeArray) depth--;
  }
  return false;
}
