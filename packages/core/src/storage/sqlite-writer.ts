import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import { CommerceError } from '../errors.ts';

/** The transaction ended with others of its batch for a fault that was not its own; it left no trace and may run again. */
export class LostBatchError extends Error {
  override readonly name = 'LostBatchError';
}

/** Another process holds the file's one write lock. */
export function isLockError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'));
}

function lost(cause?: unknown): LostBatchError {
  if (cause instanceof LostBatchError) return cause;
  return new LostBatchError('SQLite rolled the transaction back', cause === undefined ? {} : { cause });
}

/** Part of the storage that collects what the members of a batch change. */
export interface Finisher {
  /** Writes what was collected. */
  write(): void;
  /** Drops it, since the batch is undone. */
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
 * Runs transactions on the one connection that writes, one after the other, and commits those that are ready in the same
 * turn of the event loop together: each is a savepoint of one immediate transaction, and none of them returns before
 * the commit is on disk. So one fsync serves every request that arrived meanwhile, and a lone request waits for nothing.
 */
export class SqliteWriter {
  readonly #queue: (() => void)[] = [];
  readonly #waiters: Waiter[] = [];
  readonly #lockTimeout: number;
  readonly #onCommit: () => void;
  /** What the open member and the members before it left to do at the end of the batch. */
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
  /** How many of the next transactions are committed one by one. */
  #alone = 0;
  #closed = false;
  /** Turns taken and not ended: transactions that are about to begin, or to end. */
  #turns = 0;
  #lastContention = 0;

  constructor(
    readonly connection: Database,
    lockTimeout: number,
    /** Called when a commit is on disk, before anyone hears of it. */
    onCommit: () => void,
  ) {
    this.#lockTimeout = lockTimeout;
    this.#onCommit = onCommit;
    // BEGIN waits here only for a moment; longer waits sleep in `#beginImmediate`, where the event loop stays free.
    connection.pragma('busy_timeout = 2');
    this.#savepoint = connection.prepare('savepoint member');
    this.#release = connection.prepare('release member');
    this.#mark = connection.prepare('savepoint operation');
    this.#releaseMark = connection.prepare('release operation');
  }

  /** Announces transactions, for which a close waits from now on. @returns ends the announcement */
  takeTurn(): () => void {
    if (this.#closed) throw closedError();
    this.#turns++;
    return () => {
      this.#turns--;
    };
  }

  /**
   * Waits for its place and opens a transaction. Each `begin` that returns is followed by one `commit` or `rollback`.
   * @param isLong commits those that are ready before: they would wait for its end
   */
  async begin(isLong = false): Promise<void> {
    if (this.#closed && this.#turns === 0) throw closedError();
    // Counted from here: those who queue would otherwise wait for the lock once for each one before them.
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
   * Does something in the open transaction, but only when the batch is about to be committed: what is cheaper done once
   * for many members. If it fails, the members run again one by one.
   */
  atEndOfBatch(work: () => void): void {
    this.#memberWork.push(work);
  }

  /** Has a part of the storage write at the end of every batch, after the work of its members. */
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

  /** Resolves when the transaction is durable. Where it fails, nothing of the transaction is left. */
  async commit(): Promise<void> {
    if (!this.connection.inTransaction) {
      // SQLite gave up the whole transaction (disk full, I/O error): nothing of the batch is left.
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

  /** Never fails: what cannot be undone alone takes the whole batch with it. */
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

  /** Waits for the transactions that are announced, open or queued and refuses new ones. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#busy || this.#open || this.#turns > 0) await sleep(1);
  }

  async #beginImmediate(deadline: number): Promise<void> {
    let pause = 1;
    // While other processes want the file too, leave them a gap after each batch: SQLite's lock knows no queue.
    if (performance.now() - this.#lastContention < 1000) await sleep(Math.random() * 2);
    for (;;) {
      try {
        // One that could not be ended when it should have been.
        if (this.connection.inTransaction) this.connection.exec('rollback');
        this.connection.exec('begin immediate');
        return;
      } catch (error) {
        if (!isLockError(error)) throw error;
        this.#lastContention = performance.now();
        if (this.#lastContention > deadline) {
          throw new CommerceError('unavailable', 'the database stays locked by another process', { cause: error });
        }
        await sleep(pause * (0.5 + Math.random()));
        pause = Math.min(pause * 1.5, 12);
      }
    }
  }

  /** After a member ended: commits a full batch at once, any other when no more requests are ready to join it. */
  #settleBatch(): void {
    const alone = this.#alone > 0;
    if (alone) this.#alone--;
    if (alone || this.#commitWhenFree || this.#waiters.length >= maxBatch) this.#commitBatch();
    else if (!this.#scheduled) this.#commitAfterTurn(0, 0);
    this.#next();
  }

  /** Commits at the end of this turn of the event loop or, while each turn brings new members, of a later one. */
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
      // Each runs again and is committed alone, so that only the one that cannot be written fails.
      this.#alone = members.length;
      const reason = new LostBatchError('the batch could not be committed', { cause: error });
      for (const member of members) member.reject(reason);
      return;
    }
    this.#onCommit();
    for (const member of members) member.resolve();
  }

  /** Lets go of the file's lock; where that fails, the next transaction does it, or is told. */
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
      // The turn is handed over, not opened to whoever comes first.
      this.#busy = true;
      next();
    }
  }
}
