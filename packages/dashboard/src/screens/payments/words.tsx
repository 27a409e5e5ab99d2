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
  processing: ['wait', 'On its way'],
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
  paid: ['good', 'Paid its order', 'The order that it names counts as paid with it.'],
  none: [
    'bad',
    'No order',
    'It names no order of this shop. Apply it to the one that it was meant for, or send it back at the provider and dismiss it.',
  ],
  mismatch: [
    'bad',
    'Other amount',
    'Amount or currency are not those of the order that it names. Apply it to an order of exactly this amount, or send it back.',
  ],
  second: [
    'bad',
    'Paid twice',
    'The order that it names was paid already. Most often the buyer has paid twice and gets this back.',
  ],
  wrongPayee: [
    'bad',
    'Other account',
    'It went to another account at the provider than the one that is set up here. Look there first; then apply it or dismiss it.',
  ],
  cancelledOrder: [
    'bad',
    'Order cancelled',
    'The order that it names was cancelled before the money came. Send it back, or apply it to a new order.',
  ],
  insufficientStock: [
    'bad',
    'Nothing in stock',
    'The goods of its order are not in stock any more. Add stock and apply it to the order again, or send the money back.',
  ],
  refunded: ['plain', 'Refunded', 'All of it was sent back at the provider.'],
  dismissed: ['plain', 'Dismissed', 'Somebody took it off the list. It can still be applied to an order.'],
};

export const matchOptions = Object.entries(matches).map(([value, [, label]]) => [value, label] as const);

export function Match({ matched }: { matched: Payment['matched'] }) {
  if (matched === null) return <span class="quiet">–</span>;
  const [tone, label] = matches[matched];
  return <Badge tone={tone}>{label}</Badge>;
}

export function whyOf({ matched, status }: Payment): string {
  if (matched !== null) return matches[matched][2];
  return status === 'failed' ? 'The buyer’s attempt did not work; no money came.' : 'No money has come with it yet.';
}

/** True if the payment needs a decision. */
export const isUnmatched = ({ matched }: Payment): boolean =>
  matched !== null && !['paid', 'refunded', 'dismissed'].includes(matched);
