import type { Duplex } from 'node:stream';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import type { Schema } from './schema.ts';
import type { Db, Shortcuts } from './storage.ts';

/** Texts of the statements that are prepared, with the names they have on every connection. */
const names = new Map<string, string>();

/** Has a statement prepared on each connection that runs it: planning it anew costs the server as much as carrying it out. */
export function prepareOnServer(text: string): void {
  if (!names.has(text)) names.set(text, `commerce_${names.size}`);
}

/** Runs a compiled query, by its name where it has one. */
export async function queryOn(
  client: Pick<pg.ClientBase, 'query'>,
  { sql, parameters }: CompiledQuery,
): Promise<QueryResult<unknown>> {
  const name = names.get(sql);
  const values = parameters as unknown[];
  const { command, rowCount, rows } = await (name === undefined
    ? client.query(sql, values)
    : client.query({ name, text: sql, values }));
  return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
}

/** A plan that was kept from before a column came or went; the connection has to be given up with it. */
export function isOutdatedPlan(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '0A000';
}

/**
 * Transactions on one connection. Statements are sent without waiting for the ones before: those whose answer nobody needs, BEGIN among
 * them, cost no round trip of their own.
 */
class TransactionConnection implements DatabaseConnection {
  readonly db: Db;
  readonly #client: pg.PoolClient;
  #sent: Promise<unknown>[] = [];
  #failure: { error: unknown } | undefined;
  #isCorked = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    const shortcuts: Shortcuts = {
      run: (query) => queryOn(this.#client, query),
      later: (query) => this.#send(() => queryOn(this.#client, query)),
      prepare: prepareOnServer,
    };
    this.db = new Kysely<Schema>({
      dialect: {
        createDriver: () => driverOf(this),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createAdapter: (): DialectAdapter => Object.assign(new PostgresAdapter(), shortcuts),
        createIntrospector: (db) => new PostgresIntrospector(db),
      },
    });
  }

  async run<T>(work: (db: Db) => Promise<T>): Promise<T> {
    this.#sent = [];
    this.#failure = undefined;
    this.#send(() => this.#client.query('begin'));
    let result: T;
    try {
      result = await work(this.db);
    } catch (error) {
      await Promise.all(this.#sent);
      await this.#client.query('rollback').catch(() => {});
      throw this.#reasonFor(error);
    }
    // Behind a statement that has failed, COMMIT rolls back: nothing of the transaction is left.
    const commit = this.#client.query('commit');
    await Promise.all([...this.#sent, commit.catch(() => {})]);
    const failure = this.#failure as { error: unknown } | undefined;
    if (failure) throw failure.error;
    const { command } = await commit;
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
    return result;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return (await queryOn(this.#client, query)) as QueryResult<R>;
  }

  // biome-ignore lint/correctness/useYield: nothing here streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('a transaction does not stream');
  }

  /** Sends a statement, together with those that follow it before anybody waits for an answer: each write is a system call. */
  #send(statement: () => Promise<unknown>): void {
    const { stream } = (this.#client as unknown as { connection: { stream: Duplex } }).connection;
    if (!this.#isCorked) {
      this.#isCorked = true;
      stream.cork();
      // After all that goes on without waiting for the database.
      process.nextTick(() => {
        this.#isCorked = false;
        stream.uncork();
      });
    }
    const sent = statement();
    this.#sent.push(
      sent.catch((error) => {
        this.#failure ??= { error };
      }),
    );
  }

  /** The failure that came first: behind it, every statement fails for being in an aborted transaction. */
  #reasonFor(error: unknown): unknown {
    return (error as { code?: unknown } | null)?.code === '25P02' && this.#failure ? this.#failure.error : error;
  }
}

const refuseTransaction = async () => {
  throw new Error('a transaction is open already');
};

function driverOf(connection: DatabaseConnection): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}

const connections = new WeakMap<pg.PoolClient, TransactionConnection>();

/** Runs work in a transaction on a connection of the pool. */
export async function transactionOn<T>(pool: pg.Pool, work: (db: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let connection = connections.get(client);
  if (!connection) {
    connection = new TransactionConnection(client);
    connections.set(client, connection);
  }
  let isOutdated = false;
  try {
    return await connection.run(work);
  } catch (error) {
    isOutdated = isOutdatedPlan(error);
    throw error;
  } finally {
    client.release(isOutdated);
  }
}
