import { type DialectAdapter, Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { FairQueue } from '../../kernel/fair-queue.ts';
import type { Schema } from '../schema.ts';
import type { Shortcuts, Storage } from '../storage.ts';
import type { Pool } from './lent.ts';
import { openPool, shares } from './pool.ts';
import type { Server } from './server.ts';
import { prepareOnServer, queryOn } from './transaction.ts';

/** Maximum scans of one store, running and waiting. */
const maxScansOfStore = 2;
const maxScansWaiting = 200;

/** Longest statement of a scan, in milliseconds. */
const maxScanTime = 30_000;

/** A pool for reads, and the ways to read with it. */
interface Reads extends Pick<Storage, 'reads' | 'readTurns' | 'snapshot' | 'scan'> {
  pool: Pool;
}

export function openReads(server: Server, max: number, lockTimeout: number, more: pg.PoolConfig = {}): Reads {
  const pool = openPool(server, max, lockTimeout, more);
  const reads = new Kysely<Schema>({ dialect: new ReadingDialect({ pool }, server.hasSessions) });
  const snapshot: Storage['snapshot'] = (work) =>
    reads.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
  const scans = new FairQueue({ ofKey: maxScansOfStore, maxWaiting: maxScansWaiting, patience: lockTimeout });
  return {
    pool,
    reads,
    readTurns: new FairQueue(shares(max, lockTimeout)),
    snapshot,
    scan: (storeId, work) =>
      scans.run(storeId, () =>
        snapshot(async (tx) => {
          await sql`set local statement_timeout = ${sql.lit(maxScanTime)}`.execute(tx);
          return work(tx);
        }),
      ),
  };
}

/** Runs prepared queries by name on connections that keep the names, bypassing the executor. */
class ReadingDialect extends PostgresDialect {
  readonly #shortcuts: Shortcuts;

  constructor(config: { pool: Pool }, hasSessions: boolean) {
    super(config);
    this.#shortcuts = { run: (query) => queryOn(config.pool, query, hasSessions, true), prepare: prepareOnServer };
  }

  override createAdapter(): DialectAdapter {
    return Object.assign(super.createAdapter(), this.#shortcuts);
  }
}
