import type { Statement } from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
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
import type { Shortcuts } from '../storage.ts';
import type { SqliteReader } from './reader.ts';
import { StatementCache } from './statements.ts';
import type { SqliteWriter } from './writer.ts';

/** Prepares a statement that can run at once. */
type Prepare = (text: string) => Statement;

/**
 * Reads committed data, and offers `db.transaction()`. Kysely's own SQLite dialect begins deferred transactions, which fail under
 * contention despite a busy timeout. It also prepares every statement each time, and reads uncommitted data.
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
    const reading: Prepare = (text) => this.#reader.prepare(text);
    const writing = writingOn(writer);
    return {
      ...withoutTransactions,
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
        // After a failed commit nothing is left to roll back.
        if ((connection as SqliteConnection).prepare === reading) return;
        (connection as SqliteConnection).prepare = reading;
        await writer.rollback();
      },
    };
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return adapterOf((text) => this.#reader.prepare(text));
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** Runs everything in the open transaction: only one is open at a time. */
export class SqliteTransactionDialect implements Dialect {
  readonly #prepare: Prepare;

  constructor(writer: SqliteWriter) {
    this.#prepare = writingOn(writer);
  }

  createDriver(): Driver {
    return { ...withoutTransactions, acquireConnection: async () => new SqliteConnection(this.#prepare) };
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return adapterOf(this.#prepare);
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

const refuseTransaction = async () => {
  throw new Error('a transaction is already open');
};

const withoutTransactions: Omit<Driver, 'acquireConnection'> = {
  init: async () => {},
  beginTransaction: refuseTransaction,
  commitTransaction: refuseTransaction,
  rollbackTransaction: refuseTransaction,
  releaseConnection: async () => {},
  destroy: async () => {},
};

function writingOn(writer: SqliteWriter): Prepare {
  const statements = new StatementCache(writer.connection);
  return (text) => {
    // Outside a transaction it would commit by itself.
    if (!writer.connection.inTransaction) throw new Error('the transaction has ended');
    return statements.get(text);
  };
}

function adapterOf(statement: Prepare): DialectAdapter & Shortcuts {
  return Object.assign(new Adapter(), { singleWriter: true as const, statement });
}

/**
 * Reads run while a transaction is open. With Kysely's own adapter they would wait, and a read within the transaction would wait forever.
 */
class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class SqliteConnection implements DatabaseConnection {
  constructor(public prepare: Prepare) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.prepare(query.sql);
    if (statement.reader) return { rows: statement.pluck(false).all(query.parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(query.parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  // biome-ignore lint/correctness/useYield: better-sqlite3 answers whole; nothing here streams
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('the SQLite adapter does not stream');
  }
}
