import { sql } from 'kysely';
import type { Engine } from '../context.ts';
import { reading } from '../storage/run.ts';

/** Undelivered events of all stores. */
export interface DeliveryBacklog {
  /** Number of deliveries that wait for their first or next attempt, or are being attempted. */
  waiting: number;
  /** Milliseconds since the oldest due delivery became due; 0 when none is due. */
  oldestDueFor: number;
}

/**
 * Counts undelivered events. Reads only the index of waiting deliveries, never finished ones.
 * @throws CommerceError `unavailable` when the database cannot be reached.
 */
export async function deliveryBacklog({ storage, clock }: Engine): Promise<DeliveryBacklog> {
  const row = await reading(storage, (db) => backlogQuery(db).executeTakeFirstOrThrow());
  const oldestDueFor = row.oldest === null ? 0 : Math.max(0, clock.now() - row.oldest);
  return { waiting: row.waiting, oldestDueFor };
}

export function backlogQuery(db: Engine['storage']['db']) {
  return (
    db
      .selectFrom('deliveries')
      .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min<number | null>('due_at').as('oldest')])
      // A literal, not a parameter: the partial index covers this status alone, and the engine must see that it applies.
      .where('status', '=', sql.lit('pending'))
  );
}
