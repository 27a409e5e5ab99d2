import type { Engine } from '../engine/context.ts';
import type { Json } from '../kernel/json.ts';

/**
 * Placeholder in stored JSON for the base URL of the files, which is a setting and can change. Quotation marks inside JSON strings are
 * escaped, so no other field can contain `stored`, whatever a client sends.
 */
const marker = '{cdn_url}/';
const stored = `"url":"${marker}`;

/** The url of a file as stored in its row. */
export function storedUrl(fileName: string): string {
  return marker + fileName;
}

/** Stored JSON of one or many media, with the current base URL filled in. The only place that does so. */
export function withUrls<T>(engine: Engine, json: Json<T>): Json<T> {
  const resolved = `"url":${JSON.stringify(`${engine.media.url()}/`).slice(0, -1)}`;
  return json.replaceAll(stored, () => resolved) as Json<T>;
}
