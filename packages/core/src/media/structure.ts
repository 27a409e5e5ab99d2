import type { FileHandle } from 'node:fs/promises';
import type { ImageFormat } from './formats.ts';

/** What the blocks of a file say, read without decoding a pixel. */
export interface Structure {
  /** False when the file ends before its last block does. What follows the last block is not looked at. */
  whole: boolean;
  /** Pictures in it; the count ends one above the limit that was given. */
  frames: number;
}

/**
 * Walks through the blocks of an image. Decoders say too late how many frames there are, after they have looked at each,
 * and forgive some files that were cut off.
 */
export async function readStructure(file: FileHandle, format: ImageFormat, maxFrames: number): Promise<Structure> {
  const bytes = new Bytes(file);
  switch (format) {
    case 'jpeg':
      return walkJpeg(bytes);
    case 'png':
      return walkPng(bytes, maxFrames);
    case 'webp':
      return walkWebp(bytes, maxFrames);
    case 'gif':
      return walkGif(bytes, maxFrames);
  }
}

/**
 * Segments, each begun by FF and a code, up to the end of the image. After the start of a scan come its coded bytes, in which
 * FF is followed by 00, by a restart or by another FF; a decoder that has all pixels does not ask for the rest.
 */
async function walkJpeg(bytes: Bytes): Promise<Structure> {
  const cut = { whole: false, frames: 1 };
  bytes.skip(2);
  for (;;) {
    if (!(await bytes.skipTo(0xff))) return cut;
    const head = bytes.peek(4) ?? (await bytes.load(4)) ?? bytes.peek(2) ?? (await bytes.load(2));
    const code = head?.[1];
    if (head === undefined || code === undefined) return cut;
    if (code === 0xd9) return { whole: true, frames: 1 };
    if (code === 0xff) bytes.skip(1);
    else if (code <= 0x01 || (code >= 0xd0 && code <= 0xd8)) bytes.skip(2);
    else if (head.length === 4) bytes.skip(2 + head.readUInt16BE(2));
    else return cut;
  }
}

/** Chunks of length, type, data and checksum, up to IEND. An animated one has an fcTL for each frame. */
async function walkPng(bytes: Bytes, maxFrames: number): Promise<Structure> {
  let frames = 0;
  bytes.skip(8);
  while (frames <= maxFrames) {
    const head = bytes.peek(8) ?? (await bytes.load(8));
    if (!head) return { whole: false, frames };
    const type = head.toString('latin1', 4, 8);
    if (type === 'fcTL') frames++;
    bytes.skip(8 + head.readUInt32BE(0));
    const checksum = bytes.peek(4) ?? (await bytes.load(4));
    if (!checksum) return { whole: false, frames };
    if (type === 'IEND') return { whole: true, frames: Math.max(frames, 1) };
    bytes.skip(4);
  }
  return { whole: true, frames };
}

/** RIFF: chunks of type, length and data, padded to even lengths. An animation has an ANMF for each frame. */
async function walkWebp(bytes: Bytes, maxFrames: number): Promise<Structure> {
  let frames = 0;
  const riff = await bytes.load(12);
  if (!riff) return { whole: false, frames };
  const end = riff.readUInt32LE(4) + 8;
  bytes.skip(12);
  while (frames <= maxFrames && bytes.at < end) {
    const head = bytes.peek(8) ?? (await bytes.load(8));
    if (!head) return { whole: false, frames };
    if (head.toString('latin1', 0, 4) === 'ANMF') frames++;
    const length = head.readUInt32LE(4);
    // The last byte of the chunk, which must be there; the padding after the last chunk is often forgotten.
    bytes.skip(8 + length - 1);
    if (!(bytes.peek(1) ?? (await bytes.load(1)))) return { whole: false, frames };
    bytes.skip(1 + (length % 2));
  }
  return { whole: true, frames: Math.max(frames, 1) };
}

/** Blocks made of sub-blocks of at most 255 bytes, each list of them ended by an empty one, up to the trailer. */
async function walkGif(bytes: Bytes, maxFrames: number): Promise<Structure> {
  let frames = 0;
  const screen = await bytes.load(13);
  if (!screen) return { whole: false, frames };
  bytes.skip(13 + colourTable(screen[10] ?? 0));
  while (frames <= maxFrames) {
    const head = bytes.peek(10) ?? (await bytes.load(10)) ?? bytes.peek(1) ?? (await bytes.load(1));
    const kind = head?.[0];
    if (kind === 0x3b) return { whole: frames > 0, frames };
    if (kind === 0x21) {
      // An extension and its label.
      bytes.skip(2);
    } else if (kind === 0x2c && head?.length === 10) {
      frames++;
      // The frame's place, its colours, and the first code size.
      bytes.skip(10 + colourTable(head[9] ?? 0) + 1);
    } else if (kind === 0) {
      // Some programs write one empty sub-block too many.
      bytes.skip(1);
      continue;
    } else {
      return { whole: false, frames };
    }
    for (let length = -1; length !== 0; ) {
      const [next] = bytes.peek(1) ?? (await bytes.load(1)) ?? [];
      if (next === undefined) return { whole: false, frames };
      length = next;
      bytes.skip(1 + length);
    }
  }
  return { whole: true, frames };
}

function colourTable(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

const windowSize = 64 * 1024;

/**
 * A file read from front to back through a small window. `peek` does not wait: a file of ten million one-byte blocks would
 * otherwise hold everybody up with as many promises.
 */
class Bytes {
  readonly #file: FileHandle;
  readonly #window = Buffer.allocUnsafe(windowSize);
  #start = 0;
  #length = 0;
  /** Where the next bytes are. */
  at = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** The next bytes, if they are in the window. */
  peek(n: number): Buffer | undefined {
    const from = this.at - this.#start;
    return from >= 0 && from + n <= this.#length ? this.#window.subarray(from, from + n) : undefined;
  }

  /** The next bytes; undefined where the file has not as many. */
  async load(n: number): Promise<Buffer | undefined> {
    this.#start = this.at;
    this.#length = 0;
    while (this.#length < n) {
      const room = windowSize - this.#length;
      const { bytesRead } = await this.#file.read(this.#window, this.#length, room, this.#start + this.#length);
      if (bytesRead === 0) return undefined;
      this.#length += bytesRead;
    }
    return this.peek(n);
  }

  skip(n: number): void {
    this.at += n;
  }

  /** Goes on to the next byte of that value, which may be this one; false where there is none. */
  async skipTo(value: number): Promise<boolean> {
    for (;;) {
      const from = this.at - this.#start;
      const found = from >= 0 && from < this.#length ? this.#window.subarray(0, this.#length).indexOf(value, from) : -1;
      if (found !== -1) {
        this.at = this.#start + found;
        return true;
      }
      if (from >= 0 && from < this.#length) this.at = this.#start + this.#length;
      if (!(await this.load(1))) return false;
    }
  }
}
