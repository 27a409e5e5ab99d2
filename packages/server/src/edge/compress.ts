import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { weakTag } from '../etag.ts';
import type { Answer } from '../http.ts';

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

type Coding = 'gzip' | 'br';

const verdicts = new Map<string, boolean>();

/** True if an `Accept-Encoding` header accepts gzip and does not prefer the plain text. */
export function acceptsGzip(header: string): boolean {
  return accepts(header, 'gzip');
}

function accepts(header: string, coding: Coding): boolean {
  const asked = `${coding} ${header}`;
  const known = verdicts.get(asked);
  if (known !== undefined) return known;
  const verdict = readVerdict(header, coding);
  // Clients send a handful of texts; an attacker with ever new ones must not fill the memory.
  if (verdicts.size >= 100) verdicts.clear();
  if (header.length <= 200) verdicts.set(asked, verdict);
  return verdict;
}

function readVerdict(header: string, wanted: Coding): boolean {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...params] = part.split(';').map((text) => text.trim());
    const given = params.find((param) => param.startsWith('q='))?.slice(2);
    const weight = given === undefined ? 1 : /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given) : 0;
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight);
  }
  const own = weights.get(wanted) ?? weights.get('*') ?? 0;
  return own > 0 && own >= (weights.get('identity') ?? 0);
}
