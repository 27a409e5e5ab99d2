import type { TxContext } from '../engine/context.ts';
import { quarterOf } from '../kernel/calendar.ts';
import { type Minor, parseMoney } from '../kernel/money.ts';
import type { Order } from '../orders/fields.ts';
import { pendingCounts } from '../resources/counts.ts';
import type { SalesList } from '../storage/tables/resources.ts';

/** An addition to the sums of sales, which are stored among the counts of lists. Written in the transaction that settles the payment. */
export interface SalesSum {
  list: SalesList;
  value: string;
  /** Orders, pieces or minor units. */
  n: number;
}

/** The amounts that a paid order adds to the sums at its payment time. Free orders and orders cancelled later count too. */
export function sumsOfSale(order: Order, decimals: number): SalesSum[] {
  if (order.paidAt === null) return [];
  const minor = (amount: string) => Number(parseMoney(amount, decimals) ?? 0n);
  const paidAt = Date.parse(order.paidAt);
  const at = quarterOf(paidAt);
  return [
    { list: 'sales.orders', value: at, n: 1 },
    { list: 'sales.gross', value: at, n: minor(order.total) },
    { list: 'sales.countryOrders', value: `${at} ${countryOf(order)}`, n: 1 },
    { list: 'sales.countryGross', value: `${at} ${countryOf(order)}`, n: minor(order.total) },
    ...order.items.flatMap(({ productId, quantity, unitPrice, lineDiscount }): SalesSum[] => [
      { list: 'sales.productQuantity', value: `${at} ${productId}`, n: quantity },
      {
        list: 'sales.productGross',
        value: `${at} ${productId}`,
        n: minor(unitPrice) * quantity - minor(lineDiscount),
      },
    ]),
  ];
}

/**
 * The country that an order counts for: of its shipping address, else of its billing address; empty for neither. Neither changes later, and
 * anonymising keeps the country. It is a text of any form; of codes, only the case is made alike.
 */
function countryOf({ shippingAddress, billingAddress }: Order): string {
  const country = (shippingAddress?.country || billingAddress?.country || '').trim();
  return country.length === 2 ? country.toUpperCase() : country;
}

/** A refund that counts, as returned by `countedOf`. */
export interface CountedRefund {
  amount: Minor;
  /** Milliseconds. */
  recordedAt: number;
}

/** The amounts that a paid order's refunds add to the sums, at the times when they were recorded. Together at most the order's total. */
export function sumsOfRefunds(order: Order, refunds: readonly CountedRefund[], decimals: number): SalesSum[] {
  let left: Minor = parseMoney(order.total, decimals) ?? 0n;
  return [...refunds]
    .sort((a, b) => a.recordedAt - b.recordedAt)
    .flatMap(({ amount, recordedAt }): SalesSum[] => {
      const counted = amount < left ? amount : left;
      left -= counted;
      const at = quarterOf(recordedAt);
      return [
        { list: 'sales.refunded', value: at, n: Number(counted) },
        { list: 'sales.countryRefunded', value: `${at} ${countryOf(order)}`, n: Number(counted) },
      ];
    });
}

/** Counts an order that this transaction has confirmed. */
export function countSale(tx: TxContext, order: Order): void {
  add(tx, sumsOfSale(order, tx.store.decimals), 1);
}

/** Counts how the refunds of a paid order have changed. A refund that failed is subtracted at the time when it was counted. */
export function countRefunds(
  tx: TxContext,
  order: Order,
  { before, after }: { before: readonly CountedRefund[]; after: readonly CountedRefund[] },
): void {
  add(tx, sumsOfRefunds(order, before, tx.store.decimals), -1);
  add(tx, sumsOfRefunds(order, after, tx.store.decimals), 1);
}

/** Subtracts an erased order from the sums, with its refunds. */
export function uncountSale(tx: TxContext, order: Order, refunds: readonly CountedRefund[]): void {
  add(tx, sumsOfSale(order, tx.store.decimals), -1);
  if (order.paidAt !== null) add(tx, sumsOfRefunds(order, refunds, tx.store.decimals), -1);
}

function add(tx: TxContext, sums: readonly SalesSum[], sign: 1 | -1): void {
  const counts = pendingCounts(tx);
  for (const { list, value, n } of sums) counts.add(list, value, sign * n);
}
