import type { TxContext } from '../../engine/context.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { maxOpenCheckouts } from '../../kernel/limits.ts';
import { networkOf } from '../../network/network-of.ts';
import { unindexedNumber } from '../../storage/planner.ts';
import { prepared } from '../../storage/prepared.ts';
import { hasPage } from '../../storage/tables/checkouts.ts';

const openOf = prepared<{ storeId: string; address: string; now: number }, { expires_at: number }>((db, p) =>
  db
    .selectFrom('checkouts')
    .select('expires_at')
    .where('store_id', '=', p('storeId'))
    .where('address_hash', '=', p('address'))
    .where(hasPage)
    // Avoids the index of due pages, which contains every open page of the store.
    .where((eb) => eb(unindexedNumber(eb.ref('expires_at')), '>', p('now')))
    .orderBy('expires_at')
    .limit(maxOpenCheckouts),
);

/**
 * Counts the open checkouts of the address of a storefront key, which anyone has: without a limit, one visitor could hold all stock.
 * @returns what the new checkout is counted under; null if it is not limited
 * @throws CommerceError `rateLimited` with the time until the first of them ends
 */
export async function placeOf(tx: TxContext): Promise<string | null> {
  const { actor, address, engine, store } = tx;
  if (!actor.isPublic || address === undefined) return null;
  const hash = engine.secrets.digest(networkOf(address), `checkouts ${store.id}`);
  // Two requests at the same moment must not both take the last place.
  await engine.storage.lockName(tx.db, `open checkouts ${store.id} ${hash}`);
  const open = await openOf(tx.db, { storeId: store.id, address: hash, now: tx.now });
  const [first] = open;
  if (!first || open.length < maxOpenCheckouts) return hash;
  const seconds = Math.max(1, Math.ceil((first.expires_at - tx.now) / 1000));
  throw new CommerceError(
    'rateLimited',
    `the limit for one network address is ${maxOpenCheckouts} open checkouts with a storefront key; pay or cancel one, or try again in ${seconds} s`,
    { retryAfter: seconds },
  );
}
