import type { Engine } from '../context.ts';
import type { Json } from '../json.ts';

/**
 * Stands in a stored text where the address of the files goes, which is a setting and may change. Inside a string of JSON
 * a quotation mark is escaped, so no other field can hold this text, whatever a client puts into it.
 */
const marker = '{cdn_url}/';
const stored = `"url":"${marker}`;

/** The url of a file as its row keeps it. */
export function storedUrl(fileName: string): string {
  return marker + fileName;
}

/** A text of one or many media, as stored, with the addresses that hold now: the one place that puts them in. */
export function withUrls<T>(engine: Engine, json: Json<T>): Json<T> {
  const resolved = `"url":${JSON.stringify(`${engine.media.url()}/`).slice(0, -1)}`;
  return json.replaceAll(stored, () => resolved) as Json<T>;
}
