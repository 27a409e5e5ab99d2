import type { Engine, TxContext } from '../../engine/context.ts';
import { breathe } from '../../kernel/breathe.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { maxWithdrawalsAnHour } from '../../kernel/limits.ts';
import { networkOf } from '../../network/network-of.ts';
import { preparedColumn } from '../../storage/prepared.ts';
import { runTransaction } from '../../storage/run.ts';

const hour = 3_600_000;

const ofAddress = preparedColumn<{ storeId: string; address: string; since: number }, number>((db, p) =>
  db
    .selectFrom('withdrawals')
    .select('created_at')
    .where('store_id', '=', p('storeId'))
    .where('address_hash', '=', p('address'))
    .where('created_at', '>', p('since'))
    .orderBy('created_at')
    .limit(maxWithdrawalsAnHour),
);

/** Forgets the network addresses that no longer count. */
export async function forgetWithdrawalAddresses({ storage, clock }: Engine): Promise<void> {
  const since = clock.now() - hour;
  const stores = await storage.reads.selectFrom('stores').select('id').execute();
  for (const { id } of stores) {
    await breathe();
    const some = await storage.reads
      .selectFrom('withdrawals')
      .select('id')
      .where('store_id', '=', id)
      .where('address_hash', 'is not', null)
      .where('created_at', '<=', since)
      .limit(1)
      .execute();
    if (some.length === 0) continue;
    await runTransaction(storage, (db) =>
      db
        .updateTable('withdrawals')
        .set({ address_hash: null })
        .where('store_id', '=', id)
        .where('address_hash', 'is not', null)
        .where('created_at', '<=', since)
        .execute(),
    );
  }
}

/**
 * Bounds the statements that storefront keys send, because each sends mail. They are counted by network address and never by e-mail: a
 * stranger could otherwise use up the statements of another person on the last day of the period.
 * @returns the keyed digest that the new statement counts for; null if it is not limited
 * @throws CommerceError `rateLimited` with the time until the first of them no longer counts
 */
export async function takeWithdrawalPlace({
  actor,
  address,
  engine,
  store,
  db,
  now,
}: TxContext): Promise<string | null> {
  if (!actor.isPublic || address === undefined) return null;
  const hash = engine.secrets.digest(networkOf(address), `withdrawals ${store.id}`);
  // Requests at the same moment must not all take the last place.
  await engine.storage.lockName(db, `withdrawals ${store.id} ${hash}`);
  const since = now - hour;
  const sent = await ofAddress(db, { storeId: store.id, address: hash, since });
  const [first = now] = sent;
  if (sent.length < maxWithdrawalsAnHour) return hash;
  const seconds = Math.max(1, Math.ceil((first + hour - now) / 1000));
  throw new CommerceError(
    'rateLimited',
    `the limit for one network address is ${maxWithdrawalsAnHour} withdrawals an hour with a storefront key; try again in ${seconds} s, or write to the shop`,
    { retryAfter: seconds },
  );
}
