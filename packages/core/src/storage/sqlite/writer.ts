import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import { CommerceError } from '../../kernel/errors.ts';

/** The transaction ended with others of its batch through no fault of its own. It left no trace and can run again. */
export class LostBatchError extends Error {
  override readonly name = 'LostBatchError';
}

/** True if another process holds the file's single write lock. */
export function isLockError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'));
}

function lost(cause?: unknown): LostBatchError {
  if (cause instanceof LostBatchError) return cause;
  return new LostBatchError('SQLite rolled the transaction back', cause === undefined ? {} : { cause });
}

/** Part of the storage that collects changes of a batch's members. */
export interface Finisher {
  /** Writes the collected changes. */
  write(): void;
  /** Drops the collected changes, because the batch is undone. */
  forget(): void;
}

function closedError(): CommerceError {
  return new CommerceError('unavailable', 'the database is closed');
}

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

const maxBatch = 64;
const maxTurns = 8;

/**
 * Runs transactions one after the other on the single writing connection. Transactions that are ready in the same turn of the event loop
 * are committed together. Each is a savepoint of one immediate transaction, and none returns before the commit is on disk. One fsync serves
 * every request that arrived in that time, and a lone request waits for nothing.
 */
export class SqliteWriter {
  readonly #queue: (() => void)[] = [];
  readonly #waiters: Waiter[] = [];
  readonly #lockTimeout: number;
  readonly #onCommit: () => void;
  /** Work that the open member and earlier ones left for the end of the batch. */
  #memberWork: (() => void)[] = [];
  #batchWork: (() => void)[] = [];
  readonly #finishers: Finisher[] = [];
  readonly #savepoint: Statement;
  readonly #release: Statement;
  readonly #mark: Statement;
  readonly #releaseMark: Statement;
  #busy = false;
  #open = false;
  #scheduled = false;
  #commitWhenFree = false;
  /** Number of the next transactions to commit one by one. */
  #alone = 0;
  #closed = false;
  /** Turns taken and not ended: transactions about to begin or end. */
  #turns = 0;
  #lastContention = 0;

  constructor(
    readonly connection: Database,
    lockTimeout: number,
    /** Called when a commit is on disk, before any transaction returns. */
    onCommit: () => void,
  ) {
    this.#lockTimeout = lockTimeout;
    this.#onCommit = onCommit;
    // BEGIN waits here only briefly; longer waits sleep in `#beginImmediate`, which leaves the event loop free.
    connection.pragma('busy_timeout = 2');
    this.#savepoint = connection.prepare('savepoint member');
    this.#release = connection.prepare('release member');
    this.#mark = connection.prepare('savepoint operation');
    this.#releaseMark = connection.prepare('release operation');
  }

