import type { Database, Statement } from 'better-sqlite3';

/** Prepared statements by text; preparing one costs more than running most of them. */
export class StatementCache {
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
