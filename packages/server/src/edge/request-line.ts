import type { Socket } from 'node:net';
import { FairQueue } from '@commerce/core';

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

/**
 * Requests of all connections of a server; those of one connection are answered one after the other. A client that sends many at once and
 * reads nothing costs only one answer.
 */
export class RequestLines {
  readonly #turns = new FairQueue<Socket>({ ofKey: 1 });
  /** Connections whose waiting requests are dropped when they close. */
  readonly #watched = new WeakSet<Socket>();

  /** Adds a request to the end of its connection's line, and starts it when its turn comes. */
  add(socket: Socket, request: Turn): void {
    if (socket.destroyed) {
      request.abandon();
      return;
    }
    const waiting = this.#turns.waitingOf(socket);
    if (waiting >= maxWaiting && this.#turns.waiting >= maxWaitingOfAll) {
      socket.destroy();
      stopParsing(socket);
      request.abandon();
      return;
    }
    const turn = this.#turns.enter(socket);
    if (!turn) {
      this.#start(socket, request);
      return;
    }
    if (waiting + 1 >= pauseAt) socket.pause();
    this.#dropAtClose(socket);
    turn.then(
      () => {
        if (this.#turns.waitingOf(socket) === pauseAt - 1) socket.resume();
        this.#start(socket, request);
      },
      () => request.abandon(),
    );
  }

  #start(socket: Socket, request: Turn): void {
    let isEnded = false;
    const end = () => {
      if (isEnded) return;
      isEnded = true;
      this.#turns.leave(socket);
    };
    if (socket.destroyed) {
      end();
      request.abandon();
    } else request.start(end);
  }

  #dropAtClose(socket: Socket): void {
    if (this.#watched.has(socket)) return;
    this.#watched.add(socket);
    socket.once('close', () => this.#turns.drop(socket));
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
