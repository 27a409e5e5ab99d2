import type { Commerce, ErrorKind } from '@commerce/core';
import { sql } from 'kysely';
import { expect } from 'vitest';

/** Every row of every table, in an order of its own; two of them are equal when nothing was written in between. */
export async function snapshot(commerce: Commerce): Promise<Record<string, string[]>> {
  const { db } = commerce.engine.storage;
  const tables = (await db.introspection.getTables()).map((table) => table.name);
  if (!tables.includes('list_totals')) tables.push('list_totals');
  const rows: Record<string, string[]> = {};
  for (const table of tables.sort()) {
    // Numbers of products are taken ahead, in blocks; the sums of list_totals do not say where they lie.
    const kept = table === 'sequences' ? " where name <> 'products'" : table === 'list_totals' ? ' where n <> 0' : '';
    if (table === 'list_counts' || table === 'list_count_changes') continue;
    const result = await sql.raw<object>(`select * from "${table}"${kept}`).execute(db);
    rows[table] = result.rows.map((row) => JSON.stringify(row)).sort();
  }
  return rows;
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
