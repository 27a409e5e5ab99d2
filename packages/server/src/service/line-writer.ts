import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** Milliseconds that a line waits for others to be written with it. */
const delay = 50;
/** Maximum characters per write. */
const maxWrite = 64 * 1024;
/** Maximum characters per write if other processes write to the same pipe, which keeps no longer text in one piece. */
const maxShared = 4096;
/** Maximum waiting characters; further lines are dropped, because the stream is apparently not read. */
const maxWaiting = 1024 * 1024;
/** Milliseconds that a close waits for a reader. */
const closeGrace = 500;

/**
 * Writes lines to a stream without ever waiting for it. Lines are joined and written together; without a reader they are dropped and
 * counted. Only one write runs at a time: waiting lines are held here and bounded.
 */
export class LineWriter {
  readonly #stream: Writable & { fd?: number };
  readonly #droppedLine: (count: number) => string;
  readonly #isShared: boolean;
  #waiting = '';
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Write that the stream has not finished yet. */
  #writing: Promise<void> | undefined;
  #broken = false;

  /**
   * @param droppedLine the line that replaces dropped ones
   * @param isShared true if other processes write to the stream
   */
  constructor(stream: Writable & { fd?: number }, droppedLine: (count: number) => string, isShared = false) {
    this.#stream = stream;
    this.#droppedLine = droppedLine;
    this.#isShared = isShared;
    // A reader that left is not a reason to end, and it cannot be reported anywhere.
    stream.on('error', this.#onError);
    process.on('exit', this.#flushNow);
  }

  /** @param line without its end */
  write(line: string): void {
    if (this.#broken) return;
    if (this.#waiting.length + line.length > maxWaiting) {
      this.#dropped++;
      return;
    }
    this.#waiting += `${line}\n`;
    if (this.#writing) return;
    if (this.#waiting.length >= maxWrite) this.#send();
    else this.#timer ??= setTimeout(this.#send, delay).unref();
  }

  /** Writes the waiting lines, for at most half a second. */
  async close(): Promise<void> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#onError();
    }, closeGrace);
    while ((this.#waiting !== '' || this.#writing) && !late && !this.#broken) {
      this.#send();
      await Promise.race([this.#writing, new Promise((resolve) => setTimeout(resolve, closeGrace).unref())]);
    }
    clearTimeout(timer);
    clearTimeout(this.#timer);
    this.#broken = true;
    process.off('exit', this.#flushNow);
    this.#stream.off('error', this.#onError);
  }

  readonly #onError = () => {
    this.#broken = true;
    this.#waiting = '';
  };

  readonly #send = () => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing || this.#waiting === '') return;
    const text = this.#takeWaiting();
    this.#writing = this.#writeOut(text).then(() => {
      this.#writing = undefined;
      this.#send();
    });
  };

  async #writeOut(text: string): Promise<void> {
    for (const piece of this.#isShared ? piecesOf(text) : [text]) {
      await new Promise<void>((resolve) => this.#stream.write(piece, () => resolve()));
    }
  }

  #takeWaiting(): string {
    const dropped = this.#dropped > 0 ? `${this.#droppedLine(this.#dropped)}\n` : '';
    const text = this.#waiting + dropped;
    this.#waiting = '';
    this.#dropped = 0;
    return text;
  }

  /** Writes synchronously, because nothing else runs at an exit. */
  readonly #flushNow = () => {
    const { fd } = this.#stream;
    // A write still running means that the stream is not read, and part of a line can be out.
    if (fd === undefined || this.#writing || this.#waiting === '' || this.#broken) return;
    try {
      const text = this.#takeWaiting();
      for (const piece of this.#isShared ? piecesOf(text) : [text]) writeSync(fd, piece);
    } catch {
      // The pipe is full or closed.
    }
  };
}

/** Whole lines, up to the length that a pipe keeps together. */
function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const last = text.lastIndexOf('\n', start + maxShared - 1);
    // A longer line is written separately.
    const end = last >= start ? last + 1 : text.indexOf('\n', start) + 1;
    yield text.slice(start, end);
    start = end;
  }
}
