import type { Database, Statement } from 'better-sqlite3';
import type { CommitNumber } from './sqlite-commits.ts';
import { StatementCache } from './sqlite-statements.ts';

/** Milliseconds in which the event loop cannot work on all that it takes from one look; that is a thousand events. */
const maxLook = 2;

/** Number of looks of the event loop at what has arrived; some releases of Node.js before 22.8 do not say it. */
function loopCount(): number {
  return performance.nodeTiming.uvMetricsInfo?.loopCount ?? Number.NaN;
}

/**
 * Reads on a connection of their own, which sees only what is committed. The reads of one turn of the event loop share a
 * snapshot: opening one takes locks on the file, which costs more than most reads. A commit of this process ends it, so
 * nobody misses a write that was answered before; so does one of another process, where others write.
 */
export class SqliteReader {
  readonly #statements: StatementCache;
  readonly #begin: Statement;
  readonly #end: Statement;
  readonly #commits: CommitNumber | undefined;
  /** Number of the last commit when the snapshot began, and when that was. */
  #commit = 0;
  #loop = Number.NaN;
  #beganAt = 0;
  /** Works that want to see one moment. */
  #holds = 0;
  #isEndScheduled = false;
  #isStuck = false;
  #snapshots = 0;

  /** @param commits of all processes, where others write to the file */
  constructor(
    readonly connection: Database,
    commits?: CommitNumber,
  ) {
    this.#commits = commits;
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
    if (this.#holds === 0) this.#refresh();
    // Asked of the connection itself: a read that failed (a damaged page, an I/O error) has ended the transaction.
    if (!this.connection.inTransaction) {
      if (this.#commits) {
        this.#commit = this.#commits.read();
        this.#loop = loopCount();
        this.#beganAt = performance.now();
      }
      this.#begin.run();
      this.#snapshots++;
      if (!this.#isEndScheduled) setImmediate(() => this.#endTurn());
      this.#isEndScheduled = true;
    }
    return this.#statements.get(text);
  }

  /**
   * Does work whose reads see one moment, as long as it waits for nothing else and this process does not commit: what another one commits
   * meanwhile is seen afterwards.
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

  /**
   * Ends the snapshot when another process has committed since it began. Not asked within one look of the event loop at what has arrived:
   * nothing of that was sent after the look. A loop that finds very much looks again, which takes longer than `maxLook`.
   */
  #refresh(): void {
    if (!this.#commits || !this.connection.inTransaction) return;
    if (loopCount() === this.#loop && performance.now() - this.#beganAt < maxLook) return;
    if (this.#commits.read() !== this.#commit) this.release();
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
