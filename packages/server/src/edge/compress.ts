import type { Readable } from 'node:stream';
import { compressors, minCompressed } from '../bodies/kept-body.ts';
import { weakTag } from '../etag.ts';
import type { Answer, Coding } from '../http.ts';
import { codingFor } from '../request/encodings.ts';

const bothCodings = ['br', 'gzip'] as const;
const gzipAlone = ['gzip'] as const;

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
  const { body, shared, kept } = answer;
  if (!shared && !kept && (body === undefined || plain.length < minCompressed)) return plain;
  const headers = { ...answer.headers, Vary: varying(answer.headers?.Vary) };
  plain.headers = headers;
  if (typeof acceptEncoding !== 'string') return plain;
  // Text that is compressed for each answer is so by gzip, which takes less time.
  const offered = kept || shared?.br ? bothCodings : gzipAlone;
  const coding = codingFor(acceptEncoding, offered);
  if (!coding) return plain;
  if (kept) {
    const form = kept.in(coding);
    const inForm = (bytes: Buffer) => ({
      ...plain,
      headers: compressed(headers, coding),
      body: bytes,
      length: bytes.length,
    });
    return form instanceof Promise ? form.then(inForm) : inForm(form);
  }
  if (shared) {
    const form = coding === 'br' && shared.br ? shared.br : shared.gzip;
    return { ...plain, headers: compressed(headers, coding), body: form, length: lengthOf(form) };
  }
  return compress(plain, headers, body ?? '');
}

/** The answer without compression. */
export function preparePlain({ status, headers, body, shared, kept, stream }: Answer): PreparedAnswer {
  if (kept) return { status, headers, body: kept.plain, length: kept.plain.length, stream };
  if (shared) {
    return { status, headers, body: shared.plain, length: lengthOf(shared.plain), stream };
  }
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  return { status, headers, body, length, stream };
}

async function compress(plain: PreparedAnswer, headers: Record<string, string>, text: string): Promise<PreparedAnswer> {
  const body = await compressors.gzip(text);
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
