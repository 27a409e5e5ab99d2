import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine } from '../../engine/context.ts';
import { perEngine } from '../../engine/per-engine.ts';
import { minId } from '../../kernel/ids.ts';
import { settledOutcomes } from '../../payments/inbox.ts';
import { reading, runTransaction } from '../../storage/run.ts';
import { listStores } from '../../stores/stores.ts';

/** Lifetime of a notification's body after it was settled, in milliseconds. */
export const payloadsKeptFor = 180 * 24 * 3_600_000;

/** Notifications per transaction, to keep other writers from waiting for the whole inbox. */
const stepSize = 500;

/**
 * Empties the bodies of notifications settled 180 days ago; their outcome stays. Does not touch unsettled notifications.
 * @returns the number of emptied bodies
 */
export async function forgetOldPayloads(engine: Engine): Promise<number> {
  const before = engine.clock.now() - payloadsKeptFor;
  let emptied = 0;
  for (const { id: storeId } of (await listStores(engine)).items) {
    for (let after = ''; ; await nextTurn()) {
      const last = await endOfStep(engine, storeId, after, minId(before));
      if (last === undefined) break;
      emptied += await empty(engine, storeId, { after, last, before });
      after = last;
    }
  }
  return emptied;
}

async function endOfStep(engine: Engine, storeId: string, after: string, end: string): Promise<string | undefined> {
  const rows = await reading(engine.storage, (db) =>
    db
      .selectFrom('payment_notifications')
      .select('id')
      .where('store_id', '=', storeId)
      .where('id', '>', after)
      .where('id', '<', end)
      .orderBy('id')
      .limit(stepSize)
      .execute(),
  );
  return rows.at(-1)?.id;
}

async function empty(
  engine: Engine,
  storeId: string,
  { after, last, before }: { after: string; last: string; before: number },
): Promise<number> {
  return runTransaction(engine.storage, async (db) => {
    const result = await db
      .updateTable('payment_notifications')
      .set({ payload: '{}' })
      .where('store_id', '=', storeId)
      .where('id', '>', after)
      .where('id', '<=', last)
      .where('outcome', 'in', settledOutcomes)
      .where('updated_at', '<', before)
      .where('payload', '<>', '{}')
      .executeTakeFirst();
    return Number(result.numUpdatedRows);
  });
}

const hour = 3_600_000;
const schedule = perEngine(() => ({ dueAt: undefined as number | undefined }));

/** Empties old bodies once a day, first an hour after the start of the process. Called every minute with the other upkeep. */
export async function forgetPayloadsWhenDue(engine: Engine): Promise<void> {
  const state = schedule(engine);
  const now = engine.clock.now();
  state.dueAt ??= now + hour;
  if (now < state.dueAt) return;
  state.dueAt = now + 24 * hour;
  await forgetOldPayloads(engine);
}
