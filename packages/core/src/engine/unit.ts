import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import { CommerceError, invalid, quote } from '../kernel/errors.ts';
import { wholeKind } from '../kernel/parse.ts';
import { type NoTables, ownSql } from '../storage/own-sql.ts';
import { around } from '../storage/run.ts';
import type { Db, OpenTransaction, Storage } from '../storage/storage.ts';
import type { Context, EndWriter, Engine, TxContext, Unit } from './context.ts';
import { addPending } from './per-transaction.ts';
import { transact } from './transaction.ts';

/** Limits of a transaction of several operations. */
export interface TransactionOptions {
  /**
   * Maximum duration in milliseconds, from 1 to 5,000, which is the default. Until it ends, SQLite blocks all other writers; PostgreSQL
   * blocks writers of the same rows.
   */
  timeout?: number;
  /** Maximum number of changing operations, from 1 to 1,000; 100 by default. */
  maxOperations?: number;
}

/**
 * The context of the operations of a transaction.
 * @typeParam Own tables of the application, as Kysely has them: `interface Own { notes: { id: number; text: string } }`
 */
export interface TransactionContext<Own = NoTables> extends Context {
  /**
   * A Kysely instance for tables of the application. Its queries are part of the transaction, and run one after another with the
   * operations. It ends with the transaction. A query that fails ends the transaction, even if its error is caught: PostgreSQL does not continue after one. Tables of Commerce can change with each version, and
   * a change of them has no event and no audit entry: use operations for them.
   */
  readonly sql: Kysely<Own>;
}

const maxTimeout = 5000;
const maxOfAll = 1000;
const defaultOperations = 100;

/**
 * Runs several operations as one transaction; see `Commerce.transaction`. It uses the transaction of `transact`, with a savepoint for each
 * operation. Events, audit entries and counts of an operation are added to the whole once it has succeeded.
 */
export async function transaction<T, Own = NoTables>(
  ctx: Context,
  work: (ctx: TransactionContext<Own>) => Promise<T>,
  { timeout = maxTimeout, maxOperations = defaultOperations }: TransactionOptions = {},
): Promise<T> {
  const bounds = {
    timeout: bounded('timeout', timeout, maxTimeout),
    maxOperations: bounded('maxOperations', maxOperations, maxOfAll),
  };
  if (ctx.engine.unit) throw misused('a transaction is already open: pass its context on instead of opening another');
  let deadline: number | undefined;
  let unit: OpenUnit | undefined;
  // The limit covers all runs.
  const result = await transact(
    ctx,
    async (tx, opened) => {
      deadline ??= performance.now() + bounds.timeout;
      unit = new OpenUnit(tx, opened, bounds);
      return unit.run(work, deadline);
    },
    {},
    true,
  );
  unit?.committed(ctx.engine);
  return result;
}

/** Rolls a rehearsal back, with its result. */
class Rehearsed<T> extends Error {
  override readonly name = 'Rehearsed';
  readonly result: T;

  constructor(result: T) {
    super('a rehearsal is rolled back');
    this.result = result;
  }
}

/**
 * Runs operations like `transaction`, and rolls everything back: they check and answer what they would, and leave nothing behind. No provider
 * is asked, and nothing is sent or told.
 * @throws everything that `work` throws
 */
