import type { TxContext } from '../../engine/context.ts';
import type { Order } from '../../orders/fields.ts';
import { addTaxes, type TaxSum, taxValue } from '../../orders/tax-sums.ts';
import type { Refund } from '../../payments/refund-ledger.ts';
import { countRefunds, uncountSale } from '../../statistics/counting.ts';
import { noParts, partsOfRefund, taxesOfOrder, withRefund } from './tax-parts.ts';

/**
 * What the counted refunds of a paid order add to the sums of taxes, at the times when they were recorded: those of their lines and of the
 * shipping, else of all in proportion. Together at most the order's taxes.
 */
export function taxSumsOfRefunds(order: Order, refunds: readonly Refund[]): TaxSum[] {
  const taxes = taxesOfOrder(order);
  let done = noParts(order);
  return [...refunds]
    .sort((a, b) => a.recordedAt - b.recordedAt)
    .flatMap((refund) => {
      const parts = partsOfRefund(order, refund, done);
      done = withRefund(done, refund, parts);
      return parts.entries.flatMap(({ base, tax }, i): TaxSum[] => {
        const entry = taxes[i];
        if (!entry) return [];
        const value = taxValue(refund.recordedAt, entry);
        return [
          { list: 'taxes.refundedBase', value, n: Number(base) },
          { list: 'taxes.refundedTax', value, n: Number(tax) },
        ];
      });
    });
}

/** Counts how the counted refunds of a paid order have changed, as sales and as taxes. */
export function countRefundsOf(
  tx: TxContext,
  order: Order,
  { before, after }: { before: readonly Refund[]; after: readonly Refund[] },
): void {
  countRefunds(tx, order, { before, after });
  addTaxes(tx, taxSumsOfRefunds(order, before), -1);
  addTaxes(tx, taxSumsOfRefunds(order, after), 1);
}

/** Subtracts an erased order from the sums of sales and its refunds from those of taxes. */
export function uncountSaleOf(tx: TxContext, order: Order, refunds: readonly Refund[]): void {
  uncountSale(tx, order, refunds);
  if (order.paidAt !== null) addTaxes(tx, taxSumsOfRefunds(order, refunds), -1);
}
