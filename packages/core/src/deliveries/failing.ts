import { audit } from '../audit/entry.ts';
import type { Engine } from '../engine/context.ts';
import { transact } from '../engine/transaction.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { lockRows } from '../storage/locks.ts';
import { findStore } from '../stores/stores.ts';
import { endedSubscriptions } from '../webhooks/ended-subscriptions.ts';
import type { Claim } from './claims.ts';
import { deliveryObservers } from './observers.ts';

/**
 * Switches off a subscription to which no delivery succeeded for `disableAfter` milliseconds, and cancels its waiting deliveries. After
 * repairing the receiver, the operator switches it on again and replays the missed events.
 */
export async function switchOffFailing(engine: Engine, claim: Claim): Promise<void> {
  const { disableAfter } = engine.webhooks;
  const { subscriber, storeId, subscriberId: webhookId } = claim;
  if (disableAfter === null || subscriber?.kind !== 'webhook' || subscriber.failingSince === null) return;
  if (engine.clock.now() - subscriber.failingSince < disableAfter) return;
  const store = await findStore(engine, storeId);
  if (!store) return;
  const ctx = { engine, store, actor: { type: 'system', id: null }, requestId: null } as const;
  const reason = await transact(ctx, async (tx) => {
    const row = await lockRows(
      tx.db,
      tx.db.selectFrom('webhooks').selectAll().where('store_id', '=', storeId).where('id', '=', webhookId),
    ).executeTakeFirst();
    // Another process was faster, or a delivery has succeeded since.
    if (row?.is_active !== 1 || row.failing_since === null || tx.now - row.failing_since < disableAfter)
      return undefined;
    const why = `every delivery since ${toTimestamp(row.failing_since)} has failed`;
    await tx.db
      .updateTable('webhooks')
      .set({ is_active: 0, disabled_reason: why, updated_at: tx.now })
      .where('store_id', '=', storeId)
      .where('id', '=', webhookId)
      .execute();
    endedSubscriptions(tx).add(webhookId);
    audit(tx, {
      action: 'webhook.disabled',
      resourceType: 'webhook',
      resourceId: webhookId,
      changes: { url: row.url, reason: why },
    });
    return why;
  });
  if (reason === undefined) return;
  deliveryObservers(engine).tell((observer) => observer.webhookDisabled?.({ storeId, webhookId, reason }));
}
