import { createHash, type Hash } from 'node:crypto';
import { CommerceError, type MediaUpload, type RefusalCode } from '@commerce/core';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import type { AppRequest } from '../http.ts';
import { maxUpload } from '../request/body.ts';

/** The one form field that holds files. */
const field = 'files';

/** Maximum parts of a form; unread parts cost time too. */
const maxParts = 1000;

/**
 * The files of a form, one after the other during the upload. While the content of one is not read, the client waits. Ignores fields
 * without a file.
 * @param digest notes the files as they are read
 * @param max bytes of the body
 * @throws CommerceError `unsupportedMediaType` at once when the body is not a form. While it is read, `validation` if the form is malformed
 * or has a file in another field, and `tooLarge`.
 */
export function readFiles(request: AppRequest, digest?: FileDigest, max = maxUpload): AsyncIterable<MediaUpload> {
  const type = request.headers['content-type'];
  if (type === undefined || !/^multipart\/form-data *(?:;|$)/i.test(type)) {
    throw new CommerceError(
      'unsupportedMediaType',
      `the body must be sent as multipart/form-data, not ${type ?? 'without a type'}`,
    );
  }
  return filesOf(request, type, digest, max);
}

/** Digest of the files of a form: only names, types and contents. */
export class FileDigest {
  readonly #hash: Hash = createHash('sha256');
  #result: string | undefined;

  constructor(path: string) {
    this.#hash.update(`${path}\n`);
  }

  /** The content of a file, added to the digest while it is read. */
  async *note({ fileName, mimeType, content }: MediaUpload): AsyncGenerator<Uint8Array> {
    this.#hash.update(JSON.stringify([fileName, mimeType]));
    let size = 0;
    for await (const chunk of content) {
      size += chunk.byteLength;
      this.#hash.update(chunk);
      yield chunk;
    }
    // Separates files: otherwise one file could look like the end of one and the start of another.
    this.#hash.update(`\n${size}\n`);
  }

  /** Ends the digest, after the last file. */
  end(): void {
    this.#result = this.#hash.digest('base64url');
  }

  /** Undefined until all files were read. */
  result(): string | undefined {
    return this.#result;
  }
}

async function* filesOf(
  request: AppRequest,
  type: string,
  digest: FileDigest | undefined,
  max: number,
): AsyncGenerator<MediaUpload> {
  const form = new Form(await newParser(type));
  void form.read(bodyOf(request, max));
  try {
    for (let file = await form.next(); file; file = await form.next()) {
      if (file.field !== field) {
        throw refused(file.field.slice(0, 64) || 'body', `send files in the field "${field}"`, 'UNKNOWN_FIELD');
      }
      const upload = { fileName: file.name, mimeType: file.mimeType, content: form.contentOf(file) };
      yield digest ? { ...upload, content: digest.note(upload) } : upload;
    }
    digest?.end();
  } finally {
    form.stop();
  }
}

/** The body as it arrives, or the whole body without a socket. */
async function* bodyOf(request: AppRequest, max: number): AsyncGenerator<Uint8Array> {
  if (request.openBody) yield* request.openBody(max);
  else yield await request.readBody();
}

async function newParser(type: string): Promise<BusboyInstance> {
  // Loaded with the first upload, because few requests need it.
  const { Busboy } = await import('@fastify/busboy');
  try {
    return new Busboy({
      headers: { 'content-type': type },
      isPartAFile: (name, _type, fileName) => fileName !== undefined || name === field,
      limits: { parts: maxParts, fieldSize: 1024, headerSize: 16 * 1024, headerPairs: 100 },
    });
  } catch (error) {
    throw malformed(error);
  }
}

interface FilePart {
  field: string;
  name: string;
  mimeType: string;
  stream: BusboyFileStream;
}

/** Form being read: bytes go into the parser, files come out. */
class Form {
  readonly #parser: BusboyInstance;
  readonly #arrived: FilePart[] = [];
  #open: BusboyFileStream | undefined;
  #failure: unknown;
  /** The form has ended; bytes after it still belong to the body. */
  #finished = false;
  /** The body has ended. */
  #read = false;
  #stopped = false;
  /** Wakes the reader that waits for the next file. */
  #wake = () => {};
  /** Resumes the writer that waits for the parser. */
  #release = () => {};

  constructor(parser: BusboyInstance) {
    this.#parser = parser;
    parser.on('file', (field, stream, name, _encoding, mimeType) => {
      // An error reaches the reader through the form; an error without a listener would end the process.
      stream.on('error', () => {});
      this.#arrived.push({ field: field ?? '', name: name ?? '', mimeType, stream });
      this.#wake();
    });
    parser.on('partsLimit', () => this.#fail(malformed(`it has more than ${maxParts} parts`)));
    parser.on('error', (error) => this.#fail(malformed(error)));
    parser.on('finish', () => {
      this.#finished = true;
      this.#wake();
    });
  }

  /** Writes the body into the parser, at the parser's pace. Never throws: the reader of the files gets the error. */
  async read(body: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of body) {
        if (this.#stopped) return;
        await new Promise<void>((resolve) => {
          this.#release = resolve;
          this.#parser.write(chunk, () => resolve());
        });
      }
      this.#read = true;
      this.#parser.end();
      this.#wake();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The next file; undefined after the last one. */
  async next(): Promise<FilePart | undefined> {
    // The unread rest of the previous file would block everything after it.
    this.#open?.resume();
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const file = this.#arrived.shift();
      if (file) {
        this.#open = file.stream;
        return file;
      }
      if (this.#finished && this.#read) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async *contentOf(file: FilePart): AsyncGenerator<Uint8Array> {
    try {
      // Destroyed before its end, the part would never end for the parser.
      yield* file.stream.iterator({ destroyOnReturn: false });
    } catch (error) {
      throw this.#failure ?? malformed(error);
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  stop(): void {
    this.#stopped = true;
    this.#release();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.stop();
    this.#wake();
    // The reader of a file would wait forever for its rest.
    this.#open?.destroy(error instanceof Error ? error : new Error(String(error)));
    for (const { stream } of this.#arrived) stream.destroy();
  }
}

function malformed(cause: unknown): CommerceError {
  return refused('body', `is not valid multipart/form-data: ${cause instanceof Error ? cause.message : String(cause)}`);
}

function refused(field: string, reason: string, code: RefusalCode = 'WRONG_TYPE'): CommerceError {
  return new CommerceError('validation', `${field}: ${reason}`, { details: [{ field, reason, code }] });
}
