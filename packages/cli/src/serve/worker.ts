import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type CommerceServer,
  createWorkerServer,
  type MetricsPeers,
  type ProcessMetrics,
  type WorkerOptions,
} from '@commerce/server';
import type { Command } from 'commander';
import { printError, tell as toldOf } from '../errors/tell.ts';
import { describeListenError } from './announce.ts';
import type { ToSupervisor, ToWorker } from './messages.ts';
import type { ServeOptions } from './options.ts';
import type { Place } from './place.ts';
import { openService, type Service } from './service.ts';

/** Milliseconds in which the other processes have to report their counts. */
const patience = 3000;

/** Serves as one of several processes, until the supervisor says stop or ends. */
export async function serveAsWorker(options: ServeOptions, command: Command, place: Place): Promise<void> {
  process.title = `commerce ${place.role}`;
  // The signals reach every process of a terminal or of a systemd unit; the supervisor decides the order in which they end.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});
  // Node:cluster ends a process whose supervisor was killed; no other process removes the folder then.
  process.once('exit', () => {
    if (place.role === 'writer' && !process.connected) removeFolder(place);
  });
  const worker = new Worker();
  process.on('message', (message: ToWorker) => worker.receive(message));
  try {
    await worker.serve(options, command, place);
  } catch (error) {
    end(describeListenError(error, options.host, place.port));
  }
}

class Worker implements MetricsPeers {
  #service: Service | undefined;
  #server: CommerceServer | undefined;
  #asked = 0;
  /** Open questions to the other processes. */
  readonly #questions = new Map<number, (others: ProcessMetrics[]) => void>();

  async serve(options: ServeOptions, command: Command, place: Place): Promise<void> {
    const isReader = place.role === 'reader';
    const publicUrl = options.publicUrl ?? place.url;
    this.#service = await openService(options, command, () => publicUrl, { isOneOfMany: true, isReader });
    const { commerce, server: settings } = this.#service;
    this.#server = createWorkerServer(
      commerce,
      isReader ? this.#forReader(settings, options, place) : forWriter(settings),
    );
    if (isReader) await this.#server.listen({ host: options.host, port: place.port });
    else {
      // Left by a writer that was killed.
      rmSync(place.socket, { force: true });
      await this.#server.listenAt(place.socket);
    }
    tell({ type: 'ready', location: commerce.engine.storage.location });
  }

  receive(message: ToWorker): void {
    switch (message.type) {
      case 'begin':
        this.#service?.begin().then((first) => tell({ type: 'begun', first }), end);
        break;
      case 'stop':
        this.#stop().then(() => process.exit(0), end);
        break;
      case 'count':
        // A process that cannot tell is not waited for longer than a process that does not answer.
        this.#server?.metricsOfProcess().then(
          (own) => tell({ type: 'count', id: message.id, own }),
          () => {},
        );
        break;
      case 'counted':
        this.#questions.get(message.id)?.(message.others);
    }
  }

  metricsOfOthers(own: ProcessMetrics): Promise<ProcessMetrics[]> {
    const id = ++this.#asked;
    return new Promise<ProcessMetrics[]>((resolve) => {
      const timer = setTimeout(resolve, patience, []);
      this.#questions.set(id, (others) => {
        clearTimeout(timer);
        resolve(others);
      });
      tell({ type: 'counted', id, own });
    }).finally(() => this.#questions.delete(id));
  }

  #forReader(settings: Service['server'], { maxConnections, workers }: ServeOptions, { socket }: Place): WorkerOptions {
    return { ...settings, writer: { socket }, peers: this, maxConnections: Math.ceil(maxConnections / workers) };
  }

  async #stop(): Promise<void> {
    await this.#server?.stop();
    await this.#service?.close();
  }
}

/** Readers log and count requests, and answer browsers; they open as many connections as they need. */
function forWriter({ cors: _, onRequest: __, ...settings }: Service['server']): WorkerOptions {
  return { ...settings, writer: true, maxConnections: Number.POSITIVE_INFINITY };
}

function removeFolder({ socket }: Place): void {
  rmSync(dirname(socket), { recursive: true, force: true });
}

function tell(message: ToSupervisor): void {
  // If no process listens, node:cluster ends this one.
  process.send?.(message, undefined, undefined, () => {});
}

/** Reports the error and ends; the open channel to the supervisor would keep the process alive. */
function end(error: unknown): never {
  const told = toldOf(error);
  printError(told, process.argv.includes('--json'));
  process.exit(told.exitCode);
}
