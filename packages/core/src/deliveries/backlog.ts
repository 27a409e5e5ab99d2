import { sql } from 'kysely';
import type { Engine } from '../context.ts';
import { reading } from '../storage/run.ts';

/** What is still to be delivered, of all stores. */
export interface DeliveryBacklog {
  /** Deliveries that wait for their first or next attempt, or are being attempted. */
  waiting: number;
  /** For how many milliseconds the oldest of those that are due has been due; 0 where none is. */
  oldestDueFor: number;
}

/**
 * Counts what is still to be delivered. Reads only the index of waiting deliveries, never those that have ended.
 * @throws CommerceError `unavailable` when the database cannot be reached.
 */
export async function deliveryBacklog({ storage, clock }: Engine): Promise<DeliveryBacklog> {
  const row = await reading(storage, (db) => backlogQuery(db).executeTakeFirstOrThrow());
  const oldestDueFor = row.oldest === null ? 0 : Math.max(0, clock.now() - row.oldest);
  return { waiting: row.waiting, oldestDueFor };
}

/** The query of `deliveryBacklog`. */
export function backlogQuery(db: Engine['storage']['db']) {
  return (
    db
      .selectFrom('deliveries')
      .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min<number | null>('due_at').as('oldest')])
      // Not a parameter: the index covers only rows of this status, and an engine has to see that it may be used.
      .where('status', '=', sql.lit('pending'))
  );
}
