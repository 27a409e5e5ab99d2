import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { weakTag } from '../etag.ts';
import type { Answer } from '../http.ts';
import { accepts, acceptsGzip, type Coding } from '../request/encodings.ts';

const gzip = promisify(gzipCallback);

/** Minimum bytes of a compressed text: shorter ones fit into two packets anyway. */
const minLength = 2048;

/** An answer ready to send; `Content-Length` counts this body. */
export interface PreparedAnswer {
  status: number;
  headers: Record<string, string> | undefined;
  body: string | Buffer | readonly Buffer[] | undefined;
  /** The body's length in bytes. */
  length: number;
  stream: Readable | undefined;
}

/**
 * The answer in its client's preferred form: a longer text is compressed off the main thread if `Accept-Encoding` allows it. Returns a
 * promise only then.
 */
export function prepare(answer: Answer, acceptEncoding: unknown): PreparedAnswer | Promise<PreparedAnswer> {
  const plain = preparePlain(answer);
  const { body, shared } = answer;
  if (!shared && (body === undefined || plain.length < minLength)) return plain;
  const headers = { ...answer.headers, Vary: varying(answer.headers?.Vary) };
  plain.headers = headers;
  if (typeof acceptEncoding !== 'string') return plain;
  if (shared?.br && accepts(acceptEncoding, 'br')) {
    return { ...plain, headers: compressed(headers, 'br'), body: shared.br, length: lengthOf(shared.br) };
  }
  if (!acceptsGzip(acceptEncoding)) return plain;
  if (shared) {
    return { ...plain, headers: compressed(headers, 'gzip'), body: shared.gzip, length: lengthOf(shared.gzip) };
  }
  return compress(plain, headers, body ?? '');
}

/** The answer without compression. */
export function preparePlain({ status, headers, body, shared, stream }: Answer): PreparedAnswer {
  if (shared) {
    return { status, headers, body: shared.plain, length: lengthOf(shared.plain), stream };
  }
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  return { status, headers, body, length, stream };
}

async function compress(plain: PreparedAnswer, headers: Record<string, string>, text: string): Promise<PreparedAnswer> {
  const body = await gzip(text, { level: 4 });
  return { ...plain, headers: compressed(headers, 'gzip'), body, length: body.length };
}

/** The headers for the same content in compressed form. */
function compressed(headers: Record<string, string>, coding: Coding): Record<string, string> {
  const { ETag } = headers;
  return { ...headers, 'Content-Encoding': coding, ...(ETag === undefined ? {} : { ETag: weakTag(ETag) }) };
}

function lengthOf(parts: readonly Buffer[]): number {
  return parts.reduce((length, part) => length + part.length, 0);
}

function varying(vary: string | undefined): string {
  return vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
}
