import { createHash } from 'node:crypto';
import { CommerceError, type RefusalCode } from '@commerce/core';
import type { AppRequest } from '../http.ts';
import { readFiles } from './multipart.ts';

/** A file to be imported, as it arrives. */
export interface ImportBody {
  format?: 'csv' | 'jsonl';
  /** The name in the form, once it was read. */
  fileName?: () => string | undefined;
  bytes: AsyncIterable<Uint8Array>;
}

/** Media types of a file that is the body itself. */
const formats = new Map<string, ImportBody['format']>([
  ['text/csv', 'csv'],
  ['application/csv', 'csv'],
  ['application/x-ndjson', 'jsonl'],
  ['application/ndjson', 'jsonl'],
  ['application/jsonl', 'jsonl'],
  ['application/x-jsonlines', 'jsonl'],
  ['application/octet-stream', undefined],
]);

/** Digest of a path and of a file, once the file was read. */
export class BodyDigest {
  readonly #hash = createHash('sha256');
  #result: string | undefined;

  constructor(path: string) {
    this.#hash.update(`${path}\n`);
  }

  async *note(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#hash.update(chunk);
      yield chunk;
    }
    this.#result = this.#hash.digest('base64url');
  }

  /** Undefined until all of it was read. */
  result(): string | undefined {
    return this.#result;
  }
}

/**
 * The file of a request: its body, or the first file of a form.
 * @param max bytes of the body
 * @throws CommerceError `unsupportedMediaType` at once; while it is read, `validation` for a broken form and `tooLarge`
 */
export function readImport(request: AppRequest, max: number, digest?: BodyDigest): ImportBody {
  const type = request.headers['content-type'];
  const mime = type?.split(';')[0]?.trim().toLowerCase() ?? '';
  const noted = (bytes: AsyncIterable<Uint8Array>) => (digest ? digest.note(bytes) : bytes);
  if (mime === 'multipart/form-data') {
    let name: string | undefined;
    const bytes = firstFile(request, max, (given) => {
      name = given;
    });
    return { bytes: noted(bytes), fileName: () => name };
  }
  if (!formats.has(mime)) {
    throw new CommerceError(
      'unsupportedMediaType',
      `the file must be sent as text/csv, application/x-ndjson or multipart/form-data, not ${type ?? 'without a type'}`,
    );
  }
  const format = formats.get(mime);
  return { ...(format ? { format } : {}), bytes: noted(bodyOf(request, max)) };
}

async function* firstFile(
  request: AppRequest,
  max: number,
  onName: (name: string) => void,
): AsyncGenerator<Uint8Array> {
  let isThere = false;
  for await (const { fileName, content } of readFiles(request, undefined, max)) {
    if (isThere) throw refused('must be one file', 'TOO_MANY');
    isThere = true;
    if (fileName) onName(fileName);
    yield* content;
  }
  if (!isThere) throw refused('must have a file', 'REQUIRED');
}

function refused(reason: string, code: RefusalCode): CommerceError {
  return new CommerceError('validation', `files: ${reason}`, { details: [{ field: 'files', reason, code }] });
}

async function* bodyOf(request: AppRequest, max: number): AsyncGenerator<Uint8Array> {
  if (request.openBody) yield* request.openBody(max);
  else yield await request.readBody();
}
