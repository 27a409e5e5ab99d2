import { sql } from 'kysely';
import type { Engine } from '../engine/context.ts';

/** A subscriber of the application that has not handled some events. */
export interface TroubledSubscriber {
  name: string;
  /** Number of events that have been due for too long. */
  overdue: number;
  /** Number of events of the last week that it did not handle in any attempt. */
  failed: number;
  /** What its handler threw at last; null if nothing failed. */
  lastError: string | null;
}

const week = 7 * 86_400_000;
const ofApplication = 'app:';

/** The subscribers of the application with events that are overdue, or that failed in the last week, by name. */
export async function findTroubledSubscribers(
  { storage, clock }: Engine,
  patience: number,
): Promise<TroubledSubscriber[]> {
  const now = clock.now();
  const count = () =>
    storage.reads
      .selectFrom('deliveries')
      .select((eb) => ['subscriber_id', eb.fn.countAll<number>().as('n')])
      .where('subscriber_id', 'like', sql.lit(`${ofApplication}%`))
      .groupBy('subscriber_id');
  const overdue = await count()
    .where('status', '=', sql.lit('pending'))
    .where('due_at', '<', now - patience)
    .execute();
  const failed = await count()
    .where('status', '=', sql.lit('failed'))
    .where('created_at', '>', now - week)
    .execute();
  const found = new Map<string, TroubledSubscriber>();
  const of = (id: string) => {
    const name = id.slice(ofApplication.length);
    const subscriber = found.get(name) ?? { name, overdue: 0, failed: 0, lastError: null };
    found.set(name, subscriber);
    return subscriber;
  };
  for (const { subscriber_id, n } of overdue) of(subscriber_id).overdue = n;
  for (const { subscriber_id, n } of failed) {
    Object.assign(of(subscriber_id), { failed: n, lastError: await lastErrorOf(storage, subscriber_id) });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function lastErrorOf(storage: Engine['storage'], subscriberId: string): Promise<string | null> {
  const row = await storage.reads
    .selectFrom('deliveries')
    .select('log')
    .where('status', '=', sql.lit('failed'))
    .where('subscriber_id', '=', subscriberId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const attempts: { error: string | null }[] = JSON.parse(row?.log ?? '[]');
  return attempts.at(-1)?.error ?? null;
}
