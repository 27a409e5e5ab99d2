import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** Milliseconds a line waits for others to be written with it. */
const delay = 50;
/** Characters written at once. */
const maxWrite = 64 * 1024;
/** Characters written at once where other processes write to the same pipe, which keeps no longer text in one piece. */
const maxShared = 4096;
/** Characters that may wait; lines beyond are dropped, since nobody seems to read. */
const maxWaiting = 1024 * 1024;
/** Milliseconds a close waits for a reader. */
const closeGrace = 500;

/**
 * Writes lines to a stream without ever waiting for it: lines are joined and written together, and dropped and counted while
 * nobody reads them. One write is under way at a time, so waiting lines are held here, where they can be bounded.
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
   * @param droppedLine the line in place of those that were dropped
   * @param isShared whether other processes write to the stream
   */
  constructor(stream: Writable & { fd?: number }, droppedLine: (count: number) => string, isShared = false) {
    this.#stream = stream;
    this.#droppedLine = droppedLine;
    this.#isShared = isShared;
    // A reader that went away is no reason to end, and there is nobody to tell.
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

  /** Writes synchronously, since nothing else happens at an exit. */
  readonly #flushNow = () => {
    const { fd } = this.#stream;
    // A write still under way means that nobody reads, and part of a line may be out.
    if (fd === undefined || this.#writing || this.#waiting === '' || this.#broken) return;
    try {
      const text = this.#takeWaiting();
      for (const piece of this.#isShared ? piecesOf(text) : [text]) writeSync(fd, piece);
    } catch {
      // A pipe that is full or closed.
    }
  };
}

/** Whole lines, as many at a time as a pipe keeps together. */
function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const last = text.lastIndexOf('\n', start + maxShared - 1);
    // A line that is longer than that goes out alone.
    const end = last >= start ? last + 1 : text.indexOf('\n', start) + 1;
    yield text.slice(start, end);
    start = end;
  }
}
