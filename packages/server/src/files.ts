import type { IncomingHttpHeaders } from 'node:http';
import { type ByteRange, type Engine, openMediaFile, type ServedFile } from '@commerce/core';
import type { Answer, AppRequest } from './http.ts';

/**
 * Where browsers find the files, without a key: `/media/<store id>/<id>.<extension>`. Every name that is kept has this form
 * and nothing is decoded first, so there is no other way of writing one, and none that leads elsewhere.
 */
export const mediaPath = /^\/media\/([0-9a-f-]{36})\/([0-9a-f-]{36}\.(?:jpg|png|webp|gif))$/;

/** A file never changes under its name, so whoever has it need not ask again. */
const forAYear = 'public, max-age=31536000';

/**
 * Answers GET or HEAD for a file or a variant of it.
 * @throws CommerceError as `openMediaFile` does
 */
export async function answerFile(
  engine: Engine,
  request: AppRequest,
  storeId: string,
  fileName: string,
  search: string,
): Promise<Answer> {
  const file = await openMediaFile(engine, storeId, fileName, Object.fromEntries(new URLSearchParams(search)));
  const lastModified = new Date(file.modifiedAt).toUTCString();
  const headers = {
    'Cache-Control': forAYear,
    // What an image holds beside its pixels is never taken for a page or a script.
    'X-Content-Type-Options': 'nosniff',
    ETag: file.etag,
    'Last-Modified': lastModified,
    'Accept-Ranges': 'bytes',
  };
  if (isFresh(request.headers, file)) return { status: 304, headers };
  const wanted = request.method === 'GET' ? wantedRange(request.headers, file, lastModified) : undefined;
  const range = wanted && rangeOf(wanted, file.size);
  if (wanted && !range) {
    return { status: 416, headers: { 'Content-Range': `bytes */${file.size}`, 'X-Content-Type-Options': 'nosniff' } };
  }
  const length = range ? range.end - range.start + 1 : file.size;
  return {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      ...(range ? { 'Content-Range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
      'Content-Type': file.mimeType,
      'Content-Length': String(length),
    },
    ...(request.method === 'HEAD' ? {} : { stream: await file.read(range) }),
  };
}

/** Whether the client has this file already; dates count only where it names no tags. */
function isFresh(headers: IncomingHttpHeaders, { etag, modifiedAt }: ServedFile): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) {
    return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  }
  const since = Date.parse(headers['if-modified-since'] ?? '');
  // To the second, as the header says it.
  return Math.floor(modifiedAt / 1000) * 1000 <= since;
}

/** The `first-last` of a request for one range; several at once, other units and nonsense count as none. */
function wantedRange(headers: IncomingHttpHeaders, { etag }: ServedFile, lastModified: string) {
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== etag && condition !== lastModified) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return { first, last };
}

/** The bytes that are meant; undefined where the file has none of them. */
function rangeOf({ first, last }: { first: string; last: string }, size: number): ByteRange | undefined {
  // Without a first one, it is so many from the end.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start <= end ? { start, end } : undefined;
}
