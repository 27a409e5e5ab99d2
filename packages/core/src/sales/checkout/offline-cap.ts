import { sql } from 'kysely';
import type { TxContext } from '../../engine/context.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { maxOfflineADay, maxOfflineAnHour, maxOfflineOfCustomer } from '../../kernel/limits.ts';
import { networkOf } from '../../network/network-of.ts';
import type { Order } from '../../orders/fields.ts';
import { preparedChange, preparedColumn } from '../../storage/prepared.ts';
import type { Db } from '../../storage/storage.ts';

const hour = 3_600_000;

/** Restricts a query to checkouts that count their address without having a page. A literal, as in `hasPage`. */
const isOver = sql<boolean>`state = 'closed'`;

/** Unpaid orders to pay without a provider that storefront keys have made. @param except the order of this request */
const unpaid = (db: Db, storeId: string, except: string) =>
  db
    .selectFrom('orders')
    .innerJoin('checkouts', (join) =>
      join.onRef('checkouts.store_id', '=', 'orders.store_id').onRef('checkouts.order_id', '=', 'orders.id'),
    )
    .select('orders.id')
    .where('orders.store_id', '=', storeId)
    .where('orders.id', '<>', except)
    // A literal, so that both engines see that the partial index applies.
    .where(sql<boolean>`orders.unpaid_offline > 0`)
    .where('checkouts.by_storefront', '=', 1);

const ofCustomer = preparedColumn<{ storeId: string; customerId: string; except: string }, string>((db, p) =>
  unpaid(db, p('storeId'), p('except')).where('orders.customer_id', '=', p('customerId')).limit(maxOfflineOfCustomer),
);

/** Orders of a customer that were placed when they were made, by storefront keys, whatever became of them. */
const ofDay = preparedColumn<{ storeId: string; customerId: string; except: string; since: number }, string>((db, p) =>
  db
    .selectFrom('orders')
    .innerJoin('checkouts', (join) =>
      join.onRef('checkouts.store_id', '=', 'orders.store_id').onRef('checkouts.order_id', '=', 'orders.id'),
    )
    .select('orders.id')
    .where('orders.store_id', '=', p('storeId'))
    .where('orders.customer_id', '=', p('customerId'))
    .where('orders.id', '<>', p('except'))
    .where('orders.created_at', '>', p('since'))
    .whereRef('orders.placed_at', '=', 'orders.created_at')
    .where('checkouts.by_storefront', '=', 1)
    .limit(maxOfflineADay),
);

const notShipped = preparedColumn<{ storeId: string; except: string; max: number }, string>((db, p) =>
  unpaid(db, p('storeId'), p('except')).where('orders.unpaid_offline', '=', 1).limit(p('max')),
);

const ofAddress = preparedColumn<{ storeId: string; address: string; since: number }, number>((db, p) =>
  db
    .selectFrom('checkouts')
    .select('created_at')
    .where('store_id', '=', p('storeId'))
    .where('address_hash', '=', p('address'))
    .where(isOver)
    .where('created_at', '>', p('since'))
    .orderBy('created_at')
    .limit(maxOfflineAnHour),
);

const forget = preparedChange<{ storeId: string; since: number }>((db, p) =>
  db
    .updateTable('checkouts')
    .set({ address_hash: null })
    .where('store_id', '=', p('storeId'))
    .where('address_hash', 'is not', null)
    .where(isOver)
    .where('created_at', '<=', p('since')),
);

/**
 * Bounds the orders that storefront keys make without paying at once: anyone has such a key, and each order holds stock and sends mail. Call
 * it when the order of the request is written.
 * @returns the keyed digest of the network address that the new order counts for; null if it is not limited
 * @throws CommerceError `rateLimited` for the e-mail or the address; `tooManyOpenCheckouts` for the store
 */
export async function takeOfflinePlace(tx: TxContext, { id, customerId }: Order): Promise<string | null> {
  const { actor, address, engine, store, now } = tx;
  if (!actor.isPublic) return null;
  // Requests at the same moment must not all take the last place.
  await engine.storage.lockName(tx.db, `offline orders ${store.id}`);
  if (customerId !== null) {
    const open = await ofCustomer(tx.db, { storeId: store.id, customerId, except: id });
    if (open.length >= maxOfflineOfCustomer) {
      throw limited(`one e-mail address is ${maxOfflineOfCustomer} unpaid orders`, hour);
    }
    // Cancelled ones count, too: each order has sent mail to that address.
    const lately = await ofDay(tx.db, { storeId: store.id, customerId, except: id, since: now - 24 * hour });
    if (lately.length >= maxOfflineADay) throw limited(`one e-mail address is ${maxOfflineADay} orders a day`, hour);
  }
  const { maxOpenOffline } = store.settings;
  const waiting = await notShipped(tx.db, { storeId: store.id, except: id, max: maxOpenOffline });
  if (waiting.length >= maxOpenOffline) {
    throw new CommerceError(
      'tooManyOpenCheckouts',
      `the limit for unpaid orders that wait to be shipped is ${maxOpenOffline} (the store setting maxOpenOffline); choose another way to pay`,
    );
  }
  if (address === undefined) return null;
  const since = now - hour;
  await forget(tx.db, { storeId: store.id, since });
  const hash = engine.secrets.digest(networkOf(address), `offline orders ${store.id}`);
  const made = await ofAddress(tx.db, { storeId: store.id, address: hash, since });
  const [first = now] = made;
  if (made.length < maxOfflineAnHour) return hash;
  throw limited(`one network address is ${maxOfflineAnHour} orders an hour`, first + hour - now);
}

function limited(what: string, ms: number): CommerceError {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return new CommerceError(
    'rateLimited',
    `the limit for ${what} with a storefront key and a way to pay without a provider; choose another way to pay, or try again later`,
    { retryAfter: seconds },
  );
}
