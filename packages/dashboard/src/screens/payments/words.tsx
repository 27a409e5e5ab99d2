import type { Schemas } from '../../api/types.ts';
import { Badge, type Tone } from '../../kit/index.ts';

export type Payment = Schemas['Payment'];
export type ProviderName = Schemas['PaymentProvider']['provider'];
type Matched = NonNullable<Payment['matched']>;

export const providerNames: Record<Payment['provider'], string> = {
  stripe: 'Stripe',
  paypal: 'PayPal',
  square: 'Square',
  manual: 'By hand',
};

export const providerOptions = Object.entries(providerNames);

const states: Record<Payment['status'], readonly [Tone, string]> = {
  processing: ['wait', 'In progress'],
  succeeded: ['good', 'Succeeded'],
  failed: ['bad', 'Failed'],
  cancelled: ['plain', 'Cancelled'],
};

export const statusOptions = Object.entries(states).map(([value, [, label]]) => [value, label] as const);

export function PaymentStatus({ status }: { status: Payment['status'] }) {
  const [tone, label] = states[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** State of a payment: a word, its meaning, and the action that it needs. */
const matches: Record<Matched, readonly [Tone, string, string]> = {
  paid: ['good', 'Paid an order', 'It paid the order that it refers to.'],
  none: [
    'bad',
    'No order',
    'It refers to no order of this shop. Apply it to the right order, or refund it at the provider and dismiss it.',
  ],
  mismatch: [
    'bad',
    'Other amount',
    'Its amount or currency differs from its order. Apply it to an order of exactly this amount, or refund it.',
  ],
  second: [
    'bad',
    'Paid twice',
    'Its order was already paid. Usually the buyer paid twice, and you refund this payment.',
  ],
  wrongPayee: [
    'bad',
    'Other account',
    'It was paid to another provider account than the one set up here. Check that account first; then apply or dismiss it.',
  ],
  cancelledOrder: [
    'bad',
    'Order cancelled',
    'Its order was cancelled before the payment arrived. Refund it, or apply it to a new order.',
  ],
  insufficientStock: [
    'bad',
    'Nothing in stock',
    'The products of its order are out of stock. Add stock and apply it to the order again, or refund it.',
  ],
  refunded: ['plain', 'Refunded', 'It was fully refunded at the provider.'],
  dismissed: ['plain', 'Dismissed', 'It was dismissed. It can still be applied to an order.'],
};

export const matchOptions = Object.entries(matches).map(([value, [, label]]) => [value, label] as const);

export function Match({ matched }: { matched: Payment['matched'] }) {
  if (matched === null) return <span class="quiet">–</span>;
  const [tone, label] = matches[matched];
  return <Badge tone={tone}>{label}</Badge>;
}

export function whyOf({ matched, status }: Payment): string {
  if (matched !== null) return matches[matched][2];
  return status === 'failed' ? 'The buyer’s payment failed; no money arrived.' : 'No money has arrived yet.';
}

/** True if the payment needs a decision. */
export const isUnmatched = ({ matched }: Payment): boolean =>
  matched !== null && !['paid', 'refunded', 'dismissed'].includes(matched);
