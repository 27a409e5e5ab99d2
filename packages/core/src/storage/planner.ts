import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * Column as a value of its own, which no index offers: keeps a planner from choosing an index for this condition or this order where
 * another is known to be better. `+column` says it to SQLite alone; PostgreSQL has no such operator for texts, hence `|| ''`.
 */
export function unindexedText(column: Expression<string>): RawBuilder<string> {
  return sql<string>`${column} || ''`;
}

/** As `unindexedText`, for a number. */
export function unindexedNumber(column: Expression<number>): RawBuilder<number> {
  return sql<number>`+${column}`;
}
