import type { Socket } from 'node:net';

/** Requests of one connection that may always wait for their turn. */
const maxWaiting = 16;
/** Requests of all connections that may wait for their turn; above it, a connection with more than its own is cut. */
const maxWaitingOfAll = 512;
/** Waiting requests of a connection from which on nothing more is read of it. */
const pauseAt = 8;

/** Request of a connection, started when those before it have been answered. */
export interface Turn {
  /** @param end to be called when the last byte of the answer has left, or none will */
  start(end: () => void): void;
  /** Called in place of `start` when the connection was closed before the turn. */
  abandon(): void;
}

/**
 * Requests of one connection, answered one after the other: a client that sends many at once and reads nothing costs one
 * answer, however many it asked for.
 */
class RequestLine {
  readonly #socket: Socket;
  readonly #count: WaitingCount;
  #waiting: Turn[] = [];
  /** Ends the present turn; undefined while there is none. */
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
 * Keeps node from parsing the rest of the bytes it has read of a closed connection: it would hold some thousand requests until the event
 * loop comes round.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: () => number } | null };
  // The parser takes this for a change of protocol, at which it stops.
  if (parser) parser.onIncoming = () => 2;
}

interface WaitingCount {
  waiting: number;
}

/** Lines of all connections of a server. */
export class RequestLines {
  readonly #lines = new WeakMap<Socket, RequestLine>();
  readonly #count: WaitingCount = { waiting: 0 };

  /**
   * Puts a request at the end of the line of its connection.
   * @returns the end of its turn, with which the caller starts it at once; undefined where it has to wait, or never starts
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
