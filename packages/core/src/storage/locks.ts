import type { SelectQueryBuilder } from 'kysely';
import type { Schema } from './schema.ts';
import { type Db, shortcutsOf } from './storage.ts';

/** Keeps the selected rows from changing until the transaction ends. */
export function lockRows<T extends keyof Schema, O>(
  db: Db,
  query: SelectQueryBuilder<Schema, T, O>,
): SelectQueryBuilder<Schema, T, O> {
  return shortcutsOf(db).singleWriter ? query : query.forUpdate();
}

/**
 * Keeps the selected rows from being deleted, and from being locked by `lockRows`, until the transaction ends. Other transactions can do
 * the same, and can write their columns under `lockForColumns`.
 */
export function keepRows<T extends keyof Schema, O>(
  db: Db,
  query: SelectQueryBuilder<Schema, T, O>,
): SelectQueryBuilder<Schema, T, O> {
  return shortcutsOf(db).singleWriter ? query : query.forKeyShare();
}

/** Like `lockRows`, for a change that leaves every unique column as it is. It does not wait for `keepRows`. */
export function lockForColumns<T extends keyof Schema, O>(
  db: Db,
  query: SelectQueryBuilder<Schema, T, O>,
): SelectQueryBuilder<Schema, T, O> {
  return shortcutsOf(db).singleWriter ? query : query.forNoKeyUpdate();
}

/** Keeps the selected rows from changing until the transaction ends; other transactions can share the lock. */
export function shareRows<T extends keyof Schema, O>(
  db: Db,
  query: SelectQueryBuilder<Schema, T, O>,
): SelectQueryBuilder<Schema, T, O> {
  return shortcutsOf(db).singleWriter ? query : query.forShare();
}

/** Like `lockRows`, but skips rows that another transaction holds. */
export function lockFreeRows<T extends keyof Schema, O>(
  db: Db,
  query: SelectQueryBuilder<Schema, T, O>,
): SelectQueryBuilder<Schema, T, O> {
  return shortcutsOf(db).singleWriter ? query : query.forUpdate().skipLocked();
}
