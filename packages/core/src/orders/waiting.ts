import { expressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { withoutEnd } from '../products/stock.ts';
import { preparedColumn } from '../storage/prepared.ts';
import type { Schema } from '../storage/schema.ts';
import type { Db } from '../storage/storage.ts';

const eb = expressionBuilder<Schema, 'orders'>();

/**
 * Unpaid orders whose goods may leave before the money arrives: on delivery, on pick-up, by invoice. Only they hold their stock without
 * end, until they are shipped. A literal, so that both engines use the index of reservations.
 */
const unpaidToShip = eb('reserved_until', '=', sql.lit(withoutEnd));

/** Orders of which something is shipped. */
export const isShipped = eb('no_shipping', '=', sql.lit(0));

/** Orders to ship: paid ones and `unpaidToShip`, with all or some of their pieces left. Goods that require no shipping are never left. */
export const isToShip = eb.and([eb.or([eb('status', '=', sql.lit('paid')), unpaidToShip]), isShipped]);

/** Unpaid orders to pay without a provider, shipped or not. A literal, so that the partial index applies. */
export const isUnpaidOffline = sql<boolean>`unpaid_offline > 0`;

type Orders = SelectQueryBuilder<Schema, 'orders', object>;

const counted = (narrow: (orders: Orders) => Orders) =>
  preparedColumn<{ storeId: string; max: number }, number>((db, p) =>
    db
      .selectFrom(
        narrow(db.selectFrom('orders').where('store_id', '=', p('storeId')))
          .select('id')
          .limit(p('max'))
          .as('some'),
      )
      .select((some) => some.fn.countAll<number>().as('n')),
  );

const toShip = counted((orders) => orders.where(unpaidToShip).where(isShipped));
const unpaid = counted((orders) => orders.where(isUnpaidOffline));

/** The number of unpaid orders that are to be shipped, counted up to `max`. */
export async function countUnpaidToShip(db: Db, storeId: string, max: number): Promise<number> {
  return (await toShip(db, { storeId, max }))[0] ?? 0;
}

/** The number of unpaid orders to pay without a provider, counted up to `max`. */
export async function countUnpaidOffline(db: Db, storeId: string, max: number): Promise<number> {
  return (await unpaid(db, { storeId, max }))[0] ?? 0;
}
