import type { Duplex } from 'node:stream';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import { driverOn } from '../open-driver.ts';
import type { Schema } from '../schema.ts';
import type { Db, OpenTransaction, Savepoint, Shortcuts } from '../storage.ts';
import { type Statement, together } from './together.ts';

/** Texts of the prepared statements, with their names on every connection. */
const names = new Map<string, string>();
/** Number of times that plans were found outdated. */
let generation = 0;

/** Prepares a statement on each connection that runs it: planning it each time costs the server as much as running it. */
export function prepareOnServer(text: string): void {
  if (!names.has(text)) names.set(text, `commerce_${generation}_${names.size}`);
}

/**
 * Prepares all statements again, under other names. When a newer program adds a column, every connection keeps outdated plans that fail.
 */
function leaveOutdated(name: string, text: string): void {
  if (names.get(text) !== name) return;
  generation++;
  const texts = [...names.keys()];
  names.clear();
  for (const one of texts) prepareOnServer(one);
}

/**
 * Runs a compiled query, by its name if it has one.
 * @param isNamed false if the server's side of the connection can differ with each transaction
 * @param isAlone true if it belongs to no transaction, so that it can be sent again
 */
export async function queryOn(
  client: Pick<pg.ClientBase, 'query'>,
  statement: Statement,
  isNamed: boolean,
  isAlone = false,
): Promise<QueryResult<unknown>> {
  const { sql, parameters } = statement;
  const name = isNamed ? names.get(sql) : undefined;
  const values = parameters as unknown[];
  try {
    const { command, rowCount, rows } = await (name === undefined
      ? client.query(sql, values)
      : client.query({ name, text: sql, values }));
    return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  } catch (error) {
    if (name === undefined || !isOutdatedPlan(error)) throw error;
    leaveOutdated(name, sql);
    if (!isAlone) throw error;
    return queryOn(client, statement, isNamed);
  }
}

/** True for a plan kept from before a column was added or dropped; its connection has to be given up. */
export function isOutdatedPlan(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '0A000';
}

/** How transactions of a database begin. */
export interface Opening {
  /** The text of one or several statements. */
  readonly begin: string;
  /** True if statements are prepared by name; the connection keeps the names. */
  readonly isNamed: boolean;
}

/**
 * Transactions on one connection, one after the other. Statements are sent without waiting for the previous ones: BEGIN, and others whose
 * answer is not needed, cost no round trip.
 */
class TransactionConnection implements DatabaseConnection, OpenTransaction {
  readonly db: Db;
  readonly #client: pg.PoolClient;
  readonly #opening: Opening;
  #sent: Promise<unknown>[] = [];
  /** Inserts sent with the next statement whose answer is awaited. */
  #held: CompiledQuery[] = [];
  #failure: { error: unknown } | undefined;
  #isCorked = false;
  #isOpen = false;

  constructor(client: pg.PoolClient, opening: Opening) {
    this.#client = client;
    this.#opening = opening;
    const shortcuts: Shortcuts = {
      run: (query) => this.#ask(query),
      later: (query) => this.#held.push(query),
      prepare: prepareOnServer,
    };
    this.db = new Kysely<Schema>({
      dialect: {
        createDriver: () => driverOn(this, transactionOpen),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createAdapter: (): DialectAdapter => Object.assign(new PostgresAdapter(), shortcuts),
        createIntrospector: (db) => new PostgresIntrospector(db),
      },
    });
  }

  begin(): this {
    this.#sent = [];
    this.#held = [];
    this.#failure = undefined;
    this.#isOpen = true;
    this.#send(() => this.#client.query(this.#opening.begin));
    return this;
  }