export async function rehearse<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  try {
    return await transaction(ctx, async (inside): Promise<never> => {
      const engine: Engine = { ...inside.engine, unit: { isRehearsal: true, afterCommit: () => {} } };
      throw new Rehearsed(await work({ ...inside, engine }));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.result;
    throw error;
  }
}

function bounded(field: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw invalid(field, `must be a whole number from 1 to ${max}, not ${quote(value)}`, {
    code: wholeKind(1, max).codeOf?.(value),
    limits: { min: 1, max },
  });
}

function misused(message: string): CommerceError {
  return new CommerceError('conflict', message);
}

/** A running transaction of several operations. */
class OpenUnit implements Unit {
  readonly #tx: TxContext;
  readonly #transaction: OpenTransaction;
  readonly #bounds: Required<TransactionOptions>;
  readonly #outside: Storage;
  readonly #afterCommit: ((engine: Engine) => void)[] = [];
  /** Reads and operations that have begun and not ended. */
  readonly #underWay = new Set<Promise<unknown>>();
  /** End of the previous operation. Operations run one after another, even if the application does not await them. */
  #before: Promise<void> = Promise.resolve();
  #operations = 0;
  #isOpen = true;
  /** The error because of which the transaction must be rolled back. */
  #loss: { error: unknown } | undefined;

  constructor(tx: TxContext, transaction: OpenTransaction, bounds: Required<TransactionOptions>) {
    this.#tx = tx;
    this.#transaction = transaction;
    this.#bounds = bounds;
    this.#outside = tx.engine.storage;
  }

  afterCommit(work: (engine: Engine) => void): void {
    this.#afterCommit.push(work);
  }

  /** Runs the work that waits for the commit, with the engine outside. */
  committed(engine: Engine): void {
    for (const work of this.#afterCommit) work(engine);
  }

  /** Runs the application's callback until `deadline`. When this ends, nothing is running in the transaction. */
  async run<T, Own>(work: (ctx: TransactionContext<Own>) => Promise<T>, deadline: number): Promise<T> {
    const { once: _, db: _db, now, pending: _pending, ...ctx } = this.#tx;
    const engine: Engine = {
      ...ctx.engine,
      storage: this.#storage(),
      // The one time of the whole transaction.
      clock: { now: () => now },
      endWriters: [this.#collector()],
      unit: this,
    };
    const outside = this.#outside;
    const isOpen = () => this.#isOpen;
    const sql = ownSql<Own>(this.#tx.db, (query) => this.#runOwn(query));
    const inside = {
      get storage() {
        return isOpen() ? outside : undefined;
      },
    };
    try {
      const working = () => around.run(inside, async () => work({ ...ctx, engine, sql }));
      const result = await withinTime(working, deadline, this.#bounds.timeout);
      if (this.#underWay.size > 0) {
        throw misused(
          'an operation of the transaction is still running: await each operation before the callback returns',
        );
      }
      if (this.#loss) throw this.#loss.error;
      return result;
    } catch (error) {
      // The error that made the database abort the transaction is the cause of the later ones.
      throw this.#loss?.error ?? error;
    } finally {
      this.#isOpen = false;
      await Promise.allSettled(this.#underWay);
    }
  }

  /** Counts an operation, and merges the data that it has collected once it has succeeded. */
  #collector(): EndWriter {
    return {
      write: async (tx) => {
        const { store, actor } = this.#tx;
        if (tx.store.id !== store.id || tx.actor !== actor) {
          throw misused('every operation of a transaction must have the same store and the same actor');
        }
        if (++this.#operations > this.#bounds.maxOperations) {
          const { maxOperations } = this.#bounds;
          throw misused(
            `a transaction can have at most ${maxOperations} operations (maxOperations, up to ${maxOfAll})`,
          );
        }
      },
      locksNothing: false,
      committed: (tx) => {
        addPending(this.#tx, tx);
        return undefined;
      },
    };
  }

  /** The storage as the operations see it: they read and write in this transaction. */
  #storage(): Storage {
    const unit = this;
    const outside = this.#outside;
    const refuse = (what: string) => async (): Promise<never> => {
      throw misused(
        `${what} cannot be part of a transaction of several operations: run it before or after the transaction`,
      );
    };
    return {
      ...outside,
      get db() {
        return unit.#db();
      },
      get reads() {
        return unit.#db();
      },
      during: (reads) => unit.#during(reads),
      begin: () => unit.#beginOperation(),
      snapshot: (work) => unit.#during((async () => work(unit.#db()))()),
      scan: refuse('a read of very many rows'),
      oneMoment: refuse('a read of everything'),
      takeTurn: async () => () => {},
      // Reads use the transaction's connection.
      readTurns: undefined,
      // The whole transaction is aborted and run again.
      isTransient: () => false,
      isUnavailable: (error) => outside.isUnavailable(error) || outside.isTransient(error),
    };
  }

  #db(): Db {
    this.#check();
    return this.#tx.db;
  }

  #check(): void {
    if (!this.#isOpen) throw misused('the transaction has ended: use its context only in its callback');
    if (this.#loss) throw misused('the database aborted the transaction; no further operations are possible');
  }

  #during<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    const ended = () => void this.#underWay.delete(work);
    work.then(ended, ended);
    return work;
  }

  /** Waits for the previous operation or query. @returns ends this one */
  async #turn(): Promise<() => void> {
    const before = this.#before;
    let end = () => {};
    this.#before = new Promise((resolve) => {
      end = resolve;
    });
    this.#during(this.#before);
    await before;
    return end;
  }

  /** Runs a query of the application. */
  async #runOwn(query: CompiledQuery): Promise<QueryResult<unknown>> {
    this.#check();
    const end = await this.#turn();
    try {
      this.#check();
      return await this.#orLost(this.#transaction.runOwn(query));
    } finally {
      end();
    }
  }

  async #beginOperation(): Promise<OpenTransaction> {
    this.#check();
    const end = await this.#turn();
    try {
      this.#check();
      const mark = await this.#orLost(this.#transaction.savepoint());
      return {
        db: this.#tx.db,
        runOwn: this.#refuseOwn,
        // If this fails, the operation is rolled back, and that ends it.
        commit: () => mark.release().then(end),
        rollback: async (cause) => {
          try {
            if (this.#outside.isTransient(cause)) this.#loss ??= { error: cause };
            if (!this.#loss) await this.#orLost(mark.rollback());
          } finally {
            end();
          }
        },
        savepoint: this.#refuseMark,
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  readonly #refuseMark = async (): Promise<never> => {
    throw new Error('an operation cannot have savepoints of its own');
  };

  readonly #refuseOwn = async (): Promise<never> => {
    throw new Error('an operation has no queries of the application');
  };

  async #orLost<T>(step: Promise<T>): Promise<T> {
    try {
      return await step;
    } catch (error) {
      this.#loss ??= { error };
      throw error;
    }
  }
}

/** @throws CommerceError `unavailable` if the work takes longer */
async function withinTime<T>(work: () => Promise<T>, deadline: number, timeout: number): Promise<T> {
  const left = deadline - performance.now();
  const tooLong = new CommerceError(
    'unavailable',
    `the transaction took longer than ${timeout} ms and was rolled back`,
  );
  // This is a further run, and no time is left for it.
  if (left <= 0) throw tooLong;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLong), left);
  });
  try {
    return await Promise.race([work(), over]);
  } finally {
    clearTimeout(timer);
  }
}
