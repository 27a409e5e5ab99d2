import { CommerceError } from '../kernel/errors.ts';
import type { Order, OrderStatus } from './fields.ts';
import { shipsUnpaid } from './fulfilments.ts';

/** Cause of a status change: a person's request, a parcel, a payment, a refund, or the end of the time to pay. */
export type Mover = 'person' | 'parcel' | 'payment' | 'refund' | 'expiry';

interface Move {
  from: OrderStatus;
  to: OrderStatus;
  by: Mover;
  /** A condition in addition to the status, in words and as a test. */
  only?: { when: string; holds: (order: MovedOrder) => boolean };
}

type MovedOrder = Pick<Order, 'status' | 'fulfilledAt' | 'cancelReason' | 'paidAt' | 'paymentOption'>;

const expired = { when: 'it expired', holds: ({ cancelReason }: MovedOrder) => cancelReason === 'expired' };
const fulfilled = { when: 'it was fulfilled', holds: ({ fulfilledAt }: MovedOrder) => fulfilledAt !== null };
const paid = { when: 'it was paid', holds: ({ paidAt }: MovedOrder) => paidAt !== null };
const unpaid = { when: 'it was not paid', holds: ({ paidAt }: MovedOrder) => paidAt === null };
const first = { when: 'it ships before it is paid', holds: shipsUnpaid };
const unfulfilled = { when: 'it was not fulfilled', holds: ({ fulfilledAt }: MovedOrder) => fulfilledAt === null };

/** Every allowed status change of an order. */
export const moves: readonly Move[] = [
  { from: 'pending', to: 'cancelled', by: 'person' },
  { from: 'pending', to: 'cancelled', by: 'expiry' },
  { from: 'pending', to: 'paid', by: 'payment' },
  { from: 'cancelled', to: 'paid', by: 'payment', only: expired },
  // The money arrived late, but stock is short at present.
  { from: 'cancelled', to: 'pending', by: 'payment', only: expired },
  { from: 'paid', to: 'fulfilled', by: 'person' },
  { from: 'pending', to: 'fulfilled', by: 'person', only: first },
  { from: 'paid', to: 'fulfilled', by: 'parcel' },
  { from: 'pending', to: 'fulfilled', by: 'parcel', only: first },
  // A parcel that was recorded by mistake.
  { from: 'fulfilled', to: 'paid', by: 'parcel', only: paid },
  { from: 'fulfilled', to: 'pending', by: 'parcel', only: unpaid },
  // The buyer refused the parcel.
  { from: 'fulfilled', to: 'cancelled', by: 'person', only: unpaid },
  { from: 'paid', to: 'cancelled', by: 'person' },
  { from: 'paid', to: 'refunded', by: 'refund' },
  { from: 'fulfilled', to: 'refunded', by: 'refund' },
  // A completed refund failed afterwards.
  { from: 'refunded', to: 'paid', by: 'refund', only: unfulfilled },
  { from: 'refunded', to: 'fulfilled', by: 'refund', only: fulfilled },
  { from: 'refunded', to: 'cancelled', by: 'person', only: unfulfilled },
];

function possible(order: MovedOrder, by: Mover): OrderStatus[] {
  return moves
    .filter((move) => move.from === order.status && move.by === by && (move.only?.holds(order) ?? true))
    .map(({ to }) => to);
}

/** @throws CommerceError `conflict` for a status change that a person cannot request */
export function checkMove(order: MovedOrder & Pick<Order, 'orderNumber'>, to: OrderStatus): void {
  const { orderNumber, status } = order;
  const targets = possible(order, 'person');
  if (targets.includes(to)) return;
  const hint =
    to === 'paid'
      ? 'an order becomes paid only through a payment'
      : targets.length === 0
        ? 'this status is final'
        : `it can become ${targets.join(' or ')}`;
  const reason = `order ${orderNumber} is ${status} and cannot become ${to}: ${hint}`;
  throw new CommerceError('conflict', `status: ${reason}`, {
    details: [{ field: 'status', reason, code: 'CONFLICTING', limits: { values: targets } }],
    reason: 'orderStatus',
  });
}

/** True for a status change that some cause allows; writing any other would be a bug. */
export function isMove(order: MovedOrder, to: OrderStatus): boolean {
  return moves.some((move) => move.from === order.status && move.to === to && (move.only?.holds(order) ?? true));
}
