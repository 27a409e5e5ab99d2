import { Worker } from 'node:worker_threads';
import type { Database, Statement } from 'better-sqlite3';
import { findOwnFile } from '../../kernel/files/own-file.ts';

/**
 * The log is copied into the file after this many rows and commits, because a page written by several commits is then copied once. After
 * four times as many rows it is copied in any case.
 */
const minRows = 4000;
const minCommits = 8;
const maxRows = 4 * minRows;

/** Milliseconds without writes after which the thread ends. */
const idle = 2000;

/**
 * Copies the log of a SQLite file into the file (a checkpoint) in a separate thread. A checkpoint writes and flushes thousands of pages,
 * which would block the serving thread. That thread only copies the commits made in the meantime; then the log starts over.
 */
export class SqliteCheckpoints {
  readonly #file: string;
  readonly #connection: Database;
  readonly #changes: Statement;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Rows that the connection had written at the last copy. */
  #copied = 0;
  /** Commits since then. */
  #commits = 0;
  #isCopying = false;
  /** True when the thread has copied everything but the commits made during its work. */
  #isRestDue = false;
  #isClosed = false;

  /** @param connection the one that writes */
  constructor(file: string, connection: Database) {
    this.#file = file;
    this.#connection = connection;
    this.#changes = connection.prepare('select total_changes()').pluck();
    // Copied at once at this length if the thread fails or does not keep up: 64 MB.
    connection.pragma('wal_autocheckpoint = 16000');
  }

  /** Called after each commit, before the next transaction. */
  committed(): void {
    if (this.#isRestDue) this.#copyRest();
    if (this.#isCopying || this.#isClosed) return;
    this.#commits++;
    const written = this.#changes.get() as number;
    const rows = written - this.#copied;
    if (rows < minRows || (rows < maxRows && this.#commits < minCommits)) return;
    this.#copied = written;
    this.#commits = 0;
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    if (!this.#worker) return;
    this.#isCopying = true;
    this.#worker.postMessage('copy');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  /** Undefined if the program is missing, which a bundler can have left behind: then SQLite copies the log by itself. */
  #start(): Worker | undefined {
    const program = findOwnFile({ name: 'checkpointer.js', beside: import.meta.url, of: '@commerce/core' });
    if (program === undefined) return undefined;
    const worker = new Worker(program, { workerData: { file: this.#file } });
    // A thread by itself does not keep the process alive.
    worker.unref();
    worker.on('message', () => {
      this.#isCopying = false;
      this.#isRestDue = true;
      this.#idle = setTimeout(() => void worker.terminate(), idle).unref();
    });
    // The next copy starts another thread; until then SQLite copies a log that has grown too long by itself.
    worker.on('error', () => {});
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#isCopying = false;
    });
    return worker;
  }

  /** Copies the rest, so that the next commit restarts the log. */
  #copyRest(): void {
    this.#isRestDue = false;
    try {
      this.#connection.pragma('wal_checkpoint(passive)');
    } catch {
      // Nothing is lost: the log keeps uncopied pages, and the next commit reports a failing disk.
    }
  }
}
