import type { Context, TxContext } from '../engine/context.ts';
import { type EventType, eventScopes } from '../events/events.ts';
import { CommerceError } from '../kernel/errors.ts';
import type { WebhookTable } from '../storage/tables/webhooks.ts';

/**
 * Requires the scopes of each event, such as `customer.read` for `customer.updated`. A key that has an event sent to an
 * address of its choice can read the resource in it.
 * @throws CommerceError `forbidden`
 */
export function requireReadScopes(ctx: Context, events: readonly string[]): void {
  const missing = lackingScopes(ctx, events);
  if (missing.length === 0) return;
  throw new CommerceError(
    'forbidden',
    `insufficient permissions: this API key lacks ${missing.join(', ')}, which the subscription's events require`,
  );
}

/** The scopes of the events that the actor's key lacks. */
export function lackingScopes({ actor }: Context, events: readonly string[]): string[] {
  const held: ReadonlySet<string> | undefined = actor.scopes;
  if (!held) return [];
  const needed = new Set(events.flatMap((event) => eventScopes(event as EventType)));
  return [...needed].filter((scope) => !held.has(scope));
}

/** The API key to record with a subscription; null when the actor is not a key. */
export function keyOf({ actor }: Context): string | null {
  return actor.type === 'apiKey' ? actor.id : null;
}

/**
 * Refuses a subscription whose recorded key was revoked or has expired.
 * @throws CommerceError `conflict`
 */
export async function requireLivingKey(tx: TxContext, row: WebhookTable): Promise<void> {
  if (row.key_id === null) return;
  const key = await tx.db
    .selectFrom('api_keys')
    .select('expires_at')
    .where('store_id', '=', tx.store.id)
    .where('id', '=', row.key_id)
    .executeTakeFirst();
  if (key && (key.expires_at === null || key.expires_at > tx.now)) return;
  throw new CommerceError(
    'conflict',
    `the API key that created the subscription or last changed it ${key ? 'has expired' : 'was revoked'}: check its address, then save it with another key`,
    { reason: 'keyEnded' },
  );
}
