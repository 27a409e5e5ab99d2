import type { IncomingHttpHeaders } from 'node:http';
import { type ByteRange, type Engine, openMediaFile, type ServedFile } from '@commerce/core';
import { refuseUnknownQuery } from './bodies/strict.ts';
import { isFresh } from './etag.ts';
import type { Answer, Area, Call } from './http.ts';
import { onlyAllows } from './methods.ts';

/**
 * Address of a file, for browsers without a key: `/media/<store id>/<id>.<extension>`. Every stored name has this form and nothing is
 * decoded first. A name therefore has only one spelling, and none can lead elsewhere.
 */
const mediaPath = /^\/media\/[0-9a-f-]{36}\/[0-9a-f-]{36}\.(?:jpg|png|webp|gif)$/;

/** A file never changes under its name, so a client that has it need not ask again. */
const forAYear = 'public, max-age=31536000';

/** Serves the files of images and their variants. */
export class Files implements Area {
  readonly canBeStrict = true;
  readonly #engine: Engine;
  readonly #onError: (error: unknown, requestId: string) => void;

  constructor(engine: Engine, onError: (error: unknown, requestId: string) => void) {
    this.#engine = engine;
    this.#onError = onError;
  }

  owns(path: string): boolean {
    return mediaPath.test(path);
  }

  /** @throws CommerceError like `openMediaFile` */
  async answer({ request, requestId, path, search, isStrict, facts }: Call): Promise<Answer> {
    facts.route = '/media/{storeId}/{file}';
    if (request.method !== 'GET' && request.method !== 'HEAD') throw onlyAllows(request, facts, 'GET, HEAD');
    if (isStrict) await refuseUnknownQuery('VariantQuery', search);
    const [, , storeId = '', name = ''] = path.split('/');
    const file = await openMediaFile(this.#engine, storeId, name, Object.fromEntries(new URLSearchParams(search)));
    const lastModified = new Date(file.modifiedAt).toUTCString();
    const headers = {
      'Cache-Control': forAYear,
      // Content of an image other than its pixels is never treated as a page or a script.
      'X-Content-Type-Options': 'nosniff',
      // If opened directly, it is on the dashboard's origin, and must not run anything there.
      'Content-Security-Policy': "default-src 'none'; sandbox",
      ETag: file.etag,
      'Last-Modified': lastModified,
      'Accept-Ranges': 'bytes',
    };
    if (isFresh(request.headers, file.etag, file.modifiedAt)) return { status: 304, headers };
    const wanted = request.method === 'GET' ? wantedRange(request.headers, file, lastModified) : undefined;
    const range = wanted && rangeOf(wanted, file.size);
    if (wanted && !range) {
      return { status: 416, headers: { 'Content-Range': `bytes */${file.size}`, 'X-Content-Type-Options': 'nosniff' } };
    }
    const stream = request.method === 'HEAD' ? undefined : await file.read(range);
    // Too late for another answer, because the headers are sent. A client that leaves aborts the stream, which is not a fault.
    stream?.on('error', (error) => {
      if (error.name !== 'AbortError') this.#onError(error, requestId);
    });
    return {
      status: range ? 206 : 200,
      headers: {
        ...headers,
        ...(range ? { 'Content-Range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
        'Content-Type': file.mimeType,
        'Content-Length': String(range ? range.end - range.start + 1 : file.size),
      },
      ...(stream ? { stream } : {}),
    };
  }
}

/** The `first-last` of a request for one range; several ranges, other units and invalid values count as no range. */
function wantedRange(headers: IncomingHttpHeaders, { etag }: ServedFile, lastModified: string) {
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== etag && condition !== lastModified) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return { first, last };
}

/** The bytes of a range; undefined if the file has none of them. */
function rangeOf({ first, last }: { first: string; last: string }, size: number): ByteRange | undefined {
  // Without a first byte, `last` counts from the end.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start <= end ? { start, end } : undefined;
}
