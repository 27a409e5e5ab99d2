import { Worker } from 'node:worker_threads';
import {
  type CompiledQuery,
  type DialectAdapter,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { CommerceError } from '../../kernel/errors.ts';
import { FairQueue } from '../../kernel/fair-queue.ts';
import { ownFile } from '../../kernel/files/own-file.ts';
import { driverOn } from '../open-driver.ts';
import type { Schema } from '../schema.ts';
import type { Db, Shortcuts } from '../storage.ts';

/** Maximum number of reading threads. One store can use all of them while no other asks. */
const maxThreads = 2;

/** Maximum waiting scans of one store. */
const maxWaiting = 200;
/** Maximum waiting scans of all stores. */
const maxWaitingOfAll = 1000;

/** Maximum time of a scan, waiting and running, in milliseconds each. */
const patience = 10_000;
const maxTime = 30_000;

/** Milliseconds after which an idle thread ends. */
const idle = 30_000;

/**
 * Runs reads whose cost grows with a store in separate threads, each with a connection and a snapshot, so that they do not block the
 * serving thread. Threads start on demand and end when idle.
 */
export class SqliteScans {
  readonly #file: string;
  readonly #turns = new FairQueue({ atOnce: maxThreads, maxWaiting, maxWaitingOfAll, patience });
  readonly #free: Scanner[] = [];
  readonly #all = new Set<Scanner>();
  #isClosed = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws CommerceError `unavailable` when too many scans wait, or this one takes too long */
  run<T>(storeId: string, work: (db: Db) => Promise<T>): Promise<T> {
    return this.#turns.run(storeId, () => this.#runInThread(work));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((scanner) => scanner.end()));
  }

  async #runInThread<T>(work: (db: Db) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new CommerceError('unavailable', 'the database is closed');
    const scanner = this.#free.pop() ?? this.#start();
    scanner.keep();
    try {
      return await scanner.scan(work);
    } finally {
      if (scanner.isAlive && !this.#isClosed) {
        this.#free.push(scanner);
        scanner.endWhenIdle(() => this.#free.splice(this.#free.indexOf(scanner), 1));
      }
    }
  }

  #start(): Scanner {
    const scanner = new Scanner(this.#file, () => {
      this.#all.delete(scanner);
      const place = this.#free.indexOf(scanner);
      if (place !== -1) this.#free.splice(place, 1);
    });
    this.#all.add(scanner);
    return scanner;
  }
}

interface Answer {
  rows?: unknown[];
  error?: { message: string; code?: string };
}

/** A thread, which runs one scan at a time. */
class Scanner {
  readonly #worker: Worker;
  readonly #db: Db;
  #pending: { resolve(rows: unknown[]): void; reject(error: unknown): void } | undefined;
  #idle: NodeJS.Timeout | undefined;
  isAlive = true;

  constructor(file: string, onEnd: () => void) {
    this.#worker = new Worker(ownFile({ name: 'scanner.js', beside: import.meta.url, of: '@commerce/core' }), {
      workerData: { file },
    });
    // A request waits for a running scan; a thread by itself does not keep the process alive.
    this.#worker.unref();
    this.#worker.on('message', (answer: Answer) => this.#settle(answer));
    this.#worker.on('error', (error) => this.#end(error, onEnd));
    this.#worker.on('exit', () => this.#end(new CommerceError('unavailable', 'the scan was ended'), onEnd));
    const adapter = Object.assign(new SqliteAdapter(), { run: (query) => this.#run(query) } satisfies Shortcuts);
    const connection = {
      executeQuery: <R>(query: CompiledQuery) => this.#run(query) as Promise<QueryResult<R>>,
      // biome-ignore lint/correctness/useYield: nothing here streams
      streamQuery: async function* (): AsyncGenerator<never> {
        throw new Error('a scan does not stream');
      },
    };
    this.#db = new Kysely<Schema>({
      dialect: {
        createDriver: () => driverOn(connection, () => new Error('a scan writes nothing')),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createAdapter: (): DialectAdapter => adapter,
        createIntrospector: (db) => new SqliteIntrospector(db),
      },
    });
  }

  async scan<T>(work: (db: Db) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        // SQLite's own work cannot be interrupted: the thread ends when the call returns, and another one replaces it.
        void this.end();
        reject(new CommerceError('unavailable', 'the list takes too long to read; try again'));
      }, maxTime);
    });
    try {
      return await Promise.race([this.#snapshot(work), tooLong]);
    } finally {
      clearTimeout(timer);
    }
  }

  keep(): void {
    clearTimeout(this.#idle);
  }

  endWhenIdle(onEnd: () => void): void {
    this.#idle = setTimeout(() => {
      onEnd();
      void this.end();
    }, idle).unref();
  }

  async end(): Promise<void> {
    this.isAlive = false;
    clearTimeout(this.#idle);
    await this.#worker.terminate();
  }

  async #snapshot<T>(work: (db: Db) => Promise<T>): Promise<T> {
    await this.#ask({ kind: 'begin' });
    try {
      return await work(this.#db);
    } finally {
      if (this.isAlive) await this.#ask({ kind: 'end' });
    }
  }

  async #run({ sql, parameters }: CompiledQuery): Promise<QueryResult<unknown>> {
    return { rows: await this.#ask({ kind: 'query', text: sql, parameters }) };
  }

  #ask(message: { kind: string; text?: string; parameters?: readonly unknown[] }): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      if (!this.isAlive) {
        reject(new CommerceError('unavailable', 'the scan was ended'));
        return;
      }
      this.#pending = { resolve, reject };
      this.#worker.postMessage(message);
    });
  }

  #settle({ rows, error }: Answer): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (error) pending?.reject(Object.assign(new Error(error.message), { code: error.code }));
    else pending?.resolve(rows ?? []);
  }

  #end(error: unknown, onEnd: () => void): void {
    this.isAlive = false;
    this.#pending?.reject(error);
    this.#pending = undefined;
    onEnd();
  }
}