  async commit(): Promise<void> {
    this.#sendHeld();
    // After a failed statement, COMMIT rolls back: nothing of the transaction is kept.
    const commit = this.#client.query('commit');
    await Promise.all([...this.#sent, commit.catch(() => {})]);
    const failure = this.#failure as { error: unknown } | undefined;
    if (failure) throw failure.error;
    const { command } = await commit;
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
    this.#release(undefined);
  }

  async rollback(): Promise<void> {
    if (!this.#isOpen) return;
    await Promise.all(this.#sent);
    await this.#client.query('rollback').catch(() => {});
    this.#release(this.#failure?.error);
  }

  async savepoint(): Promise<Savepoint> {
    if (this.#failure) throw this.#failure.error;
    this.#sendHeld();
    this.#send(() => this.#client.query('savepoint operation'));
    return {
      release: async () => {
        this.#sendHeld();
        const release = this.#client.query('release savepoint operation');
        // After a failed statement this fails too, but the first error is reported.
        await Promise.all([this.#answered(), release.catch(() => {})]);
        const failure = this.#failure as { error: unknown } | undefined;
        if (failure) throw failure.error;
        await release;
      },
      rollback: async () => {
        this.#held = [];
        await this.#answered();
        await this.#client.query('rollback to savepoint operation');
        await this.#client.query('release savepoint operation');
        this.#failure = undefined;
      },
    };
  }

  async #answered(): Promise<void> {
    const sent = this.#sent;
    this.#sent = [];
    await Promise.all(sent);
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return (await this.#ask(query)) as QueryResult<R>;
  }

  // biome-ignore lint/correctness/useYield: nothing here streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('a transaction does not stream');
  }

  runOwn(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const { types } = pg;
    const own: Pick<pg.ClientBase, 'query'> = {
      query: ((text: string, values: unknown[]) =>
        this.#client.query({ text, values, types })) as pg.ClientBase['query'],
    };
    return this.#ask(query, () => queryOn(own, query, false));
  }

  async #ask(
    query: CompiledQuery,
    send = () => queryOn(this.#client, query, this.#opening.isNamed),
  ): Promise<QueryResult<unknown>> {
    if (!this.#isOpen) throw new Error('the transaction has ended');
    this.#sendHeld();
    try {
      return await send();
    } catch (error) {
      // After a failed statement, every other fails because the transaction is aborted.
      const isFollowing = (error as { code?: unknown } | null)?.code === '25P02';
      const failure = this.#failure as { error: unknown } | undefined;
      if (isFollowing && failure) throw failure.error;
      this.#failure ??= { error };
      throw error;
    }
  }

  #sendHeld(): void {
    if (this.#held.length === 0) return;
    const held = this.#held;
    this.#held = [];
    const { isNamed } = this.#opening;
    for (const statement of together(held, prepareOnServer)) {
      this.#send(() => queryOn(this.#client, statement, isNamed));
    }
  }

  /** Sends a statement together with the following ones, up to the first awaited answer: each write is a system call. */
  #send(statement: () => Promise<unknown>): void {
    const { stream } = (this.#client as unknown as { connection: { stream: Duplex } }).connection;
    if (!this.#isCorked) {
      this.#isCorked = true;
      stream.cork();
      // After all work that does not wait for the database.
      process.nextTick(() => {
        this.#isCorked = false;
        stream.uncork();
      });
    }
    this.#sent.push(
      statement().catch((error) => {
        this.#failure ??= { error };
      }),
    );
  }

  #release(error: unknown): void {
    this.#isOpen = false;
    this.#client.release(isOutdatedPlan(error));
  }
}

const transactionOpen = () => new Error('a transaction is already open');

const connections = new WeakMap<pg.PoolClient, TransactionConnection>();

/** Opens a transaction on a connection of the pool; all its transactions begin alike. */
export async function beginOn(pool: Pick<pg.Pool, 'connect'>, opening: Opening): Promise<OpenTransaction> {
  const client = await pool.connect();
  let connection = connections.get(client);
  if (!connection) {
    connection = new TransactionConnection(client, opening);
    connections.set(client, connection);
  }
  return connection.begin();
}
