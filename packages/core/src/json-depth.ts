const [quotation, backslash, openObject, openArray, closeObject, closeArray] = [...'"\\{[}]'].map((c) =>
  c.charCodeAt(0),
);

/** Objects and arrays inside each other of a body that anybody may have sent; those of payment providers have fewer than ten. */
export const maxUnverifiedDepth = 64;

/**
 * Whether a text of JSON nests objects and arrays more than `max` deep. Looked at before the text is parsed: what comes from anybody is
 * otherwise built as deep as a megabyte of brackets allows. Bytes of UTF-8 beyond ASCII are none of these characters.
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
