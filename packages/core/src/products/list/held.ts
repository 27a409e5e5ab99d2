import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '../../storage/storage.ts';

/**
 * The condition that orders hold every piece of a product, so that it cannot be bought now. Reservations end by themselves, so a column
 * cannot say this.
 */
export function isHeld(storeId: string, now: number, alias: string): Expression<SqlBool> {
  const product = (column: string) => sql.ref(`${alias}.${column}`);
  return sql<SqlBool>`(+${product('track_stock')} = 1 and +${product('allow_backorder')} = 0 and coalesce((
    select sum(quantity) from reservations where store_id = ${storeId} and product_id = ${product('id')}
    and expires_at > ${now}), 0) >= ${product('stock')})`;
}

/** The time at which the first reservation of a store ends that has not ended yet; undefined without one. */
export async function nextRelease(db: Db, storeId: string, now: number): Promise<number | undefined> {
  const { next } = await db
    .selectFrom('reservations')
    .select((eb) => eb.fn.min<number | string | null>('expires_at').as('next'))
    .where('store_id', '=', storeId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return next === null ? undefined : Number(next);
}

/** The ids of the products with stock, every piece of which is held, in order. */
export async function heldProducts(db: Db, storeId: string, now: number): Promise<string[]> {
  // Begins with the few reservations: `cross join` keeps SQLite from beginning with all products that have stock.
  const { rows } = await sql<{ id: string }>`
    select p.id from (
      select product_id, sum(quantity) as held from reservations
      where store_id = ${storeId} and expires_at > ${now} group by product_id
    ) as r cross join products as p where p.store_id = ${storeId} and p.id = r.product_id
    and +p.can_buy = 1 and ${isHeld(storeId, now, 'p')} order by p.id`.execute(db);
  return rows.map(({ id }) => id);
}
