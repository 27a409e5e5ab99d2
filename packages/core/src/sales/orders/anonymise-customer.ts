import { forgetChanges } from '../../audit/audit.ts';
import { audit } from '../../audit/entry.ts';
import { emptyBook } from '../../customers/addresses.ts';
import { anonymousEmail } from '../../customers/anonymous.ts';
import { customers } from '../../customers/customers.ts';
import type { Customer } from '../../customers/fields.ts';
import { rewriteEvents } from '../../deliveries/outbox.ts';
import type { Context } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import { emit } from '../../events/emit.ts';
import { forgetAnswersAbout } from '../../idempotency/once.ts';
import type { Kept } from '../../invoices/fields.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { withCurrentStore } from '../../stores/current.ts';
import { anonymiseOrders } from './anonymise-orders.ts';
import { forgetWithdrawals } from './forget-withdrawals.ts';

/** A customer without the person, and the invoices that are kept with it. */
export type AnonymisedCustomer = Customer & { kept: Kept };

/**
 * Erases a person on request. The customer's record and id are kept: the e-mail becomes an address that cannot exist, and name, phone and
 * addresses are removed. The customer's orders are kept. Their address snapshots keep region and country, which tax reports need, and lose
 * all other personal data. Invoices and credit notes are kept with the person as long as `invoices.keepYears` says, because the law asks for
 * them; `kept` says how many, and how long.
 *
 * The person is also removed from events in the outbox, stored payment notifications, the audit log's values and kept answers to repeatable
 * requests, and from withdrawals of the orders or with the e-mail. Later and concurrent notifications of providers about the customer's orders are stored without the person. Data already sent to
 * subscribers cannot be erased. Emits `customer.updated` and, for each changed order, `order.updated`, so subscribers can erase it, too.
 * @throws CommerceError `notFound`
 */
export async function anonymiseCustomer(given: Context, id: string): Promise<AnonymisedCustomer> {
  const ctx = await withCurrentStore(given);
  return transact(ctx, async (tx) => {
    const before = await customers.lock(tx, id);
    const kept = await anonymiseOrders(tx, before);
    const anonymous: Customer = {
      ...before,
      email: anonymousEmail(id),
      name: null,
      phone: null,
      vatId: null,
      metadata: {},
      tags: [],
      marketingOptIn: false,
      ...emptyBook,
    };
    const unchanged = JSON.stringify(anonymous) === JSON.stringify(before);
    const customer = unchanged ? before : { ...anonymous, updatedAt: toTimestamp(tx.now) };
    const json = await customers.write(tx, { item: before }, customer);
    // Also those of no order.
    await forgetWithdrawals(tx, { orderIds: [], emails: [before.email] });
    // Also done for an anonymous customer, because a name can have been set and removed since.
    await rewriteEvents(tx, new Map([[id, json]]), before.createdAt);
    await forgetChanges(tx, id);
    await forgetAnswersAbout(tx, id);
    if (unchanged) return { ...before, kept };
    emit(tx, 'customer.updated', id, json);
    audit(tx, { action: 'customer.anonymised', resourceType: 'customer', resourceId: id });
    return { ...customer, kept };
  });
}
