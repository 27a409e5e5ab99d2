import type { Statement } from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SingleWriter } from './locks.ts';
import type { DirectConnection, DirectReads } from './prepared.ts';
import type { SqliteReader } from './sqlite-reader.ts';
import { StatementCache } from './sqlite-statements.ts';
import type { SqliteWriter } from './sqlite-writer.ts';

/**
 * Kysely's own SQLite dialect begins deferred transactions, which fail under contention in spite of a busy timeout,
 * prepares every statement anew and reads what is not yet committed. This one has a writer and a reader.
 */
export class SqliteDialect implements Dialect {
  readonly #writer: SqliteWriter;
  readonly #reader: SqliteReader;

  constructor(writer: SqliteWriter, reader: SqliteReader) {
    this.#writer = writer;
    this.#reader = reader;
  }

  createDriver(): Driver {
    const writer = this.#writer;
    const reading = (text: string) => this.#reader.prepare(text);
    const statements = new StatementCache(writer.connection);
    const writing = (text: string) => statements.get(text);
    return {
      init: async () => {},
      // Reads are synchronous on one connection, so nobody has to wait for it.
      acquireConnection: async () => new SqliteConnection(reading),
      async beginTransaction(connection) {
        await writer.begin();
        (connection as SqliteConnection).prepare = writing;
      },
      async commitTransaction(connection) {
        (connection as SqliteConnection).prepare = reading;
        await writer.commit();
      },
      async rollbackTransaction(connection) {
        // After a failed commit there is nothing left to roll back.
        if ((connection as SqliteConnection).prepare === reading) return;
        (connection as SqliteConnection).prepare = reading;
        await writer.rollback();
      },
      releaseConnection: async () => {},
      destroy: async () => {},
    };
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): DialectAdapter & DirectReads & SingleWriter {
    const reader = this.#reader;
    return Object.assign(new SqliteAdapter(), {
      singleWriter: true as const,
      readStatement: (text: string) => reader.prepare(text),
    });
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

class SqliteConnection implements DirectConnection {
  constructor(public prepare: (text: string) => Statement) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.prepare(query.sql);
    if (statement.reader) return { rows: statement.pluck(false).all(query.parameters) as R[] };
    const { changes } = statement.run(query.parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  // biome-ignore lint/correctness/useYield: better-sqlite3 answers whole; nothing here streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('the SQLite adapter does not stream');
  }
}
