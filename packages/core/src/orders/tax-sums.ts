import type { TxContext } from '../engine/context.ts';
import { quarterOf } from '../kernel/calendar.ts';
import { type Minor, minorOf, shortDecimal } from '../kernel/money.ts';
import { pendingCounts } from '../resources/counts.ts';
import type { SalesList } from '../storage/tables/resources.ts';
import type { Order, OrderTax } from './fields.ts';

/** An addition to the sums of taxes, which are stored among the counts of lists. */
export interface TaxSum {
  list: Extract<SalesList, `taxes.${string}`>;
  value: string;
  /** Orders or minor units. */
  n: number;
}

/** The time in milliseconds from which an order is taxed: when it is paid or fulfilled, whichever is first; undefined before. */
function taxPointOf({ paidAt, fulfilledAt }: Order): number | undefined {
  const times = [paidAt, fulfilledAt].flatMap((at) => (at === null ? [] : [Date.parse(at)]));
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The name of a sum of a quarter of an hour, for the country and the rate of a tax. */
export function taxValue(ms: number, { country, rate }: Pick<OrderTax, 'country' | 'rate'>): string {
  return `${quarterOf(ms)} ${country ?? ''} ${shortDecimal(rate)}`;
}

/** Entries of one country and rate count as one, so that an order counts once for it. */
export function taxSumsOf(order: Order): TaxSum[] {
  const at = taxPointOf(order);
  if (at === undefined) return [];
  const byValue = new Map<string, { base: Minor; tax: Minor }>();
  for (const entry of order.taxes) {
    const value = taxValue(at, entry);
    const { base, tax } = byValue.get(value) ?? { base: 0n, tax: 0n };
    byValue.set(value, { base: base + minorOf(entry.base), tax: tax + minorOf(entry.amount) });
  }
  return [...byValue].flatMap(([value, { base, tax }]): TaxSum[] => [
    { list: 'taxes.orders', value, n: 1 },
    { list: 'taxes.base', value, n: Number(base) },
    { list: 'taxes.tax', value, n: Number(tax) },
  ]);
}

/** Counts how the taxes of an order have changed: undefined for an order that is not there. */
export function countTaxes(tx: TxContext, before: Order | undefined, after: Order | undefined): void {
  if (before && after && taxPointOf(before) === taxPointOf(after)) return;
  addTaxes(tx, before ? taxSumsOf(before) : [], -1);
  addTaxes(tx, after ? taxSumsOf(after) : [], 1);
}

export function addTaxes(tx: TxContext, sums: readonly TaxSum[], sign: 1 | -1): void {
  const counts = pendingCounts(tx);
  for (const { list, value, n } of sums) counts.add(list, value, sign * n);
}
