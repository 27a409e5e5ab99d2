import { promisify } from 'node:util';
import { brotliCompress, constants, gzip as gzipCallback } from 'node:zlib';
import type { Coding, KeptText } from '../http.ts';

const gzip = promisify(gzipCallback);
const brotli = promisify(brotliCompress);

/** Minimum length of a text that is compressed: shorter ones fit into two packets anyway. */
export const minCompressed = 2048;

/** Compresses a text off the main thread. */
export const compressors: Readonly<Record<Coding, (text: string | Buffer) => Promise<Buffer>>> = {
  gzip: (text) => gzip(text, { level: 4 }),
  br: (text) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

/** The body of an answer that is sent repeatedly: encoded once, and compressed once in each coding that a client asks for. */
export class KeptBody implements KeptText {
  readonly plain: Buffer;
  readonly #onGrown: (bytes: number) => void;
  readonly #forms = new Map<Coding, Buffer | Promise<Buffer>>();

  /** @param onGrown called with the bytes of each compressed form */
  constructor(text: string, onGrown: (bytes: number) => void) {
    this.plain = Buffer.from(text);
    this.#onGrown = onGrown;
  }

  in(coding: Coding): Buffer | Promise<Buffer> {
    const known = this.#forms.get(coding);
    if (known) return known;
    const making = compressors[coding](this.plain).then((form) => {
      this.#forms.set(coding, form);
      this.#onGrown(form.length);
      return form;
    });
    this.#forms.set(coding, making);
    return making;
  }
}
