import type { Schemas } from '../../api/types.ts';
import { Badge, type Tone } from '../../kit/text.tsx';
import { t } from '../../words/words.ts';

export type Order = Schemas['Order'];

const statuses: Record<Order['status'], Tone> = {
  pending: 'wait',
  paid: 'wait',
  fulfilled: 'good',
  cancelled: 'plain',
  refunded: 'plain',
};

const payments: Record<Order['paymentStatus'], Tone> = {
  pending: 'plain',
  processing: 'wait',
  succeeded: 'good',
  failed: 'bad',
  refunded: 'plain',
  partially_refunded: 'plain',
  cancelled: 'plain',
};

const statusNames: Record<Order['status'], string> = t.orders.status;
const paymentNames: Record<Order['paymentStatus'], string> = t.orders.payment;

export function OrderState({ status }: { status: Order['status'] }) {
  return <Badge tone={statuses[status]}>{statusNames[status]}</Badge>;
}

export function PaymentState({ status }: { status: Order['paymentStatus'] }) {
  return <Badge tone={payments[status]}>{paymentNames[status]}</Badge>;
}

export const statusOptions = Object.entries(statusNames);
export const paymentOptions = Object.entries(paymentNames);

/** The payment provider of an order in words. */
export function providerName(provider: string): string {
  return provider === 'manual' ? t.orders.paid.manual : provider.charAt(0).toUpperCase() + provider.slice(1);
}

/** The buyer, as far as the order itself says. */
export function buyerOf({ shippingAddress, billingAddress }: Order): string {
  const { firstName, lastName, company } = shippingAddress ?? billingAddress ?? {};
  return [firstName, lastName].filter(Boolean).join(' ') || company || '';
}

/** Total quantity of all lines. */
export function pieces({ items }: Order): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0);
}
