import type { Engine } from '../engine/context.ts';
import { runTransaction } from '../storage/run.ts';
import type { WebhookTable } from '../storage/tables/webhooks.ts';

/** Milliseconds for which a replaced secret still signs, next to the new one. */
export const overlap = 24 * 60 * 60 * 1000;

/** Place to which a subscription's sealed secret is bound. */
export const placeOf = ({ store_id, id }: Pick<WebhookTable, 'store_id' | 'id'>) => `webhook ${store_id} ${id}`;

/** A subscription's secret as its row stores it, sealed when the operator configured a key. */
export function sealedSecret(engine: Engine, row: Pick<WebhookTable, 'store_id' | 'id'>, secret: string): string {
  return engine.secrets.seal(secret, placeOf(row));
}

/** @throws CommerceError `unavailable` when the key to unseal it is missing or wrong */
export function openedSecret(engine: Engine, row: WebhookTable): string {
  return engine.secrets.open(row.secret, placeOf(row));
}

/** The secrets that sign at that time: the current one, and for 24 hours the one it replaced. */
export function openedSecrets(engine: Engine, row: WebhookTable, now: number): string[] {
  const { previous_secret, previous_until } = row;
  const secret = openedSecret(engine, row);
  if (previous_secret === null || previous_until === null || previous_until <= now) return [secret];
  return [secret, engine.secrets.open(previous_secret, placeOf(row))];
}

/** Erases replaced secrets that no longer sign. */
export async function forgetReplacedSecrets({ storage, clock }: Engine): Promise<void> {
  const stores = await storage.db.selectFrom('stores').select('id').execute();
  for (const { id } of stores) {
    const due = storage.db
      .selectFrom('webhooks')
      .select('id')
      .where('store_id', '=', id)
      .where('previous_until', '<=', clock.now());
    // Read outside a transaction, because nearly always none is due.
    if (!(await due.limit(1).executeTakeFirst())) continue;
    await runTransaction(storage, (db) =>
      db
        .updateTable('webhooks')
        .set({ previous_secret: null, previous_until: null })
        .where('store_id', '=', id)
        .where('previous_until', '<=', clock.now())
        .execute(),
    );
  }
}
