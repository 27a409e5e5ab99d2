import { forgetChanges } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import { toTimestamp } from '../clock.ts';
import type { Context } from '../context.ts';
import { rewriteEvents } from '../deliveries/outbox.ts';
import { emit } from '../events/emit.ts';
import { forgetAnswersAbout } from '../idempotency/once.ts';
import { anonymiseOrders } from '../orders/anonymise.ts';
import { transact } from '../transaction.ts';
import { emptyBook } from './addresses.ts';
import { customers, writeCustomer } from './customers.ts';
import type { Customer } from './fields.ts';

/**
 * Answers a request for erasure. The customer stays as a number without a person: e-mail replaced by an address that cannot
 * exist, name, phone and addresses gone. The customer's orders stay; their snapshots keep region and country, which tax
 * reports need, and lose everything else about the person. The same is done to what is kept about them elsewhere: events in
 * the outbox, the payment notifications as received, the audit log's values, answers that are kept for requests sent again. What subscribers were sent is beyond reach;
 * emits `customer.updated` and, for each order that changes, `order.updated`, so that they can follow.
 * @throws CommerceError `notFound`
 */
export async function anonymiseCustomer(ctx: Context, id: string): Promise<Customer> {
  return transact(ctx, async (tx) => {
    const before = await customers.lock(tx, id);
    await anonymiseOrders(tx, before);
    const anonymous: Customer = {
      ...before,
      email: `anonymised-${id}@customer.invalid`,
      name: null,
      phone: null,
      marketingOptIn: false,
      ...emptyBook,
    };
    const unchanged = JSON.stringify(anonymous) === JSON.stringify(before);
    const customer = unchanged ? before : { ...anonymous, updatedAt: toTimestamp(tx.now) };
    const json = await writeCustomer(tx, customer);
    // Also of one who is anonymous already: a name may have come and gone since.
    await rewriteEvents(tx, new Map([[id, json]]), before.createdAt);
    await forgetChanges(tx, id);
    await forgetAnswersAbout(tx, id);
    if (unchanged) return before;
    emit(tx, 'customer.updated', id, json);
    audit(tx, { action: 'customer.anonymised', resourceType: 'customer', resourceId: id });
    return customer;
  });
}
