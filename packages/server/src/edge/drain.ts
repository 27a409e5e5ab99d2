import type { Server as HttpServer } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Exchange } from './exchange.ts';

/** Milliseconds without a request after which a kept-alive connection counts as idle; a busy client has sent its next request by then. */
const lull = 400;

/** Milliseconds between two checks of the connections. */
const interval = 20;

/** Milliseconds that a stop waits for running requests. */
const grace = 15_000;

/**
 * Ends a server without cutting off clients. It accepts no new connections, and each open one gets `Connection: close` with its next
 * answer. A connection is closed without an answer only after it was silent for a while. Node's own `close()` closes connections that are
 * idle at that moment, which includes a busy client's between an answer and its next request.
 */
export class Drain {
  readonly #http: HttpServer;
  readonly #connections: ReadonlyMap<Socket, Exchange | undefined>;
  /** Time when a connection was last seen busy. */
  readonly #busyAt = new WeakMap<Socket, number>();
  #ended: Promise<void> | undefined;

  /** @param connections every open one, with its last request */
  constructor(http: HttpServer, connections: ReadonlyMap<Socket, Exchange | undefined>) {
    this.#http = http;
    this.#connections = connections;
    http.prependListener('request', (_request, response) => {
      if (this.#ended) response.shouldKeepAlive = false;
    });
  }

  /** Ends the server; resolves when its last connection is closed. Can be called again. */
  end(): Promise<void> {
    this.#ended ??= this.#drain();
    return this.#ended;
  }

  async #drain(): Promise<void> {
    // Stop listening first: a client told to reconnect must not reach this server again.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(this.#http, () => resolve()));
    const now = performance.now();
    for (const [socket, last] of this.#connections) {
      this.#busyAt.set(socket, now);
      if (last && !last.response.headersSent) last.response.shouldKeepAlive = false;
    }
    // Checks after processing the input that has arrived: a busy process notices late that a connection was not silent. Closing it on a
    // request causes an error that a proxy cannot repeat.
    const looking = setInterval(() => setImmediate(() => this.#closeSilent()), interval);
    const cutting = setTimeout(() => this.#http.closeAllConnections(), grace);
    await closed;
    clearInterval(looking);
    clearTimeout(cutting);
    // Ends Node's timer that checks connections; no connections are left to close.
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
