import { sql } from 'kysely';
import { prepared } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';

/** The last number given out of a per-store sequence (`orders`, `products`). */
export interface SequenceTable {
  store_id: string;
  name: string;
  last: number;
}

const takeNext = prepared<{ storeId: string; name: string; first: number }, { last: number }>((db, p) =>
  db
    .insertInto('sequences')
    .values({ store_id: p('storeId'), name: p('name'), last: p('first') })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'name']).doUpdateSet({ last: sql<number>`sequences.last + 1` }),
    )
    .returning('last'),
);

/**
 * The next number of a store's sequence. Other transactions of the store that want one wait until this one ends, which is
 * what makes the numbers free of gaps while nothing rolls back.
 */
export async function nextNumber(tx: Db, storeId: string, name: 'orders' | 'products', first = 1): Promise<number> {
  const [row] = await takeNext(tx, { storeId, name, first });
  if (!row) throw new Error(`sequence ${name} gave no number`);
  return row.last;
}
