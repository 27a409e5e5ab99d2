import type { TxContext } from '../engine/context.ts';
import { preparedColumn } from '../storage/prepared.ts';

/** The e-mail of an anonymised customer, an address that cannot exist. */
export function anonymousEmail(id: string): string {
  return `anonymised-${id}@customer.invalid`;
}

const emailOf = preparedColumn<{ storeId: string; id: string }, string>((db, p) =>
  db.selectFrom('customers').select('email').where('store_id', '=', p('storeId')).where('id', '=', p('id')),
);

/**
 * True if a customer was anonymised. Call it once an order of the customer is locked. An anonymisation that has not committed by then waits
 * for that order, and finds everything written about the person until then.
 */
export async function isAnonymous(tx: TxContext, customerId: string | null): Promise<boolean> {
  if (customerId === null) return false;
  const [email] = await emailOf(tx.db, { storeId: tx.store.id, id: customerId });
  return email === anonymousEmail(customerId);
}
