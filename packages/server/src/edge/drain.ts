import type { Server as HttpServer } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Exchange } from './exchange.ts';

/** Milliseconds without a request after which a kept-alive connection counts as idle: one that is in use has sent its next by then. */
const lull = 200;

/** How often connections are looked at meanwhile. */
const interval = 20;

/** How long a stop waits for requests under way. */
const grace = 15_000;

/**
 * Ends a server without breaking off what its clients are about to say: no new connections, each open one is told with its next
 * answer that it ends, and closed without one only when it has been silent for a while. Node's own `close()` closes those that
 * are idle at that moment, of which a busy client's is one, between an answer and its next request.
 */
export class Drain {
  readonly #http: HttpServer;
  readonly #connections: ReadonlyMap<Socket, Exchange | undefined>;
  /** When a connection was last seen busy. */
  readonly #busyAt = new WeakMap<Socket, number>();
  #ended: Promise<void> | undefined;

  /** @param connections every open one, with the last request that came on it */
  constructor(http: HttpServer, connections: ReadonlyMap<Socket, Exchange | undefined>) {
    this.#http = http;
    this.#connections = connections;
    http.prependListener('request', (_request, response) => {
      if (this.#ended) response.shouldKeepAlive = false;
    });
  }

  /** Ends the server; resolves when its last connection is closed. May be called again. */
  end(): Promise<void> {
    this.#ended ??= this.#drain();
    return this.#ended;
  }

  async #drain(): Promise<void> {
    // First of all: who is told to come again must not find this server once more.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(this.#http, () => resolve()));
    const now = performance.now();
    for (const [socket, last] of this.#connections) {
      this.#busyAt.set(socket, now);
      if (last && !last.response.headersSent) last.response.shouldKeepAlive = false;
    }
    // Behind what has arrived meanwhile: a busy process finds out late that a connection was not silent, and what it closes over a
    // request is an error that a proxy cannot repeat.
    const looking = setInterval(() => setImmediate(() => this.#closeSilent()), interval);
    const cutting = setTimeout(() => this.#http.closeAllConnections(), grace);
    await closed;
    clearInterval(looking);
    clearTimeout(cutting);
    // Ends what Node checks connections with; there is nothing left to close.
    this.#http.close();
  }

  #closeSilent(): void {
    const now = performance.now();
    for (const [socket, last] of this.#connections) {
      const isBusy = last !== undefined && !last.response.closed;
      if (isBusy) this.#busyAt.set(socket, now);
      else if (!this.#busyAt.has(socket)) this.#busyAt.set(socket, now);
      else if (now - (this.#busyAt.get(socket) ?? now) >= lull) socket.destroy();
    }
  }
}
