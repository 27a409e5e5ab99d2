import type { Socket } from 'node:net';

/** Requests of one connection that can always wait for their turn. */
const maxWaiting = 16;
/** Waiting requests of all connections; above it, a connection that exceeds its own limit is cut. */
const maxWaitingOfAll = 512;
/** Number of waiting requests from which reading from the connection pauses. */
const pauseAt = 8;

/** Request of a connection, started when the previous ones have been answered. */
export interface Turn {
  /** @param end call it when the last byte of the answer has left, or none will */
  start(end: () => void): void;
  /** Called instead of `start` if the connection was closed before the turn. */
  abandon(): void;
}

/** Requests of one connection, answered one after the other. A client that sends many at once and reads nothing costs only one answer. */
class RequestLine {
  readonly #socket: Socket;
  readonly #count: WaitingCount;
  #waiting: Turn[] = [];
  /** Ends the current turn; undefined if there is none. */
  #end: (() => void) | undefined;

  constructor(socket: Socket, count: WaitingCount) {
    this.#socket = socket;
    this.#count = count;
    socket.once('close', () => this.#close());
  }

  add(turn: Turn): (() => void) | undefined {
    if (this.#socket.destroyed) turn.abandon();
    else if (!this.#end) return this.#open();
    else if (this.#waiting.length >= maxWaiting && this.#count.waiting >= maxWaitingOfAll) {
      this.#socket.destroy();
      stopParsing(this.#socket);
      turn.abandon();
    } else {
      this.#waiting.push(turn);
      this.#count.waiting++;
      if (this.#waiting.length >= pauseAt) this.#socket.pause();
    }
    return undefined;
  }

  /** Opens a turn. @returns ends it, and starts the next one */
  #open(): () => void {
    const end = () => {
      if (this.#end !== end) return;
      this.#end = undefined;
      this.#next();
    };
    this.#end = end;
    return end;
  }

  #next(): void {
    if (this.#socket.destroyed) return;
    const next = this.#waiting.shift();
    if (next) {
      this.#count.waiting--;
      if (this.#waiting.length === pauseAt - 1) this.#socket.resume();
      next.start(this.#open());
    }
  }

  #close(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#count.waiting -= waiting.length;
    this.#end?.();
    for (const turn of waiting) turn.abandon();
  }
}

/**
 * Stops node from parsing the rest of the bytes it has read from a closed connection. It would otherwise hold thousands of requests until
 * the next turn of the event loop.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: () => number } | null };
  // The parser takes this for a change of protocol, and stops.
  if (parser) parser.onIncoming = () => 2;
}

interface WaitingCount {
  waiting: number;
}

/** Request lines of all connections of a server. */
export class RequestLines {
  readonly #lines = new WeakMap<Socket, RequestLine>();
  readonly #count: WaitingCount = { waiting: 0 };

  /**
   * Adds a request to the end of its connection's line.
   * @returns the end of its turn, with which the caller starts it at once; undefined if it has to wait, or never starts
   */
  add(socket: Socket, turn: Turn): (() => void) | undefined {
    let line = this.#lines.get(socket);
    if (!line) {
      line = new RequestLine(socket, this.#count);
      this.#lines.set(socket, line);
    }
    return line.add(turn);
  }
}
