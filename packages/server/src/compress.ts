import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import type { Answer } from './http.ts';

const gzip = promisify(gzipCallback);

/** Texts of fewer bytes fit into two packets anyway. */
const minLength = 2048;

/** An answer as it goes out: the body is what `Content-Length` counts. */
export interface PreparedAnswer {
  status: number;
  headers: Record<string, string> | undefined;
  body: string | Buffer | undefined;
  /** The body's length in bytes. */
  length: number;
  stream: Readable | undefined;
}

/**
 * The answer in the form that its reader takes: a longer text is compressed where `Accept-Encoding` allows it, off the main
 * thread. A promise only then.
 */
export function prepare(answer: Answer, acceptEncoding: unknown): PreparedAnswer | Promise<PreparedAnswer> {
  const plain = preparePlain(answer);
  const { body } = answer;
  if (body === undefined || plain.length < minLength) return plain;
  plain.headers = { ...answer.headers, Vary: varying(answer.headers?.Vary) };
  const taken = typeof acceptEncoding === 'string' && acceptsGzip(acceptEncoding);
  return taken ? compress(plain, plain.headers, body) : plain;
}

/** The answer as it is. */
export function preparePlain({ status, headers, body, stream }: Answer): PreparedAnswer {
  return { status, headers, body, length: body === undefined ? 0 : Buffer.byteLength(body), stream };
}

async function compress(plain: PreparedAnswer, headers: Record<string, string>, text: string): Promise<PreparedAnswer> {
  const body = await gzip(text, { level: 4 });
  const { ETag } = headers;
  return {
    ...plain,
    // The same content in other bytes.
    headers: { ...headers, 'Content-Encoding': 'gzip', ...(ETag?.startsWith('"') ? { ETag: `W/${ETag}` } : {}) },
    body,
    length: body.length,
  };
}

function varying(vary: string | undefined): string {
  return vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`;
}

const verdicts = new Map<string, boolean>();

/** Whether an `Accept-Encoding` header takes gzip, and does not rather have the plain text. */
export function acceptsGzip(header: string): boolean {
  const known = verdicts.get(header);
  if (known !== undefined) return known;
  const verdict = readVerdict(header);
  // Clients send a handful of texts; whoever makes up new ones must not fill the memory.
  if (verdicts.size >= 100) verdicts.clear();
  if (header.length <= 200) verdicts.set(header, verdict);
  return verdict;
}

function readVerdict(header: string): boolean {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...params] = part.split(';').map((text) => text.trim());
    const given = params.find((param) => param.startsWith('q='))?.slice(2);
    const weight = given === undefined ? 1 : /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given) : 0;
    weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight);
  }
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}
