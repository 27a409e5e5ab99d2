import type { Socket } from 'node:net';

/** Requests that a connection may always have waiting for their turn. */
const maxWaiting = 16;
/** Requests of all connections that may wait for their turn; above it, a connection that has more than its own is cut. */
const maxWaitingOfAll = 512;
/** From so many waiting on, nothing more is read of the connection. */
const pauseAt = 8;

/** A request of a connection, worked on when those before it have been answered. */
export interface Turn {
  /** @param end is to be called when the last byte of the answer has left, or none will */
  start(end: () => void): void;
  /** The connection was closed before it was the request's turn. */
  abandon(): void;
}

/**
 * The requests of one connection, worked on one after the other: a client that sends many at once and reads nothing costs one
 * answer, however many it asked for.
 */
class RequestLine {
  readonly #socket: Socket;
  readonly #count: WaitingCount;
  #waiting: Turn[] = [];
  /** What ends the present turn; undefined while there is none. */
  #end: (() => void) | undefined;

  constructor(socket: Socket, count: WaitingCount) {
    this.#socket = socket;
    this.#count = count;
    socket.once('close', () => this.#close());
  }

  add(turn: Turn): void {
    if (this.#socket.destroyed) turn.abandon();
    else if (!this.#end) this.#start(turn);
    else if (this.#waiting.length >= maxWaiting && this.#count.waiting >= maxWaitingOfAll) {
      this.#socket.destroy();
      stopParsing(this.#socket);
      turn.abandon();
    } else {
      this.#waiting.push(turn);
      this.#count.waiting++;
      if (this.#waiting.length >= pauseAt) this.#socket.pause();
    }
  }

  #start(turn: Turn): void {
    const end = () => {
      if (this.#end !== end) return;
      this.#end = undefined;
      this.#next();
    };
    this.#end = end;
    turn.start(end);
  }

  #next(): void {
    if (this.#socket.destroyed) return;
    const next = this.#waiting.shift();
    if (next) {
      this.#count.waiting--;
      if (this.#waiting.length === pauseAt - 1) this.#socket.resume();
      this.#start(next);
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
 * Keeps node from making requests of the rest of what it has read of a closed connection: it would hold them, some thousand of them,
 * until the event loop comes round.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: () => number } | null };
  // The parser's sign for what follows being another protocol, at which it stops.
  if (parser) parser.onIncoming = () => 2;
}

interface WaitingCount {
  waiting: number;
}

/** The lines of all connections of a server. */
export class RequestLines {
  readonly #lines = new WeakMap<Socket, RequestLine>();
  readonly #count: WaitingCount = { waiting: 0 };

  /** Puts a request at the end of the line of its connection; it starts at once where none is before it. */
  add(socket: Socket, turn: Turn): void {
    let line = this.#lines.get(socket);
    if (!line) {
      line = new RequestLine(socket, this.#count);
      this.#lines.set(socket, line);
    }
    line.add(turn);
  }
}
