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
import { anonymousEmail } from './anonymous.ts';
import { customers, writeCustomer } from './customers.ts';
import type { Customer } from './fields.ts';

/**
 * Erases a person on request. The customer's record stays with its id: the e-mail becomes an address that cannot exist; name,
 * phone and addresses are removed. The customer's orders stay; their address snapshots keep region and country, which tax
 * reports need, and lose everything else about the person. The person is also removed from events in the outbox, stored
 * payment notifications, the audit log's values and kept answers to repeatable requests. What a provider tells of the customer's
 * orders later on, or is telling at the moment, is stored without the person. Data already sent to subscribers is beyond reach; emits `customer.updated` and, for each changed order, `order.updated`, so that they can follow.
 * @throws CommerceError `notFound`
 */
export async function anonymiseCustomer(ctx: Context, id: string): Promise<Customer> {
  return transact(ctx, async (tx) => {
    const before = await customers.lock(tx, id);
    await anonymiseOrders(tx, before);
    const anonymous: Customer = {
      ...before,
      email: anonymousEmail(id),
      name: null,
      phone: null,
      marketingOptIn: false,
      ...emptyBook,
    };
    const unchanged = JSON.stringify(anonymous) === JSON.stringify(before);
    const customer = unchanged ? before : { ...anonymous, updatedAt: toTimestamp(tx.now) };
    const json = await writeCustomer(tx, customer);
    // Done for an anonymous customer too: a name may have been set and removed since.
    await rewriteEvents(tx, new Map([[id, json]]), before.createdAt);
    await forgetChanges(tx, id);
    await forgetAnswersAbout(tx, id);
    if (unchanged) return before;
    emit(tx, 'customer.updated', id, json);
    audit(tx, { action: 'customer.anonymised', resourceType: 'customer', resourceId: id });
    return customer;
  });
}
