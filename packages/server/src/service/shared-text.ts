import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import { versionOf } from '@commerce/core';
import { isFresh, tagOf } from '../etag.ts';
import type { Answer, AppRequest, SharedBody } from '../http.ts';

const compress = promisify(deflateRaw);
/** Header of gzip: deflate, no time, no particular system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** Text that is compressed once and held once, however many clients are slow to read it. Its end can differ from answer to answer. */
export class SharedText {
  readonly #plain: Buffer;
  /** The header and the whole text in blocks, none marked as the last one. */
  readonly #compressed: Buffer;
  readonly #checksum: number;
  readonly #version: string;

  private constructor(plain: Buffer, compressed: Buffer) {
    this.#plain = plain;
    this.#compressed = compressed;
    this.#checksum = crc32(plain);
    this.#version = versionOf(plain.toString('utf8'));
  }

  static async of(text: string): Promise<SharedText> {
    const plain = Buffer.from(text);
    const blocks = await compress(plain, { level: 6, finishFlush: constants.Z_SYNC_FLUSH });
    return new SharedText(plain, Buffer.concat([gzipHeader, blocks]));
  }

  /** Answers GET with the text and `end`, or with 304 if the client already has both. */
  answer(request: AppRequest, headers: Record<string, string>, end = ''): Answer {
    const etag = tagOf(end === '' ? this.#version : versionOf(this.#version + end));
    const type = { 'Content-Type': 'application/json; charset=utf-8', ...headers };
    const own = { ...type, ETag: etag, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
    return isFresh(request.headers, etag)
      ? { status: 304, headers: own }
      : { status: 200, headers: own, shared: this.#body(end) };
  }

  #body(end: string): SharedBody {
    const last = Buffer.from(end);
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(last, this.#checksum));
    trailer.writeUInt32LE(this.#plain.length + last.length, 4);
    return {
      plain: [this.#plain, last],
      gzip: [this.#compressed, Buffer.concat([deflateRawSync(last), trailer])],
    };
  }
}
