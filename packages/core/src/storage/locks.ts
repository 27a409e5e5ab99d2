import type { SelectQueryBuilder } from 'kysely';
import type { Schema } from './schema.ts';
import type { Db } from './storage.ts';

/** On an adapter whose database has one writer at a time: what a transaction has read cannot change before it ends. */
export interface SingleWriter {
  readonly singleWriter: true;
}

/** Keeps the selected rows from changing until the transaction ends. */
export function lockRows<T extends keyof Schema, O>(
  db: Db,
  query: SelectQueryBuilder<Schema, T, O>,
): SelectQueryBuilder<Schema, T, O> {
  return isSingleWriter(db) ? query : query.forUpdate();
}

/** Keeps the selected rows from changing until the transaction ends; others may share them meanwhile. */
export function shareRows<T extends keyof Schema, O>(
  db: Db,
  query: SelectQueryBuilder<Schema, T, O>,
): SelectQueryBuilder<Schema, T, O> {
  return isSingleWriter(db) ? query : query.forShare();
}

/** As `lockRows`, but leaves out rows that another transaction holds. */
export function lockFreeRows<T extends keyof Schema, O>(
  db: Db,
  query: SelectQueryBuilder<Schema, T, O>,
): SelectQueryBuilder<Schema, T, O> {
  return isSingleWriter(db) ? query : query.forUpdate().skipLocked();
}

function isSingleWriter(db: Db): boolean {
  return 'singleWriter' in db.getExecutor().adapter;
}
