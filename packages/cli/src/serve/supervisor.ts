import cluster, { type Worker } from 'node:cluster';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listeningUrl } from '@commerce/core';
import type { ProcessMetrics } from '@commerce/server';
import { noteAddress } from './address-file.ts';
import { announce, describeListenError } from './announce.ts';
import { EndedCounts } from './ended-counts.ts';
import type { FirstStore, ToSupervisor, ToWorker } from './messages.ts';
import type { ServeOptions } from './options.ts';
import { type Place, placeInEnvironment } from './place.ts';

/** Consecutive failed starts after which a process is not started again. */
const maxQuickDeaths = 5;
/** A process that ends later than this has not failed at its start; milliseconds. */
const startTime = 1000;
/** Milliseconds before a process that failed at its start is started again; doubled after each further failure. */
const firstPause = 100;
/** Milliseconds in which the processes have to report their counts. */
const countPatience = 2000;
/** Milliseconds after which a stopping process is killed; it disconnects its own clients before. */
const stopPatience = 30_000;
/** Longest path of a socket in characters, with a margin. */
const maxPath = 100;

/**
 * Starts a process that writes and several that read, which share the port. Replaces a process that dies, and stops them on SIGTERM and
 * SIGINT. It answers no request and does not open the database, so that neither can crash it.
 */
export async function supervise(options: ServeOptions): Promise<void> {
  if (process.platform === 'win32')
    throw usageError('--workers above 1 requires Unix sockets, which Windows does not support');
  const { host } = options;
  const port = await findPort(host, options.port);
  const folder = makeFolder();
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const url = listeningUrl(host, port);
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const service = new Processes({ socket: join(folder, 'writer.sock'), port, url }, options.stopDelay);
  let signals = 0;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (++signals > 1) service.abort(1);
      else void service.stop();
    });
  }
  const { location, first } = await service.start(options.workers);
  process.on('exit', noteAddress(options.db, url));
  announce(options, url, location, first);
}

/** Process of the service, or its place during a replacement. */
interface Seat {
  readonly role: Place['role'];
  worker: Worker | undefined;
  isReady: boolean;
  quickDeaths: number;
  /** Its counts when it was last asked. */
  counted: ProcessMetrics | undefined;
}

type Message<Type extends ToSupervisor['type']> = Extract<ToSupervisor, { type: Type }>;

class Processes {
  readonly #place: Omit<Place, 'role'>;
  readonly #stopPatience: number;
  readonly #writer = newSeat('writer');
  readonly #readers: Seat[] = [];
  readonly #ended = new EndedCounts();
  /** Callbacks that wait for a message; each returns whether the message was the one. */
  readonly #waiting = new Set<(seat: Seat, message: ToSupervisor) => boolean>();
  #questions = 0;
  #hasStarted = false;
  #stopping: Promise<void> | undefined;

  constructor(place: Omit<Place, 'role'>, stopDelay: number) {
    this.#place = place;
    this.#stopPatience = stopPatience + stopDelay;
  }

