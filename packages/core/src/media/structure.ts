import type { FileHandle } from 'node:fs/promises';
import { maxScans } from '../kernel/limits.ts';
import type { ImageFormat } from './formats.ts';

/** Facts from the blocks of a file, read without decoding a pixel. */
export interface Structure {
  /** False if the file ends within a block. Bytes after the last block are ignored. */
  whole: boolean;
  /** Number of frames; counting stops one above the given limit. */
  frames: number;
  /** Passes of a decoder over the whole picture; counting stops above the limit. */
  scans: number;
  /** The claimed display size, for formats whose decoder does not report it. */
  canvas?: { width: number; height: number };
}

interface PartialStructure {
  whole: boolean;
  frames: number;
  scans?: number;
  canvas?: { width: number; height: number };
}

/**
 * Walks through the blocks of an image. Decoders report the number of frames too late, after reading each, and accept some truncated files.
 */
export async function readStructure(file: FileHandle, format: ImageFormat, maxFrames: number): Promise<Structure> {
  return { scans: 1, ...(await walk[format](new Bytes(file), maxFrames)) };
}

const walk: Readonly<Record<ImageFormat, (bytes: Bytes, maxFrames: number) => Promise<PartialStructure>>> = {
  jpeg: walkJpeg,
  png: walkPng,
  webp: walkWebp,
  gif: walkGif,
};

/**
 * Segments, each introduced by FF and a code, up to the end of the image. After a scan's start come its coded bytes, in which FF is
 * followed by 00, by a restart or by another FF. A decoder that has all pixels ignores the rest.
 */
async function walkJpeg(bytes: Bytes): Promise<PartialStructure> {
  let scans = 0;
  const cut = () => ({ whole: false, frames: 1, scans });
  bytes.skip(2);
  while (scans <= maxScans) {
    // Any number of FF can precede a code.
    if (!(bytes.skipToHere(0xff) || (await bytes.skipTo(0xff)))) return cut();
    if (!(bytes.skipRunHere(0xff) || (await bytes.skipRun(0xff)))) return cut();
    const code = bytes.byte(0);
    if (code === 0xd9) return { whole: true, frames: 1, scans };
    if (code <= 0x01 || (code >= 0xd0 && code <= 0xd8)) {
      bytes.skip(1);
      continue;
    }
    if (code === 0xda) scans++;
    const head = bytes.peek(3) ?? (await bytes.load(3));
    if (!head) return cut();
    bytes.skip(1 + head.readUInt16BE(1));
  }
  return { whole: true, frames: 1, scans };
}

/** Chunks of length, type, data and checksum, up to IEND. An animated one has an fcTL for each frame. */
async function walkPng(bytes: Bytes, maxFrames: number): Promise<PartialStructure> {
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
async function walkWebp(bytes: Bytes, maxFrames: number): Promise<PartialStructure> {
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
    // Requires the last byte of the chunk; many programs omit the padding after the last chunk.
    bytes.skip(8 + length - 1);
    if (!(bytes.peek(1) ?? (await bytes.load(1)))) return { whole: false, frames };
    bytes.skip(1 + (length % 2));
  }
  return { whole: true, frames: Math.max(frames, 1) };
}

/** Blocks of sub-blocks of up to 255 bytes, each list ended by an empty one, up to the trailer. */
async function walkGif(bytes: Bytes, maxFrames: number): Promise<PartialStructure> {
  let frames = 0;
  const screen = await bytes.load(13);
  if (!screen) return { whole: false, frames };
  const canvas = { width: screen.readUInt16LE(6), height: screen.readUInt16LE(8) };
  bytes.skip(13 + colourTable(screen[10] ?? 0));
  while (frames <= maxFrames) {
    const head = bytes.peek(10) ?? (await bytes.load(10)) ?? bytes.peek(1) ?? (await bytes.load(1));
    const kind = head?.[0];
    if (kind === 0x3b) return { whole: frames > 0, frames, canvas };
    if (kind === 0x21) {
      // Extension and label.
      bytes.skip(2);
    } else if (kind === 0x2c && head?.length === 10) {
      frames++;
      canvas.width = Math.max(canvas.width, head.readUInt16LE(1) + head.readUInt16LE(5));
      canvas.height = Math.max(canvas.height, head.readUInt16LE(3) + head.readUInt16LE(7));
      // Position, colours, and first code size of the frame.
      bytes.skip(10 + colourTable(head[9] ?? 0) + 1);
    } else if (kind === 0) {
      // Some programs write one empty sub-block too many.
      bytes.skip(1);
      continue;
    } else {
      return { whole: false, frames, canvas };
    }
    for (let length = -1; length !== 0; ) {
      if (bytes.byte(0) === -1 && !(await bytes.load(1))) return { whole: false, frames, canvas };
      length = bytes.byte(0);
      bytes.skip(1 + length);
    }
  }
  return { whole: true, frames, canvas };
}

function colourTable(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

const windowSize = 64 * 1024;

/**
 * A file read from front to back through a small window. `peek` is synchronous: a file of ten million one-byte blocks would otherwise
 * create as many promises and block all requests.
 */
class Bytes {
  readonly #file: FileHandle;
  readonly #window = Buffer.allocUnsafe(windowSize);
  #start = 0;
  #length = 0;
  /** Offset of the next bytes in the file. */
  at = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** The next bytes, if they are in the window. */
  peek(n: number): Buffer | undefined {
    const from = this.at - this.#start;
    return from >= 0 && from + n <= this.#length ? this.#window.subarray(from, from + n) : undefined;
  }

  /** The next bytes; undefined if the file has fewer. */
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

  /** The byte at a distance, if it is in the window; -1 otherwise. */
  byte(ahead: number): number {
    const at = this.at - this.#start + ahead;
    return at >= 0 && at < this.#length ? (this.#window[at] as number) : -1;
  }

  /** Moves to the next byte with that value in the window, which can be the current one; false if the window has none. */
  skipToHere(value: number): boolean {
    const from = this.at - this.#start;
    if (from < 0 || from >= this.#length) return false;
    const index = this.#window.indexOf(value, from);
    const isHere = index !== -1 && index < this.#length;
    this.at = this.#start + (isHere ? index : this.#length);
    return isHere;
  }

  /** Like `skipToHere`, through the whole file. */
  async skipTo(value: number): Promise<boolean> {
    while (!this.skipToHere(value)) if (!(await this.load(1))) return false;
    return true;
  }

  /** Moves to the next byte with another value in the window, which can be the current one; false if the window has none. */
  skipRunHere(value: number): boolean {
    let at = this.at - this.#start;
    if (at < 0) return false;
    while (at < this.#length && this.#window[at] === value) at++;
    this.at = Math.max(this.at, this.#start + at);
    return at < this.#length;
  }

  /** Like `skipRunHere`, through the whole file. */
  async skipRun(value: number): Promise<boolean> {
    while (!this.skipRunHere(value)) if (!(await this.load(1))) return false;
    return true;
  }
}