  /** Announces transactions that a close has to wait for. @returns ends the announcement */
  takeTurn(): () => void {
    if (this.#closed) throw closedError();
    this.#turns++;
    return () => {
      this.#turns--;
    };
  }

  /**
   * Waits for its place and opens a transaction. Each successful `begin` must be followed by one `commit` or `rollback`.
   * @param isLong commits ready transactions first, because they would wait for this one's end
   */
  async begin(isLong = false): Promise<void> {
    if (this.#closed && this.#turns === 0) throw closedError();
    // Starts before the queue: queued transactions would otherwise each wait for the lock once per transaction ahead of them.
    const deadline = performance.now() + this.#lockTimeout;
    if (this.#busy) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#busy = true;
    if (isLong && this.#open) this.#commitBatch();
    try {
      if (!this.#open) {
        await this.#beginImmediate(deadline);
        this.#open = true;
      }
      this.#savepoint.run();
    } catch (error) {
      if (!this.#open) this.#next();
      else if (this.connection.inTransaction) this.#settleBatch();
      else this.#abandon(lost(error));
      throw error;
    }
  }

  /**
   * Does work in the open transaction just before the batch is committed, if it is cheaper once for many members. If it fails, the members
   * run again one by one.
   */
  atEndOfBatch(work: () => void): void {
    this.#memberWork.push(work);
  }

  /** Registers a part of the storage that writes at the end of every batch, after the work of its members. */
  beforeCommit(finisher: Finisher): void {
    this.#finishers.push(finisher);
  }

  /** Sets a mark in the open transaction; see `Storage`. */
  savepoint(): { release(): void; rollback(): void } {
    if (!this.connection.inTransaction) throw lost();
    this.#mark.run();
    const before = this.#memberWork.length;
    const release = () => {
      if (!this.connection.inTransaction) throw lost();
      this.#releaseMark.run();
    };
    return {
      release,
      rollback: () => {
        if (!this.connection.inTransaction) throw lost();
        this.#memberWork.length = before;
        this.connection.exec('rollback to operation');
        release();
      },
    };
  }

  /** Resolves when the transaction is durable. If it fails, nothing of the transaction is kept. */
  async commit(): Promise<void> {
    if (!this.connection.inTransaction) {
      // SQLite gave up the whole transaction (disk full, I/O error): nothing of the batch is kept.
      const error = lost();
      this.#abandon(error);
      throw error;
    }
    try {
      this.#release.run();
    } catch (error) {
      await this.rollback();
      throw error;
    }
    this.#batchWork.push(...this.#memberWork);
    this.#memberWork = [];
    const durable = new Promise<void>((resolve, reject) => this.#waiters.push({ resolve, reject }));
    this.#settleBatch();
    await durable;
  }

  /** Never fails: if the member cannot be undone by itself, the whole batch is undone. */
  async rollback(): Promise<void> {
    this.#memberWork = [];
    try {
      if (!this.connection.inTransaction) throw lost();
      this.connection.exec('rollback to member');
      this.#release.run();
    } catch (error) {
      this.#rollBackAll();
      this.#abandon(lost(error));
      return;
    }
    this.#settleBatch();
  }

  /** Waits for announced, open and queued transactions, and refuses new ones. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#busy || this.#open || this.#turns > 0) await sleep(1);
  }

  async #beginImmediate(deadline: number): Promise<void> {
    let pause = 1;
    // While other processes want the file too, leave a gap after each batch: SQLite's lock has no queue.
    if (performance.now() - this.#lastContention < 1000) await sleep(Math.random() * 2);
    for (;;) {
      try {
        // A transaction that could not be ended earlier.
        if (this.connection.inTransaction) this.connection.exec('rollback');
        this.connection.exec('begin immediate');
        return;
      } catch (error) {
        if (!isLockError(error)) throw error;
        this.#lastContention = performance.now();
        if (this.#lastContention > deadline) {
          throw new CommerceError('unavailable', 'the database is locked by another process', { cause: error });
        }
        await sleep(pause * (0.5 + Math.random()));
        pause = Math.min(pause * 1.5, 12);
      }
    }
  }

  /** After a member ended: commits a full batch at once, and any other when no further requests are ready to join it. */
  #settleBatch(): void {
    const alone = this.#alone > 0;
    if (alone) this.#alone--;
    if (alone || this.#commitWhenFree || this.#waiters.length >= maxBatch) this.#commitBatch();
    else if (!this.#scheduled) this.#commitAfterTurn(0, 0);
    this.#next();
  }

  /** Commits at the end of this turn of the event loop, or of a later one while each turn brings new members. */
  #commitAfterTurn(turns: number, members: number): void {
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#open) return;
      const joined = this.#waiters.length;
      // A member that waits for something outside the database keeps the batch open until it ends.
      if (this.#busy) this.#commitWhenFree = true;
      else if (joined > members && turns < maxTurns) this.#commitAfterTurn(turns + 1, joined);
      else this.#commitBatch();
    });
  }

  #commitBatch(): void {
    this.#commitWhenFree = false;
    this.#open = false;
    const members = this.#waiters.splice(0);
    const work = this.#batchWork;
    this.#batchWork = [];
    try {
      for (const one of work) one();
      for (const finisher of this.#finishers) finisher.write();
      this.connection.exec(members.length > 0 ? 'commit' : 'rollback');
    } catch (error) {
      for (const finisher of this.#finishers) finisher.forget();
      this.#rollBackAll();
      const [only] = members;
      if (only && members.length === 1) {
        only.reject(error);
        return;
      }
      // Each runs again with its own commit: only the faulty one then fails.
      this.#alone = members.length;
      const reason = new LostBatchError('the batch could not be committed', { cause: error });
      for (const member of members) member.reject(reason);
      return;
    }
    this.#onCommit();
    for (const member of members) member.resolve();
  }

  /** Releases the file's lock; if that fails, the next transaction does it or reports the error. */
  #rollBackAll(): void {
    try {
      if (this.connection.inTransaction) this.connection.exec('rollback');
    } catch {}
  }

  #abandon(error: LostBatchError): void {
    this.#commitWhenFree = false;
    this.#open = false;
    this.#memberWork = [];
    this.#batchWork = [];
    for (const member of this.#waiters.splice(0)) member.reject(error);
    this.#next();
  }

  #next(): void {
    this.#busy = false;
    const next = this.#queue.shift();
    if (next) {
      // The turn is handed over, so that no later caller can take it.
      this.#busy = true;
      next();
    }
  }
}
