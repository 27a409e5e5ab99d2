import type { Database, Statement } from 'better-sqlite3';
import type { CommitNumber } from './commits.ts';
import { StatementCache } from './statements.ts';

/** Milliseconds in which the event loop cannot process all events of one poll, which are up to a thousand. */
const maxLook = 2;

/** Number of polls of the event loop; some releases of Node.js before 22.8 do not tell it. */
function loopCount(): number {
  return performance.nodeTiming.uvMetricsInfo?.loopCount ?? Number.NaN;
}

/**
 * Reads on a separate connection, which sees only committed data. The reads of one turn of the event loop share a snapshot: opening one
 * takes locks on the file, which costs more than most reads. A commit of this process ends the snapshot, so a read never misses a write
 * that was answered before. So does a commit of another process.
 */
export class SqliteReader {
  readonly #statements: StatementCache;
  readonly #begin: Statement;
  readonly #end: Statement;
  readonly #commits: Pick<CommitNumber, 'read'>;
  /** Number of the last commit when the snapshot began. */
  #commit = 0;
  /** Number of the last commit when it was last looked at, and when that was. */
  #seen: number | undefined;
  #loop = Number.NaN;
  #seenAt = 0;
  /** Running works that need one snapshot. */
  #holds = 0;
  #isEndScheduled = false;
  #isStuck = false;
  #snapshots = 0;

  /** @param commits of all processes that write to the file */
  constructor(
    readonly connection: Database,
    commits: Pick<CommitNumber, 'read'>,
  ) {
    this.#commits = commits;
    this.#statements = new StatementCache(connection);
    this.#begin = connection.prepare('begin');
    this.#end = connection.prepare('commit');
  }

  /** The number of the snapshot that a read would use now. */
  get snapshot(): number {
    return this.connection.inTransaction ? this.#snapshots : this.#snapshots + 1;
  }

  /** True if nothing was read from a later snapshot. */
  isLatest(snapshot: number): boolean {
    return this.#snapshots <= snapshot;
  }

  /** Prepares a statement that can run at once. */
  prepare(text: string): Statement {
    if (this.#isStuck) {
      this.connection.exec('rollback');
      this.#isStuck = false;
    }
    if (this.#holds === 0) this.#refresh();
    // Asked of the connection itself: a failed read (a damaged page, an I/O error) has ended the transaction.
    if (!this.connection.inTransaction) {
      this.#commit = this.#look();
      this.#begin.run();
      this.#snapshots++;
      if (!this.#isEndScheduled) setImmediate(() => this.#endTurn());
      this.#isEndScheduled = true;
    }
    return this.#statements.get(text);
  }

  /**
   * Runs work on one snapshot. Holds only while the work waits for nothing else and this process does not commit; commits of another
   * process are seen afterwards.
   */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    if (this.#holds === 0) this.#refresh();
    this.#holds++;
    try {
      return await work();
    } finally {
      this.#holds--;
    }
  }

  /** The number of the last commit that a read sees now. */
  get lastCommit(): number {
    return this.#look();
  }

  /**
   * The number of the last commit, looked up once per poll of the event loop, because everything the poll found was sent before it. A loop
   * that finds very many events polls again, which takes longer than `maxLook`. During a work that needs one snapshot, the number stays
   * that of the snapshot.
   */
  #look(): number {
    if (this.#seen !== undefined) {
      if (this.#holds > 0 && this.connection.inTransaction) return this.#seen;
      if (loopCount() === this.#loop && performance.now() - this.#seenAt < maxLook) return this.#seen;
    }
    this.#loop = loopCount();
    this.#seenAt = performance.now();
    this.#seen = this.#commits.read();
    return this.#seen;
  }

  /** Ends the snapshot if another process has committed since it began. */
  #refresh(): void {
    if (this.connection.inTransaction && this.#look() !== this.#commit) this.release();
  }

  /** After a commit of this process: ends the snapshot, and what was seen of commits. */
  committed(): void {
    this.#seen = undefined;
    this.release();
  }

  /** Ends the snapshot; the next read sees everything committed by then. Never fails: the next read reports an error. */
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
