import type { Schemas } from '../../api/types.ts';
import { decimalsOf, minorUnits } from '../../kit/money.ts';

type Order = Pick<Schemas['Order'], 'status' | 'paidAt' | 'placedAt' | 'total' | 'refundedAmount' | 'currency'>;

/** Whether an order without an invoice can get one: it is paid or placed, and something of it is left. */
export function isInvoiceable({ status, paidAt, placedAt, total, refundedAmount, currency }: Order): boolean {
  if (status === 'cancelled' || (paidAt === null && placedAt === null)) return false;
  const decimals = decimalsOf(currency);
  return minorUnits(total, decimals) > minorUnits(refundedAmount, decimals);
}
