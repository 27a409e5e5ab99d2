import type { Schemas } from '../../api/types.ts';
import { Badge, type Tone } from '../../kit/text.tsx';

export type Order = Schemas['Order'];

const statuses: Record<Order['status'], readonly [Tone, string]> = {
  pending: ['wait', 'Pending'],
  paid: ['wait', 'To send'],
  fulfilled: ['good', 'Sent'],
  cancelled: ['plain', 'Cancelled'],
  refunded: ['plain', 'Refunded'],
};

const payments: Record<Order['paymentStatus'], readonly [Tone, string]> = {
  pending: ['plain', 'Not paid'],
  processing: ['wait', 'In progress'],
  succeeded: ['good', 'Paid'],
  failed: ['bad', 'Failed'],
  refunded: ['plain', 'Refunded'],
  partially_refunded: ['plain', 'Partially refunded'],
  cancelled: ['plain', 'Cancelled'],
};

export function OrderState({ status }: { status: Order['status'] }) {
  const [tone, label] = statuses[status];
  return <Badge tone={tone}>{label}</Badge>;
}

export function PaymentState({ status }: { status: Order['paymentStatus'] }) {
  const [tone, label] = payments[status];
  return <Badge tone={tone}>{label}</Badge>;
}

const options = <T extends string>(of: Record<T, readonly [Tone, string]>) =>
  Object.entries<readonly [Tone, string]>(of).map(([value, [, label]]) => [value, label] as const);

export const statusOptions = options(statuses);
export const paymentOptions = options(payments);

/** The buyer, as far as the order itself tells. */
export function buyerOf({ shippingAddress, billingAddress }: Order): string {
  const { firstName, lastName, company } = shippingAddress ?? billingAddress ?? {};
  return [firstName, lastName].filter(Boolean).join(' ') || company || '';
}

/** Total quantity of all lines. */
export function pieces({ items }: Order): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0);
}