  /** Starts the writer, which brings the database up to date, then the readers; resolves when all of them listen. */
  async start(readers: number): Promise<{ location: string; first: FirstStore | undefined }> {
    const writerReady = this.#next(this.#writer, 'ready');
    this.#fork(this.#writer);
    const { location } = await writerReady;
    this.#readers.push(...Array.from({ length: readers }, () => newSeat('reader')));
    const allReady = this.#readers.map((seat) => this.#next(seat, 'ready'));
    for (const seat of this.#readers) this.#fork(seat);
    await Promise.all(allReady);
    // After they listen: the key is shown only once, and a start that fails must not waste that.
    const begun = this.#next(this.#writer, 'begun');
    this.#hasStarted = true;
    if (this.#writer.isReady) this.#tell(this.#writer, { type: 'begin' });
    return { location, first: (await begun).first };
  }

  /** Lets the readers finish their answers, then the writer, and ends this process. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  /** Ends all processes at once. */
  abort(code: number): void {
    for (const { worker } of this.#seats) worker?.process.kill('SIGKILL');
    process.exit(code);
  }

  get #seats(): Seat[] {
    return [...this.#readers, this.#writer];
  }

  async #stopAll(code = 0): Promise<void> {
    const codes = [
      await Promise.all(this.#readers.map((seat) => this.#stopOne(seat))),
      await this.#stopOne(this.#writer),
    ];
    process.exit(codes.flat().every((one) => one === 0) ? code : code || 1);
  }

  #stopOne({ worker }: Seat): Promise<number | null> {
    if (!worker || worker.isDead()) return Promise.resolve(0);
    return new Promise((resolve) => {
      const killing = setTimeout(() => worker.process.kill('SIGKILL'), this.#stopPatience);
      worker.once('exit', (code: number | null) => {
        clearTimeout(killing);
        resolve(code);
      });
      worker.send({ type: 'stop' } satisfies ToWorker, () => {});
    });
  }

  #fork(seat: Seat): void {
    const worker = cluster.fork(placeInEnvironment({ ...this.#place, role: seat.role }));
    closeUndelivered(worker);
    let readyAt = Number.POSITIVE_INFINITY;
    seat.worker = worker;
    seat.isReady = false;
    worker.on('message', (message: ToSupervisor) => {
      if (message.type === 'ready') {
        readyAt = performance.now();
        seat.isReady = true;
        if (seat.role === 'writer' && this.#hasStarted) this.#tell(seat, { type: 'begin' });
      } else if (message.type === 'counted') void this.#count(seat, message);
      for (const wait of this.#waiting) if (wait(seat, message)) this.#waiting.delete(wait);
    });
    // A message to a process that has ended fails with this; its exit event says the rest.
    worker.on('error', () => {});
    worker.once('exit', (code: number | null, signal: string | null) => {
      seat.worker = undefined;
      seat.isReady = false;
      if (seat.counted) this.#ended.add(seat.counted);
      seat.counted = undefined;
      if (this.#stopping) return;
      // A process killed from outside after its start says nothing about the next one.
      const isQuick =
        readyAt === Number.POSITIVE_INFINITY || (signal === null && performance.now() - readyAt < startTime);
      seat.quickDeaths = isQuick ? seat.quickDeaths + 1 : 0;
      this.#replace(seat, signal ?? `exit code ${code}`, code);
    });
  }

  #replace(seat: Seat, how: string, code: number | null): void {
    // If one process reports an error at the first start, another one would fail, too.
    if (!this.#hasStarted && code !== null && code !== 0) {
      this.#stopping = this.#stopAll(code);
    } else if (seat.quickDeaths >= maxQuickDeaths) {
      process.stderr.write(
        `error: the ${seat.role} exited ${seat.quickDeaths} times in a row during its start, last with ${how}\n`,
      );
      this.#stopping = this.#stopAll(1);
    } else {
      const pause = seat.quickDeaths === 0 ? 0 : firstPause * 2 ** (seat.quickDeaths - 1);
      setTimeout(() => {
        if (!this.#stopping) this.#fork(seat);
      }, pause);
    }
  }

  #tell({ worker }: Seat, message: ToWorker): void {
    // A process that has just ended is replaced.
    if (worker?.isConnected()) worker.send(message, () => {});
  }

  /** The next message of a kind from a seat, even if its process was replaced. */
  #next<Type extends ToSupervisor['type']>(of: Seat, type: Type): Promise<Message<Type>> {
    return new Promise((resolve) => {
      this.#waiting.add((seat, message) => {
        if (seat !== of || message.type !== type) return false;
        resolve(message as Message<Type>);
        return true;
      });
    });
  }

  /** Sends a process the counts of all others, including ended ones. */
  async #count(asking: Seat, { id, own }: Message<'counted'>): Promise<void> {
    asking.counted = own;
    const question = ++this.#questions;
    const others = this.#seats.filter((seat) => seat !== asking && seat.isReady);
    const answers = others.map((seat) => this.#countOf(seat, question));
    const counted = (await Promise.all(answers)).filter((one) => one !== undefined);
    this.#tell(asking, { type: 'counted', id, others: [...counted, this.#ended.all] });
  }

  /** The counts of a process; its previous counts if it does not answer in time. */
  async #countOf(seat: Seat, id: number): Promise<ProcessMetrics | undefined> {
    let answer: ((own: ProcessMetrics) => void) | undefined;
    const answered = new Promise<ProcessMetrics>((resolve) => {
      answer = resolve;
    });
    const wait = (from: Seat, message: ToSupervisor) => {
      if (from !== seat || message.type !== 'count' || message.id !== id) return false;
      seat.counted = message.own;
      answer?.(message.own);
      return true;
    };
    this.#waiting.add(wait);
    this.#tell(seat, { type: 'count', id });
    const given = new AbortController();
    const late = sleep(countPatience, undefined, { signal: given.signal, ref: false }).catch(() => undefined);
    const own = await Promise.race([answered, late]);
    given.abort();
    this.#waiting.delete(wait);
    // Undefined if it has ended: then it is among the ended processes.
    return own ?? seat.counted;
  }
}

/** Connection in the form that node:cluster gives to a process. */
interface Connection {
  close(...args: unknown[]): void;
}

/**
 * Closes the connections that a process was given but had not accepted when it ended. node:cluster forgets them open, and their clients
 * would wait forever. It has no event for them, so they are recorded when they are sent.
 */
function closeUndelivered({ process: child }: Worker): void {
  const undelivered = new Set<Connection>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]) => {
    const [message, connection] = args as [{ act?: string }, Connection | undefined];
    if (message?.act === 'newconn' && connection) {
      undelivered.add(connection);
      // It is closed here once the process has accepted it; otherwise another process gets it.
      const close = connection.close.bind(connection);
      connection.close = (...rest) => {
        undelivered.delete(connection);
        close(...rest);
      };
    }
    return send(...args);
  };
  child.on('internalMessage', ({ accepted }: { accepted?: boolean }) => {
    // Another process has the connections that it refused. A process refuses when it stops, and accepts none afterwards.
    if (accepted === false) undelivered.clear();
  });
  child.once('exit', () => {
    for (const connection of undelivered) connection.close();
  });
}

function newSeat(role: Place['role']): Seat {
  return { role, worker: undefined, isReady: false, quickDeaths: 0, counted: undefined };
}

/** A free port if any would do; otherwise the given port, if it is usable. */
async function findPort(host: string, wanted: number): Promise<number> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port: wanted, exclusive: true }, resolve);
    });
  } catch (error) {
    throw describeListenError(error, host, wanted);
  }
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A folder that only this user can enter, with a path short enough for a socket in it. */
function makeFolder(): string {
  const parent = tmpdir();
  return mkdtempSync(join(parent.length > maxPath - 30 ? '/tmp' : parent, 'commerce-'));
}

function usageError(message: string): Error {
  return Object.assign(new Error(message), { code: 'USAGE' });
}
