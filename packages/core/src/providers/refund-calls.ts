import { isId } from '../kernel/ids.ts';
import type { Minor } from '../kernel/money.ts';
import { cut } from './checkout-texts.ts';
import type { NamedRefundFacts, PaymentIds } from './notice.ts';
import { type CallLimits, judge } from './provider-api.ts';
import type { Refusal } from './refusal.ts';

/** A refund to ask a provider for. A later request with the same `refundId` has to be the same in everything but `now`. */
export interface RefundRequest {
  /** Our id: the idempotency key of the call, and named in the provider's refund. */
  refundId: string;
  payment: PaymentIds;
  /** The order that the payment paid; null for money that paid none. */
  orderId: string | null;
  /** In minor units of `currency`, which has `decimals` decimals. */
  amount: Minor;
  currency: string;
  decimals: number;
  now: number;
}

/** The provider's answer: its refund, or the reason why it makes none. */
export type RefundAnswer = { refund: NamedRefundFacts } | { refused: string };

/**
 * The refunds of one provider. Every function calls the provider, so never call one inside a transaction.
 * @throws CommerceError `unavailable` if the provider gives no answer. After `refund`, it can still have made the refund.
 */
export interface RefundCalls<Settings> {
  /** True if these settings open the provider's API. */
  ready(settings: Settings): boolean;
  /** Asks for the refund once; the same `refundId` again gets the refund that the first call made. */
  refund(request: RefundRequest, settings: Settings): Promise<RefundAnswer>;
  /** Looks for the refund among those of its payment; null if it is not there. */
  find(request: RefundRequest, settings: Settings): Promise<NamedRefundFacts | null>;
}

/**
 * A single try: after one without an answer, the provider can have made the refund, so that a refusal of a second try would not mean that
 * there is none.
 */
export const refundLimits: CallLimits = { timeout: 10_000, tries: 1, judge };

const mark = 'refund ';

/** Our id in the form in which a text at the provider contains it. A bare id there is that of an order. */
export function refundMark(refundId: string): string {
  return mark + refundId;
}

/** Our id of a refund in a provider's text; null if it contains none. */
export function markedRefund(text: string | null): string | null {
  const id = text?.startsWith(mark) ? text.slice(mark.length) : '';
  return isId(id) ? id : null;
}

/** A refusal for the merchant, without a secret. */
export function refusalText({ provider, status, code, message }: Refusal, secrets: readonly (string | undefined)[]) {
  let text = `${provider} refused the refund (${[status, code].filter(Boolean).join(', ')})${message ? `: ${message}` : ''}`;
  for (const secret of secrets) if (secret) text = text.replaceAll(secret, '…');
  return cut(text, 400);
}
