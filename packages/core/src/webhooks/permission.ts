import type { Context, TxContext } from '../context.ts';
import { CommerceError } from '../errors.ts';
import type { WebhookTable } from './table.ts';

/**
 * Holds a key to what it may read: whoever has an event sent somewhere reads the resource in it. The scope is named by the event's
 * resource, as `customer.read` is for `customer.updated`.
 * @throws CommerceError `forbidden`
 */
export function requireReadScopes({ actor }: Context, events: readonly string[]): void {
  const held: ReadonlySet<string> | undefined = actor.scopes;
  if (!held) return;
  const needed = new Set(events.map((event) => `${event.slice(0, event.indexOf('.'))}.read`));
  const missing = [...needed].filter((scope) => !held.has(scope));
  if (missing.length === 0) return;
  throw new CommerceError(
    'forbidden',
    `insufficient permissions: the events of the subscription need ${missing.join(', ')}, which the API key does not have`,
  );
}

/** The key that a subscription's row names as its maker; null where it was no key. */
export function keyOf({ actor }: Context): string | null {
  return actor.type === 'apiKey' ? actor.id : null;
}

/**
 * Refuses what would send events on behalf of a key that is no more.
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
    `the key that made the subscription or last changed it ${key ? 'has expired' : 'was revoked'}: change the subscription with another key first, and look whether its address is still the right one`,
  );
}
