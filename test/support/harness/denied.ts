import type { Commerce, ErrorKind } from '@commerce/core';
import { PostgresAdapter, sql } from 'kysely';
import { expect } from 'vitest';

/** Every row of every table, in an order of its own; two of them are equal when nothing was written in between. */
export async function snapshot(commerce: Commerce): Promise<Record<string, string[]>> {
  const { db } = commerce.engine.storage;
  const dialect = db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
  const { rows: relations } = await tablesOf[dialect].execute(db);
  const names = new Set(relations.map(({ name }) => name)).add('list_totals');
  // The sums of list_totals do not say where they lie.
  for (const name of ['list_counts', 'list_count_changes']) names.delete(name);
  const rows: Record<string, string[]> = {};
  if (dialect === 'postgres') {
    // One round trip for all of them, for a test takes many; a row has no line break of its own.
    const parts = [...names].map(
      (name) =>
        `select '${name}' as name, (select string_agg(to_json(r)::text, E'\\n') from "${name}" r${keptOf(name)}) as rows`,
    );
    const all = await sql.raw<{ name: string; rows: string | null }>(parts.join(' union all ')).execute(db);
    for (const one of all.rows) rows[one.name] = (one.rows?.split('\n') ?? []).sort();
    return rows;
  }
  for (const name of names) {
    const all = await sql.raw<object>(`select * from "${name}"${keptOf(name)}`).execute(db);
    rows[name] = all.rows.map((row) => JSON.stringify(row)).sort();
  }
  return rows;
}

/** Tables and views. */
const tablesOf = {
  sqlite: sql<{ name: string }>`select name from sqlite_schema
    where type in ('table', 'view') and name not like 'sqlite_%'`,
  postgres: sql<{ name: string }>`select relname as name from pg_class
    where relkind in ('r', 'p', 'v') and relnamespace = current_schema()::regnamespace`,
};

function keptOf(table: string): string {
  // Numbers of products are taken ahead, in blocks.
  if (table === 'sequences') return " where name <> 'products'";
  return table === 'list_totals' ? ' where n <> 0' : '';
}

export interface Denial {
  kind: ErrorKind;
  /** The fields that the details name, in their order; none when left out. */
  fields?: readonly string[];
  message?: string | RegExp;
}

/** Denied is three assertions: the error, nothing changed in any table, nothing emitted. */
export async function expectDenied(commerce: Commerce, work: () => Promise<unknown>, denial: Denial): Promise<void> {
  const before = await snapshot(commerce);
  const error = await work().then(
    () => expect.fail(`not denied: ${denial.kind} was expected`),
    (error: unknown) => error,
  );
  expect(error).toMatchObject({ name: 'CommerceError', kind: denial.kind });
  const { details, message } = error as { details: { field: string }[]; message: string };
  expect(details.map((detail) => detail.field)).toEqual(denial.fields ?? []);
  if (denial.message !== undefined) expect(message).toMatch(denial.message);
  const after = await snapshot(commerce);
  expect(after.events).toEqual(before.events);
  expect(after).toEqual(before);
}
