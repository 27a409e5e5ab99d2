import type { Context } from '../engine/context.ts';
import type { CollectionTable } from '../kernel/nouns.ts';
import { reading } from '../storage/run.ts';

/** Tables whose rows a user can name by the beginning of an id. */
export type IdTable =
  | CollectionTable
  | 'orders'
  | 'discounts'
  | 'payments'
  | 'payment_notifications'
  | 'media'
  | 'webhooks'
  | 'deliveries'
  | 'mails'
  | 'withdrawals'
  | 'invoices'
  | 'api_keys'
  | 'users';

/** More matches would not help: the prefix is too short. */
const maxFound = 5;

const shape = '00000000-0000-0000-0000-000000000000';

/**
 * Up to five ids of a store that begin with a text of 8 to 36 characters. Found between the least and the greatest id with that prefix; ids
 * of the same shape sort the same in every collation.
 */
export async function findIdsByPrefix(
  { engine, store }: Pick<Context, 'engine' | 'store'>,
  table: IdTable,
  prefix: string,
): Promise<string[]> {
  if (!/^[0-9a-f-]{8,36}$/.test(prefix)) return [];
  const least = prefix + shape.slice(prefix.length);
  const greatest = prefix + shape.slice(prefix.length).replaceAll('0', 'f');
  const rows = await reading(engine.storage, (db) =>
    db
      .selectFrom(table)
      .select('id')
      .where('store_id', '=', store.id)
      .where('id', '>=', least)
      .where('id', '<=', greatest)
      .orderBy('id')
      .limit(maxFound)
      .execute(),
  );
  return rows.map(({ id }) => id);
}
