import type { Minor } from '../kernel/money.ts';

/** Converts an amount to minor units with another number of decimals; null if the result is not a whole number. */
export function rescale(amount: Minor, from: number, to: number): Minor | null {
  if (to >= from) return amount * 10n ** BigInt(to - from);
  const unit = 10n ** BigInt(from - to);
  return amount % unit === 0n ? amount / unit : null;
}

/**
 * A discount in parts, one per amount and in proportion to them. The parts add up to the discount, and none is more than its
 * amount.
 * @param discount at most the sum of the amounts
 */
export function spread(discount: Minor, amounts: readonly Minor[]): Minor[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0n);
  if (total === 0n) return amounts.map(() => 0n);
  const parts = amounts.map((amount) => (discount * amount) / total);
  let left = discount - parts.reduce((sum, part) => sum + part, 0n);
  // Rounding down has left less than one unit per part; the parts that lost most by it get one each.
  const lost = amounts.map((amount, index) => ({ index, rest: (discount * amount) % total }));
  lost.sort((a, b) => (a.rest < b.rest ? 1 : a.rest > b.rest ? -1 : a.index - b.index));
  for (const { index } of lost) {
    if (left === 0n) break;
    parts[index] = (parts[index] ?? 0n) + 1n;
    left -= 1n;
  }
  return parts;
}
