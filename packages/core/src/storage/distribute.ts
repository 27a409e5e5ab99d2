import type { Clock } from '../kernel/clock.ts';
import { CommerceError } from '../kernel/errors.ts';
import { type MigrateOptions, type MigrationStatus, migrate } from './migrations/index.ts';
import { place, placedTables } from './placing.ts';
import { runTransaction } from './run.ts';
import type { Storage } from './storage.ts';

/** Result of `distribute`. */
export interface DistributionDone extends Pick<MigrationStatus, 'applied'> {
  /** Tables that were distributed, or moved to another placement. */
  distributed: string[];
}

/**
 * Brings a database up to date and distributes its tables over the servers of its extension: all rows of a store go to one place. Each
 * table is moved in its own transaction, and other writers wait for it. A call that was interrupted can be repeated. Later migrations
 * distribute the tables that they create.
 * @throws CommerceError `unavailable` when the database cannot be distributed, with the reason
 */
export async function distribute(
  storage: Storage,
  clock: Clock,
  options: Omit<MigrateOptions, 'isCopied'> = {},
): Promise<DistributionDone> {
  const { distribution, location } = storage;
  if (!distribution) {
    throw new CommerceError(
      'unavailable',
      `${location} is a SQLite file: distribution requires PostgreSQL with the Citus extension`,
    );
  }
  if ((await distribution.extension(storage.reads)) === undefined) {
    throw new CommerceError(
      'unavailable',
      `the database ${location} does not have the Citus extension: run "create extension citus" in it on every server and add the workers with citus_add_node, or do not distribute it`,
    );
  }
  const { isCoordinator, withRows } = await distribution.servers(storage.reads);
  if (!isCoordinator) {
    throw new CommerceError('unavailable', `${location} is a worker: give the address of the coordinator`);
  }
  if (withRows === 0) {
    throw new CommerceError(
      'unavailable',
      `${location} does not have servers for rows: add workers with citus_add_node`,
    );
  }
  const { applied } = await migrate(storage, clock, options);
  const distributed: string[] = [];
  const present = new Set(await storage.tables());
  for (const table of placedTables) {
    if (!present.has(table)) continue;
    const isMoved = await runTransaction(storage, async (db) => {
      await storage.lockName(db, 'migrations');
      await distribution.prepare(db);
      return place(db, distribution, table);
    });
    if (isMoved) distributed.push(table);
  }
  return { applied, distributed };
}
