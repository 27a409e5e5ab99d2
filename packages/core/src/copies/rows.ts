import { sql } from 'kysely';
import type { Db } from '../storage/storage.ts';
import { type CopiedTable, copiedTables, readFrom } from './tables.ts';

export type Row = Record<string, string | number | null>;

/** Values of a row's primary key. */
export type Key = readonly (string | number)[];

/** Rows per read: more if they are short, fewer if they are long. */
const fewest = 10;
const most = 1000;
/** Characters that one read should return. */
const wanted = 2_000_000;

/** Pages of a table in primary-key order. */
export async function* pagesOf(db: Db, table: CopiedTable, after?: Key): AsyncGenerator<Row[]> {
  const columns = copiedTables[table].map((column) => sql.ref(column));
  let last = after;
  for (let limit = 50; ; ) {
    const beyond = last && sql`where (${sql.join(columns)}) > (${sql.join(last)})`;
    const { rows } = await sql<Row>`select * from ${sql.table(readFrom(table))} ${beyond ?? sql``}
      order by ${sql.join(columns)} limit ${limit}`.execute(db);
    const end = rows.at(-1);
    if (end) {
      last = keyOf(table, end);
      yield rows;
    }
    if (rows.length < limit) return;
    const length = rows.reduce((sum, row) => sum + lengthOf(row), 0) / rows.length;
    limit = Math.min(most, limit * 4, Math.max(fewest, Math.floor(wanted / length)));
  }
}

export function keyOf(table: CopiedTable, row: Row): Key {
  return copiedTables[table].map((column) => row[column] as string | number);
}

function lengthOf(row: Row): number {
  let length = 0;
  for (const value of Object.values(row)) length += typeof value === 'string' ? value.length : 8;
  return length;
}
