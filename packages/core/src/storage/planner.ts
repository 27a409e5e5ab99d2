import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * The column as an expression that no index covers. Keeps a planner from using an index for this condition or order when another is known
 * to be better. `+column` does this only in SQLite; PostgreSQL lacks such an operator for texts, hence `|| ''`.
 */
export function unindexedText(column: Expression<string>): RawBuilder<string> {
  return sql<string>`${column} || ''`;
}

/** Like `unindexedText`, but takes a number. */
export function unindexedNumber(column: Expression<number>): RawBuilder<number> {
  return sql<number>`+${column}`;
}
