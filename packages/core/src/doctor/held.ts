import { runTransaction } from '../storage/run.ts';
import type { Db, Storage } from '../storage/storage.ts';

/** Pieces of a product that are held for an order. */
export interface Held {
  store_id: string;
  order_id: string;
  product_id: string;
}

/** Maximum number of reported held pieces; a check after the repair finds the rest. */
const maxHeld = 10_000;

/** Pieces held for an order that reserves nothing or does not exist. */
export function findHeldForNone(db: Db): Promise<Held[]> {
  return heldForNone(db).limit(maxHeld).execute();
}

function heldForNone(db: Db) {
  return db
    .selectFrom('reservations')
    .leftJoin('orders', (join) =>
      join
        .onRef('orders.store_id', '=', 'reservations.store_id')
        .onRef('orders.id', '=', 'reservations.order_id')
        .on('orders.reserved_until', 'is not', null),
    )
    .select(['reservations.store_id', 'reservations.order_id', 'reservations.product_id'])
    .where('orders.id', 'is', null);
}

/** Pieces freed in one transaction. */
const batch = 200;

/** Frees pieces, unless their order reserves them by then. */
export async function releaseHeld(storage: Storage, held: readonly Held[]): Promise<void> {
  for (let i = 0; i < held.length; i += batch) {
    await runTransaction(storage, async (db) => {
      for (const { store_id, order_id, product_id } of held.slice(i, i + batch)) {
        await db
          .deleteFrom('reservations')
          .where('store_id', '=', store_id)
          .where('order_id', '=', order_id)
          .where('product_id', '=', product_id)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('orders')
                  .select('orders.id')
                  .whereRef('orders.store_id', '=', 'reservations.store_id')
                  .whereRef('orders.id', '=', 'reservations.order_id')
                  .where('orders.reserved_until', 'is not', null),
              ),
            ),
          )
          .execute();
      }
    });
  }
}
