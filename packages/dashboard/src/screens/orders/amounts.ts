import type { Schemas } from '../../api/types.ts';
import { decimalsOf, fromMinorUnits, minorUnits } from '../../kit/money.ts';

type Line = Pick<Schemas['OrderItem'], 'unitPrice' | 'quantity' | 'lineDiscount'>;

/** What a line costs: its price times its quantity, less its discount. */
export function lineTotal({ unitPrice, quantity, lineDiscount }: Line, currency: string): string {
  const decimals = decimalsOf(currency);
  return fromMinorUnits(
    minorUnits(unitPrice, decimals) * BigInt(quantity) - minorUnits(lineDiscount, decimals),
    decimals,
  );
}
