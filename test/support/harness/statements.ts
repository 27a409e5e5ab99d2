import Database from 'better-sqlite3';
import pg from 'pg';

export interface Statement {
  text: string;
  values: readonly unknown[];
}

/** Statements that the drivers of both engines ran during the work, as text and values. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const memory = new Database(':memory:');
  const sqlite = Object.getPrototypeOf(memory.prepare('select 1'));
  memory.close();
  const { run, all } = sqlite;
  const { query } = pg.Client.prototype;
  const noting = (real: (...args: unknown[]) => unknown) =>
    function (this: { source: string }, ...args: unknown[]) {
      seen.push({ text: this.source, values: Array.isArray(args[0]) ? args[0] : [] });
      return real.apply(this, args);
    };
  sqlite.run = noting(run);
  sqlite.all = noting(all);
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [asked, given] = args as [string | { text: string; values?: unknown }, unknown];
    const [text, values] = typeof asked === 'string' ? [asked, given] : [asked.text, asked.values];
    seen.push({ text, values: Array.isArray(values) ? values : [] });
    return query.apply(this, args as never);
  } as typeof query;
  try {
    await work();
  } finally {
    Object.assign(sqlite, { run, all });
    pg.Client.prototype.query = query;
  }
  return seen;
}
