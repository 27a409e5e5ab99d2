import { z } from 'zod';
import { toTimestamp } from '../clock.ts';
import { audit, emit, type TxContext } from '../context.ts';
import { toJson } from '../json.ts';
import { fields, text } from '../parse.ts';

/** A customer as every interface answers it. */
export interface Customer {
  id: string;
  storeId: string;
  /** As it was given; compared trimmed and in lower case. */
  email: string;
  name: string | null;
  phone: string | null;
  marketingOptIn: boolean;
  defaultAddressId: string | null;
  addresses: never[];
  createdAt: string;
  updatedAt: string;
}

/** What an order says about the person who buys. */
export const CustomerContact = fields({
  email: text(320)
    .transform((email) => email.trim())
    .pipe(z.email('must be an e-mail address')),
  name: text(255).nullable().default(null),
  phone: text(64).nullable().default(null),
});
export type CustomerContactInput = z.input<typeof CustomerContact>;

/**
 * The id of the customer with that e-mail; one is made when there is none. A customer who is found is left as they are: a
 * checkout form is no reason to overwrite what the shop knows. Emits `customer.created` for a new one.
 */
export async function findOrCreateCustomer(tx: TxContext, contact: z.output<typeof CustomerContact>): Promise<string> {
  const now = toTimestamp(tx.now);
  const customer: Customer = {
    id: tx.engine.ids.next(tx.now),
    storeId: tx.store.id,
    email: contact.email,
    name: contact.name,
    phone: contact.phone,
    marketingOptIn: false,
    defaultAddressId: null,
    addresses: [],
    createdAt: now,
    updatedAt: now,
  };
  const email = contact.email.toLowerCase();
  const json = toJson(customer);
  const made = await tx.db
    .insertInto('customers')
    .values({ store_id: tx.store.id, id: customer.id, email, created_at: tx.now, json })
    .onConflict((conflict) => conflict.columns(['store_id', 'email']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made) {
    emit(tx, 'customer.created', customer.id, json);
    audit(tx, { action: 'customer.created', resourceType: 'customer', resourceId: customer.id });
    return customer.id;
  }
  const found = await tx.db
    .selectFrom('customers')
    .select('id')
    .where('store_id', '=', tx.store.id)
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return found.id;
}

/** True when the store has a customer with that id. */
export async function customerExists(tx: TxContext, id: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('customers')
    .select('id')
    .where('store_id', '=', tx.store.id)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}
