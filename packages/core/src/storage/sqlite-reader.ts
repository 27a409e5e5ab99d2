import type { Database, Statement } from 'better-sqlite3';
import { StatementCache } from './sqlite-statements.ts';

/**
 * Reads on a connection of their own, which sees only what is committed. The reads of one turn of the event loop share a
 * snapshot: opening one takes locks on the file, which costs more than most reads. A commit of this process ends it, so
 * nobody misses a write that was answered before. Where other processes write, whose commits this one does not see, the
 * snapshot ends with the event that began it: what comes with the next one may have been sent after such a write was answered.
 */
export class SqliteReader {
  readonly #statements: StatementCache;
  readonly #begin: Statement;
  readonly #end: Statement;
  readonly #schedule: (end: () => void) => void;
  #isEndScheduled = false;
  #isStuck = false;
  #snapshots = 0;

  /** @param otherWriters whether other processes write to the file */
  constructor(
    readonly connection: Database,
    otherWriters = false,
  ) {
    this.#schedule = otherWriters ? afterEvent : setImmediate;
    this.#statements = new StatementCache(connection);
    this.#begin = connection.prepare('begin');
    this.#end = connection.prepare('commit');
  }

  /** The number of the snapshot that a read would see now. */
  get snapshot(): number {
    return this.connection.inTransaction ? this.#snapshots : this.#snapshots + 1;
  }

  /** Whether nothing was read of a later snapshot than that. */
  isLatest(snapshot: number): boolean {
    return this.#snapshots <= snapshot;
  }

  /** The statement, to be run at once. */
  prepare(text: string): Statement {
    if (this.#isStuck) {
      this.connection.exec('rollback');
      this.#isStuck = false;
    }
    // Asked of the connection itself: a read that failed (a damaged page, an I/O error) has ended the transaction.
    if (!this.connection.inTransaction) {
      this.#begin.run();
      this.#snapshots++;
      if (!this.#isEndScheduled) this.#schedule(() => this.#endTurn());
      this.#isEndScheduled = true;
    }
    return this.#statements.get(text);
  }

  /** Ends the snapshot; the next read sees what is committed by then. Never fails: what cannot be ended is told to the next read. */
  release(): void {
    try {
      if (this.connection.inTransaction) this.#end.run();
    } catch {
      this.#isStuck = this.connection.inTransaction;
    }
  }

  close(): void {
    this.release();
    this.connection.close();
  }

  #endTurn(): void {
    this.#isEndScheduled = false;
    this.release();
  }
}

/** Calls a function when the present event has been worked on, with every promise that it has settled. */
function afterEvent(work: () => void): void {
  // The queue of ticks comes after the whole queue of promises when it grows out of that one.
  queueMicrotask(() => process.nextTick(work));
}
