import { CommerceError } from '../errors.ts';
import type { OrderStatus } from './fields.ts';

/** The moves that a person can make. A payment alone makes `paid`, refunds alone make `refunded`. */
const moves = {
  pending: ['cancelled'],
  paid: ['fulfilled', 'cancelled'],
  fulfilled: [],
  cancelled: [],
  refunded: [],
} as const satisfies Record<OrderStatus, readonly OrderStatus[]>;

/** @throws CommerceError `conflict` */
export function checkMove(orderNumber: string, from: OrderStatus, to: OrderStatus): void {
  const possible: readonly OrderStatus[] = moves[from];
  if (possible.includes(to)) return;
  const hint =
    to === 'paid'
      ? 'only a payment makes an order paid'
      : possible.length === 0
        ? 'nothing follows it'
        : `it can become ${possible.join(' or ')}`;
  const reason = `order ${orderNumber} is ${from} and cannot become ${to}: ${hint}`;
  throw new CommerceError('conflict', `status: ${reason}`, { details: [{ field: 'status', reason }] });
}
