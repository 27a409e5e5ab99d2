import type { Database, Statement } from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteWriter } from './sqlite-writer.ts';

/**
 * Kysely's own SQLite dialect begins deferred transactions, which fail under contention in spite of a busy timeout,
 * prepares every statement anew and reads what is not yet committed. This one has a writer and a reader.
 */
export class SqliteDialect implements Dialect {
  readonly #writer: SqliteWriter;
  readonly #reading: StatementCache;
  readonly #writing: StatementCache;

  constructor(writer: SqliteWriter, reading: Database) {
    this.#writer = writer;
    this.#reading = new StatementCache(reading);
    this.#writing = new StatementCache(writer.connection);
  }

  createDriver(): Driver {
    const writer = this.#writer;
    const reading = this.#reading;
    const writing = this.#writing;
    return {
      init: async () => {},
      // Reads are synchronous on one connection, so nobody has to wait for it.
      acquireConnection: async () => new SqliteConnection(reading),
      async beginTransaction(connection) {
        await writer.begin();
        (connection as SqliteConnection).statements = writing;
      },
      async commitTransaction(connection) {
        (connection as SqliteConnection).statements = reading;
        await writer.commit();
      },
      async rollbackTransaction(connection) {
        // After a failed commit there is nothing left to roll back.
        if ((connection as SqliteConnection).statements === reading) return;
        (connection as SqliteConnection).statements = reading;
        await writer.rollback();
      },
      releaseConnection: async () => {},
      destroy: async () => {},
    };
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): SqliteAdapter {
    return new SqliteAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

class SqliteConnection implements DatabaseConnection {
  constructor(public statements: StatementCache) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.statements.get(query.sql);
    if (statement.reader) return { rows: statement.all(query.parameters) as R[] };
    const { changes } = statement.run(query.parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  // biome-ignore lint/correctness/useYield: better-sqlite3 answers whole; nothing here streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('the SQLite adapter does not stream');
  }
}

/** Prepared statements by their text; preparing one costs more than running most of them. */
class StatementCache {
  readonly #statements = new Map<string, Statement>();
  static readonly #most = 500;

  constructor(readonly connection: Database) {}

  get(text: string): Statement {
    const cached = this.#statements.get(text);
    if (cached) return cached;
    const statement = this.connection.prepare(text);
    if (this.#statements.size >= StatementCache.#most) {
      const [oldest] = this.#statements.keys();
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    this.#statements.set(text, statement);
    return statement;
  }
}
