import { audit } from '../../audit/entry.ts';
import type { TxContext } from '../../engine/context.ts';
import { emit } from '../../events/emit.ts';
import { toJson } from '../../kernel/json.ts';
import { noteDispute } from '../../orders/changes.ts';
import type { Order } from '../../orders/fields.ts';
import { readDisputes } from '../../payments/disputes.ts';
import { toPayment } from '../../payments/payments.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';

/**
 * Emits `payment.disputed` for a new dispute of a payment, and writes an audit entry for a new one and for each change of status. Notes the
 * change for the invoices of the order.
 */
export function announceDisputes(
  tx: TxContext,
  before: PaymentTable | null,
  payment: PaymentTable,
  order: Order | null,
): void {
  if (payment.disputes === (before?.disputes ?? '[]')) return;
  if (order) noteDispute(tx, order);
  const known = new Map((before ? readDisputes(before) : []).map((dispute) => [dispute.id, dispute.status]));
  const disputes = toPayment(payment).disputes;
  if (disputes.some(({ id }) => !known.has(id))) emit(tx, 'payment.disputed', payment.id, toJson(toPayment(payment)));
  const about = order
    ? { resourceType: 'order', resourceId: order.id }
    : { resourceType: 'payment', resourceId: payment.id };
  for (const { id: disputeId, amount, reason, status } of disputes) {
    const was = known.get(disputeId);
    if (was === status) continue;
    const facts = { payment: payment.id, disputeId, amount, currency: payment.currency };
    const changes = was === undefined ? { ...facts, reason, status } : { ...facts, status: { from: was, to: status } };
    audit(tx, { action: was === undefined ? 'payment.disputed' : 'payment.dispute_changed', ...about, changes });
  }
}
