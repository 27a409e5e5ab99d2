import { sql } from 'kysely';
import { preparedValue } from '../storage/prepared.ts';

/** The last number given out of a per-store sequence (`orders`, `products`). */
export interface SequenceTable {
  store_id: string;
  name: string;
  last: number;
}

/**
 * The next number of a store's sequence. Other transactions of the store that want one wait until this one ends, which is
 * what makes the numbers free of gaps while nothing rolls back.
 */
export const nextNumber = preparedValue<{ storeId: string; name: 'orders' | 'products'; first: number }, number>(
  (db, p) =>
    db
      .insertInto('sequences')
      .values({ store_id: p('storeId'), name: p('name'), last: p('first') })
      .onConflict((conflict) =>
        conflict.columns(['store_id', 'name']).doUpdateSet({ last: sql<number>`sequences.last + 1` }),
      )
      .returning('last'),
);
