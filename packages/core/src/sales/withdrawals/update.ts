import { changedFields } from '../../audit/audit.ts';
import { audit } from '../../audit/entry.ts';
import type { Context, TxContext } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { invalid, quote } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { definedOnly, parse } from '../../kernel/parse.ts';
import { orderLookedFor } from '../../mail/of-withdrawals.ts';
import { orderExists } from '../../orders/orders.ts';
import { type Withdrawal, type WithdrawalChanges, withdrawalEntity } from '../../withdrawals/fields.ts';
import { lockWithdrawal, writeWithdrawal } from '../../withdrawals/withdrawals.ts';

/**
 * Changes the status, the order and the shop's note of a withdrawal; absent fields keep their values. An order makes it `matched`, and none
 * makes it `received` again, unless it is closed. Emits nothing.
 * @throws CommerceError `validation`, also for an order that does not exist, and for a status that contradicts the order; `notFound`;
 * `conflict` when the caller expects another version
 */
export async function updateWithdrawal(ctx: Context, id: string, input: WithdrawalChanges): Promise<Withdrawal> {
  const given = definedOnly(parse(withdrawalEntity.inputs().update, input));
  return transact(ctx, async (tx) => {
    const before = await lockWithdrawal(tx, id);
    const { orderId = before.orderId, merchantNote = before.merchantNote } = given;
    if (orderId !== before.orderId) await checkOrder(tx, orderId);
    const status = statusOf(before, given.status, orderId);
    const changed = { ...before, status, orderId, merchantNote };
    const changes = changedFields(before, changed);
    if (Object.keys(changes).length === 0) return before;
    const after = { ...changed, updatedAt: toTimestamp(tx.now) };
    await writeWithdrawal(tx, after);
    if (orderId !== before.orderId) await orderLookedFor(tx, id, orderId, { isBuyers: false });
    audit(tx, { action: 'withdrawal.updated', resourceType: 'withdrawal', resourceId: id, changes });
    return after;
  });
}

async function checkOrder(tx: TxContext, orderId: string | null): Promise<void> {
  if (orderId === null || (isId(orderId) && (await orderExists(tx.db, tx.store.id, orderId)))) return;
  throw invalid('orderId', `no order ${quote(orderId)} in this store`, { code: 'NOT_FOUND' });
}

/** An edited answer, which has the status from before, follows its order. */
function statusOf(
  before: Withdrawal,
  given: Withdrawal['status'] | undefined,
  orderId: string | null,
): Withdrawal['status'] {
  const wanted = given === undefined || given === before.status ? undefined : given;
  if (wanted === 'closed') return 'closed';
  const fitting = orderId === null ? 'received' : 'matched';
  if (wanted === undefined) return before.status === 'closed' ? 'closed' : fitting;
  if (wanted === fitting) return fitting;
  const reason = orderId === null ? 'must come with orderId' : 'must come with orderId null';
  throw invalid('status', `${reason}, if it is ${quote(wanted)}`, { code: 'CONFLICTING' });
}
