import type { TxContext } from '../../engine/context.ts';
import type { AttemptNotice, PaymentMethod, PaymentNotice } from '../../providers/notice.ts';
import type { PaymentTable } from '../../storage/tables/payments.ts';
import type { Target } from './target.ts';

/** A payment with nothing but its name. */
export function newPayment(tx: TxContext, provider: string, providerPaymentId: string): PaymentTable {
  return {
    store_id: tx.store.id,
    id: tx.engine.ids.next(tx.now),
    provider,
    provider_payment_id: providerPaymentId,
    provider_order: null,
    order_id: null,
    status: 'processing',
    version: null,
    amount: null,
    currency: null,
    captured: 0,
    refunded: 0,
    matched: null,
    wrong_payee: 0,
    reference: null,
    method: null,
    details: null,
    related_ids: '{}',
    disputes: '[]',
    dispute_status: null,
    dispute_due_at: null,
    status_since: tx.now,
    dismissed_at: null,
    paid_at: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
}

/** The payment with ids, method and order from a notice; the decision about its state comes later. */
export function draftPayment(
  tx: TxContext,
  provider: string,
  notice: AttemptNotice,
  { payment, order, orderId, paymentId }: Target & { paymentId: string },
): PaymentTable {
  const base = payment ?? newPayment(tx, provider, paymentId);
  // A failed attempt can have used another card than the one that paid.
  const method = notice.kind === 'failed' || notice.kind === 'cancelled' ? unknownMethod : notice;
  return {
    ...base,
    ...methodWith(base, method),
    provider_order: base.provider_order ?? notice.ids.order ?? null,
    order_id: order?.id ?? orderId,
    related_ids: relatedWith(base, notice),
  };
}

const unknownMethod: PaymentMethod = { method: null, details: null };

/** Adds the ids of a notice to a payment's `related_ids`. The charge that succeeded replaces one that failed. */
export function relatedWith(payment: PaymentTable, notice: PaymentNotice): string {
  const { payment: _, ...ids } = notice.ids;
  const known = JSON.parse(payment.related_ids) as PaymentNotice['ids'];
  const replaces = notice.kind === 'succeeded' && payment.status !== 'succeeded';
  return JSON.stringify(replaces ? { ...known, ...ids } : { ...ids, ...known });
}

/** Adds the method and details of a notice to a payment's; the first known values stay. */
export function methodWith(
  payment: PaymentTable,
  { method, details }: PaymentMethod,
): Pick<PaymentTable, 'method' | 'details'> {
  return {
    method: payment.method ?? method,
    details: payment.details ?? (details === null ? null : JSON.stringify(details)),
  };
}
