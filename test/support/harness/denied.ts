import type { Commerce, ErrorKind } from '@commerce/core';
import { PostgresAdapter, sql } from 'kysely';
import { expect } from 'vitest';

type Db = Commerce['engine']['storage']['db'];
type Rows = Record<string, string[]>;

/** Content of a database when it was last read. */
interface Seen {
  moment: string;
  /** For each table, a text that changes with its rows; only for PostgreSQL. */
  marks: Record<string, string>;
  rows: Rows;
}

const seen = new WeakMap<Db, Seen>();

/** Every row of every table, in a fixed order; two snapshots are equal if nothing was written in between. */
export async function snapshot(commerce: Commerce): Promise<Rows> {
  const { db } = commerce.engine.storage;
  const dialect = db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
  // Taken before the rows are read: a write in between shows in the next snapshot.
  const moment = await momentOf(db, dialect);
  const known = seen.get(db);
  if (known?.moment === moment) return { ...known.rows };
  const marks = dialect === 'postgres' ? await marksOf(db) : {};
  const kept = known ? unchanged(known, marks) : {};
  const rows = kept === known?.rows ? kept : await rowsOf(db, dialect, kept);
  seen.set(db, { moment, marks, rows });
  return { ...rows };
}

/** A text that changes with every visible commit; on PostgreSQL also with commits to other databases. */
async function momentOf(db: Db, dialect: 'sqlite' | 'postgres'): Promise<string> {
  if (dialect === 'postgres') {
    const { rows } = await sql<{ at: string }>`select pg_current_snapshot()::text as at`.execute(db);
    return String(rows[0]?.at);
  }
  // The reading connection counts the commits of all others.
  const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db);
  return String(rows[0]?.data_version);
}

/**
 * Number of rows of each PostgreSQL table, and the sum of the transaction ids that wrote them. Ids increase: for the same number of rows,
 * every change or replacement raises the sum. This takes half of the time of reading the rows.
 */
async function marksOf(db: Db): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(db);
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as mark from "${name}"`,
  );
  const { rows } = await sql.raw<{ name: string; mark: string }>(parts.join(' union all ')).execute(db);
  return Object.fromEntries(rows.map(({ name, mark }) => [name, mark]));
}

/** Rows of the tables with unchanged marks; also the rows of views, if all marks are unchanged. */
function unchanged(known: Seen, marks: Record<string, string>): Rows {
  const names = Object.keys(marks);
  const same = names.filter((name) => known.marks[name] === marks[name]);
  if (names.length > 0 && same.length === names.length) return known.rows;
  return Object.fromEntries(same.flatMap((name) => (known.rows[name] ? [[name, known.rows[name]]] : [])));
}

/** @param kept rows of tables that are not read again */
async function rowsOf(db: Db, dialect: 'sqlite' | 'postgres', kept: Rows): Promise<Rows> {
  const { rows: relations } = await tablesOf[dialect].execute(db);
  const names = new Set(relations.map(({ name }) => name)).add('list_totals');
  // The sums of list_totals do not say which rows they count.
  for (const name of ['list_counts', 'list_count_changes', ...Object.keys(kept)]) names.delete(name);
  const rows: Rows = { ...kept };
  if (dialect === 'postgres') {
    // One round trip for all tables, because a test takes many snapshots; a row does not contain a line break.
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

/** Tables and views, without the ones of extensions. */
const tablesOf = {
  sqlite: sql<{ name: string }>`select name from sqlite_schema
    where type in ('table', 'view') and name not like 'sqlite_%'`,
  postgres: sql<{ name: string }>`select relname as name from pg_class
    where relkind in ('r', 'p', 'v') and relnamespace = current_schema()::regnamespace
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`,
};

function keptOf(table: string): string {
  // Product numbers are reserved in blocks.
  if (table === 'sequences') return " where name <> 'products'";
  return table === 'list_totals' ? ' where n <> 0' : '';
}

export interface Denial {
  kind: ErrorKind;
  /** The fields of the details, in their order; none by default. */
  fields?: readonly string[];
  message?: string | RegExp;
}

/** Refused input, with the fields of the details. */
export function invalid(...fields: string[]): Denial {
  return { kind: 'validation', fields };
}

/** Denied is three assertions: the error, no change in any table, no event. */
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
