import type { Database, Statement } from 'better-sqlite3';
import { StatementCache } from './sqlite-statements.ts';

/**
 * Reads on a connection of their own, which sees only what is committed. The reads of one turn of the event loop share a
 * snapshot: opening one takes locks on the file, which costs more than most reads. A commit of this process ends it, so
 * nobody misses a write that was answered before.
 */
export class SqliteReader {
  readonly #statements: StatementCache;
  readonly #begin: Statement;
  readonly #end: Statement;
  #open = false;

  constructor(readonly connection: Database) {
    this.#statements = new StatementCache(connection);
    this.#begin = connection.prepare('begin');
    this.#end = connection.prepare('commit');
  }

  /** The statement, to be run at once. */
  prepare(text: string): Statement {
    if (!this.#open) {
      this.#begin.run();
      this.#open = true;
      setImmediate(() => this.release());
    }
    return this.#statements.get(text);
  }

  /** Ends the snapshot; the next read sees what is committed by then. */
  release(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#end.run();
  }

  close(): void {
    this.release();
    this.connection.close();
  }
}
