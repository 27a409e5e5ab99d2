import { shareOfPieces, sharesOf } from '../../../../core/src/sales/shares/shares.ts';
import type { Schemas } from '../../api/types.ts';
import { namedPieces } from '../../kit/form/pieces.ts';
import { fromMinorUnits, minorUnits } from '../../kit/money.ts';

export type Order = Schemas['Order'];
export type Refund = Schemas['Refund'];

/** True if the order was paid, and not all of its money was given back. */
export function hasMoney({ paymentStatus }: Pick<Order, 'paymentStatus'>): boolean {
  return paymentStatus === 'succeeded' || paymentStatus === 'partially_refunded';
}

/** A line of an order with what can still be refunded of it. */
export interface RefundableLine {
  item: Order['items'][number];
  /** Pieces that no refund was for. */
  left: number;
  /** The amount of so many of them, in minor units. */
  amountOf(quantity: number): bigint;
}

/** What can still be refunded of an order. Amounts are in minor units. */
export interface Refundable {
  decimals: number;
  /** Money that is left to give back. */
  left: bigint;
  /** Lines with pieces left. */
  lines: RefundableLine[];
  /** The shipping; undefined if there was none, or if it was refunded before. */
  shipping: bigint | undefined;
}

/**
 * What is left of an order after its refunds, also those that are under way.
 * @param refunds those that have not failed
 */
export function refundableOf(order: Order, refunds: readonly Refund[]): Refundable {
  // The interface writes amounts with all decimals of the currency.
  const decimals = order.total.split('.')[1]?.length ?? 0;
  const minor = (amount: string) => minorUnits(amount, decimals);
  const left = refunds.reduce((rest, { amount }) => rest - minor(amount), minor(order.total));
  const shares = sharesOf(order);
  const done = namedPieces(refunds);
  const lines = order.items.map((item, i): RefundableLine => {
    const before = done.get(item.id) ?? 0;
    const share = shares.lines[i] ?? 0n;
    return {
      item,
      left: item.quantity - before,
      amountOf: (quantity) => shareOfPieces(share, before, quantity, item.quantity),
    };
  });
  const isShippingLeft = shares.shipping > 0n && !refunds.some(({ shipping }) => shipping);
  return {
    decimals,
    left: left > 0n ? left : 0n,
    lines: lines.filter((line) => line.left > 0),
    shipping: isShippingLeft ? shares.shipping : undefined,
  };
}

/** Pieces and shipping that are chosen for a refund. */
export interface Choice {
  /** Pieces by line; lines without any are left out. */
  pieces: ReadonlyMap<string, number>;
  shipping: boolean;
}

/** What the chosen pieces and the shipping come to, in minor units. */
export function sumOf({ lines, shipping }: Refundable, choice: Choice): bigint {
  const ofLines = lines.reduce((sum, line) => sum + line.amountOf(choice.pieces.get(line.item.id) ?? 0), 0n);
  return ofLines + (choice.shipping ? (shipping ?? 0n) : 0n);
}

/** The decimal string of minor units of an order. */
export function amountText({ decimals }: Pick<Refundable, 'decimals'>, minor: bigint): string {
  return fromMinorUnits(minor, decimals);
}

/** Whether all chosen pieces are in no parcel yet. @param toShip lines with pieces that are in no parcel */
export function isUnsent(
  refunds: readonly Refund[],
  { pieces }: Choice,
  toShip: readonly { item: { id: string }; left: number }[],
): boolean {
  return (
    pieces.size > 0 &&
    [...pieces].every(([itemId, quantity]) => {
      const unsent = toShip.find(({ item }) => item.id === itemId)?.left ?? 0;
      const before = refunds
        .flatMap(({ lines }) => lines ?? [])
        .reduce((sum, line) => (line.itemId === itemId ? sum + line.quantity : sum), 0);
      return quantity <= unsent - before;
    })
  );
}
