import { sql } from 'kysely';
import type { Engine } from '../engine/context.ts';
import { snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';

/** Undelivered events of all stores. */
export interface DeliveryBacklog {
  /** Number of deliveries that wait for their first or next attempt, or are being attempted. */
  waiting: number;
  /** Milliseconds since the oldest due delivery became due; 0 when none is due. */
  oldestDueFor: number;
}

/**
 * Counts undelivered events. Reads only the index of waiting deliveries, never finished ones.
 * @throws CommerceError `unavailable` if the database cannot be reached
 */
export async function deliveryBacklog({ storage, clock }: Engine): Promise<DeliveryBacklog> {
  // Counts over all stores: such scans do not wait for a store's scans.
  const row = await snapshotOrScan({ engine: { storage }, store: { id: '' } }, async (db, maxRows) => {
    const counted = await backlogQuery(db, maxRows).executeTakeFirstOrThrow();
    return counted.waiting > maxRows ? undefined : counted;
  });
  const oldestDueFor = row.oldest === null ? 0 : Math.max(0, clock.now() - row.oldest);
  return { waiting: row.waiting, oldestDueFor };
}

/** The number of waiting deliveries and the due time of the oldest. If there are more than `maxRows`, stops counting one row after that. */
export function backlogQuery(db: Db, maxRows: number) {
  const waiting = db
    .selectFrom('deliveries')
    .select('due_at')
    // A literal, not a parameter: the partial index covers only this status, and the engine must see that it applies.
    .where('status', '=', sql.lit('pending'));
  return db
    .selectFrom((Number.isFinite(maxRows) ? waiting.limit(maxRows + 1) : waiting).as('waiting'))
    .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min<number | null>('due_at').as('oldest')]);
}
