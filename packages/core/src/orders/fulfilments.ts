import { factsOfKind } from '../engine/settings/payments.ts';
import type { Order } from './fields.ts';
import type { Fulfilment } from './fulfilment-fields.ts';

/** Pieces by the id of the line. */
export type Pieces = ReadonlyMap<string, number>;

/** The pieces of some lines; a line can be named more than once. */
export function piecesOf(lines: readonly { itemId: string; quantity: number }[]): Map<string, number> {
  const pieces = new Map<string, number>();
  for (const { itemId, quantity } of lines) pieces.set(itemId, (pieces.get(itemId) ?? 0) + quantity);
  return pieces;
}

/** True if goods of the order may leave before it is paid. */
export function shipsUnpaid({ paymentOption }: Pick<Order, 'paymentOption'>): boolean {
  return paymentOption !== null && factsOfKind(paymentOption.kind).shipsUnpaid;
}

/** True if the buyer of an order pays without a provider. */
export function isOffline({ paymentOption }: Pick<Order, 'paymentOption'>): boolean {
  return paymentOption !== null && factsOfKind(paymentOption.kind).isOffline;
}

/** True if a payment can still pay the order, which is not cancelled. */
export function isPayable({ status, paidAt }: Pick<Order, 'status' | 'paidAt'>): boolean {
  return status === 'pending' || (status === 'fulfilled' && paidAt === null);
}

/** True if something of the order is shipped. Other goods count as shipped with the payment. */
export function requiresShipping({ items }: Pick<Order, 'items'>): boolean {
  return items.some((line) => line.requiresShipping);
}

type HeldOrder = Pick<Order, 'status' | 'paidAt' | 'reservedUntil' | 'paymentOption' | 'fulfilments'>;

/**
 * True if an order that is not cancelled has taken its stock: with its payment, with its first parcel, or when it was fulfilled without any.
 */
export function hasTakenStock({
  status,
  paidAt,
  fulfilments,
}: Omit<HeldOrder, 'reservedUntil' | 'paymentOption'>): boolean {
  return paidAt !== null || fulfilments.length > 0 || status === 'fulfilled';
}

/** True if an order holds its stock until it is shipped or cancelled, and never expires. */
export function holdsWithoutEnd(order: HeldOrder): boolean {
  return order.status === 'pending' && shipsUnpaid(order);
}

/** True if stock is reserved for an order, whether its time is over or not. */
export function hasReservation(order: HeldOrder): boolean {
  return order.reservedUntil !== null || (holdsWithoutEnd(order) && !hasTakenStock(order));
}

/** Pieces of each line that are left to ship, none of a line that requires no shipping. @param refunded pieces that were refunded by lines */
export function leftToShip(
  { items, fulfilments }: Pick<Order, 'items' | 'fulfilments'>,
  refunded: Pieces,
): Map<string, number> {
  const shipped = piecesOf(fulfilments.flatMap(({ lines }) => lines));
  const gone = (id: string) => (refunded.get(id) ?? 0) + (shipped.get(id) ?? 0);
  return new Map(
    items.map(({ id, quantity, requiresShipping }) => [id, requiresShipping ? Math.max(0, quantity - gone(id)) : 0]),
  );
}

/** An order with these parcels, and the fields that follow from them. */
export function withFulfilments(order: Order, fulfilments: Fulfilment[], refunded: Pieces): Order {
  const left = leftToShip({ ...order, fulfilments }, refunded);
  const isWhole = fulfilments.length > 0 && [...left.values()].every((quantity) => quantity === 0);
  const delivered = fulfilments.map(({ deliveredAt }) => deliveredAt);
  return {
    ...order,
    fulfilments,
    fulfilmentStatus: isWhole ? 'fulfilled' : fulfilments.length > 0 ? 'partial' : 'unfulfilled',
    tracking: fulfilments.at(-1)?.tracking ?? null,
    fulfilledAt: isWhole ? latest(fulfilments.map(({ shippedAt }) => shippedAt)) : null,
    deliveredAt: isWhole ? latest(delivered) : null,
  };
}

/** The latest of some times; null if one of them is. */
function latest(times: readonly (string | null)[]): string | null {
  return times.reduce((a, b) => (a === null || b === null ? null : a > b ? a : b));
}
