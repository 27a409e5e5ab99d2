import { sql } from 'kysely';
import { copiedTables } from '../copies/tables.ts';
import { runTransaction } from '../storage/run.ts';
import type { Storage } from '../storage/storage.ts';

const tables = [...Object.keys(copiedTables), 'schema_migrations', 'product_search', 'order_search'];

/** Tables that the migrations created and that are missing. */
export async function findMissingTables(storage: Storage): Promise<string[]> {
  const there = new Set(await storage.tables());
  return tables.filter((table) => !there.has(table));
}

/** Indexes that the migrations created and that are missing. Without them, unique values can occur twice, and lists read whole tables. */
export async function findMissingIndexes(storage: Storage): Promise<string[]> {
  const there = new Set(await storage.indexes.found());
  return Object.keys(storage.indexes.wanted).filter((name) => !there.has(name));
}

/** Recreates indexes, each in a separate transaction. @returns the indexes that cannot be created, with the reason */
export async function makeIndexes(storage: Storage, names: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  for (const name of names) {
    const [, unique = '', definition = ''] = /^(unique )?(.*)$/.exec(storage.indexes.wanted[name] ?? '') ?? [];
    const make = sql`create ${sql.raw(unique)} index ${sql.ref(name)} on ${sql.raw(definition)}`;
    try {
      await runTransaction(storage, async (db) => {
        await storage.indexes.prepare?.(db);
        await make.execute(db);
      });
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return failed;
}
