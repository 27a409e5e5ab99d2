import type { Schemas } from '../../api/types.ts';
import { Badge, type Tone } from '../../kit/index.ts';
import { providerNames } from '../../kit/terms/payment.ts';
import { t } from '../../words/words.ts';

export { providerNames };

export type Payment = Schemas['Payment'];
export type ProviderName = Schemas['PaymentProvider']['provider'];
type Matched = NonNullable<Payment['matched']>;

const { statuses, matches, noMoney } = t.payments;

export const providerOptions = Object.entries(providerNames);

const statusTones: Record<Payment['status'], Tone> = {
  processing: 'wait',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'plain',
};

export const statusOptions = Object.entries(statuses);

export function PaymentStatus({ status }: { status: Payment['status'] }) {
  return <Badge tone={statusTones[status]}>{statuses[status]}</Badge>;
}

const matchTones: Record<Matched, Tone> = {
  paid: 'good',
  none: 'bad',
  mismatch: 'bad',
  second: 'bad',
  wrongPayee: 'bad',
  cancelledOrder: 'bad',
  insufficientStock: 'bad',
  refunded: 'plain',
  dismissed: 'plain',
};

export const matchOptions = Object.entries(matches).map(([value, { label }]) => [value, label] as const);

export function Match({ matched }: { matched: Payment['matched'] }) {
  if (matched === null) return <span class="quiet">–</span>;
  return <Badge tone={matchTones[matched]}>{matches[matched].label}</Badge>;
}

/** Why a payment is in this state, and what to do about it. */
export function whyOf({ matched, status }: Payment): string {
  if (matched !== null) return matches[matched].text;
  return status === 'failed' ? noMoney.failed : noMoney.open;
}

/** True if the payment needs a decision. */
export const isUnmatched = ({ matched }: Payment): boolean => matched !== null && matchTones[matched] === 'bad';
