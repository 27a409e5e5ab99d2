import type { Schemas } from '../../api/types.ts';
import { Badge, type Tone } from '../../kit/text.tsx';
import { countryName } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { dueWords } from './unpaid.ts';

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
export const paymentNames: Record<Order['paymentStatus'], string> = t.orders.payment;

/** The status; of an unpaid order without a provider, how it is to be paid. */
export function OrderState({ order }: { order: Order }) {
  const { status, fulfilmentStatus } = order;
  const words =
    status === 'pending'
      ? dueWords(order)
      : status === 'paid' && fulfilmentStatus === 'partial'
        ? t.orders.partlyShipped
        : undefined;
  return <Badge tone={statuses[status]}>{words ?? statusNames[status]}</Badge>;
}

/** The status with all that is to be known beside it: an order can be shipped and unpaid. */
export function OrderStates({ order }: { order: Order }) {
  const { status, fulfilmentStatus, deliveredAt } = order;
  const due = dueWords(order);
  return (
    <>
      <OrderState order={order} />
      {status === 'pending' && fulfilmentStatus === 'partial' && <Badge tone="wait">{t.orders.partlyShipped}</Badge>}
      {status === 'fulfilled' && due && <Badge tone="wait">{due}</Badge>}
      {status === 'fulfilled' && deliveredAt && <Badge tone="good">{t.orders.delivered}</Badge>}
    </>
  );
}

export function PaymentState({ status }: { status: Order['paymentStatus'] }) {
  return <Badge tone={payments[status]}>{paymentNames[status]}</Badge>;
}

export const statusOptions = Object.entries(statusNames);
export const paymentOptions = Object.entries(paymentNames);

/** The buyer, as far as the order itself says. */
export function buyerOf({ shippingAddress, billingAddress }: Order): string {
  const { firstName, lastName, company } = shippingAddress ?? billingAddress ?? {};
  return [firstName, lastName].filter(Boolean).join(' ') || company || '';
}

/** Name of the country that the goods go to, or else of the invoice. */
export function countryOf({ shippingAddress, billingAddress }: Order): string {
  const country = shippingAddress?.country ?? billingAddress?.country;
  return country ? countryName(country) : '';
}

/** Total quantity of all lines. */
export function pieces({ items }: Order): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0);
}
