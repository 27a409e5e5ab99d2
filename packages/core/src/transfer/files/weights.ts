import { maxWeight } from '../../engine/settings/shipping.ts';
import { quote } from '../../kernel/errors.ts';
import { type DecimalSign, type Reading, readDecimal } from './cells.ts';

/** The grams of one unit, as a fraction. */
const gramsOf = {
  g: [1n, 1n],
  kg: [1000n, 1n],
  lbs: [45_359_237n, 100_000n],
  oz: [28_349_523_125n, 1_000_000_000n],
} as const;
export type WeightUnit = keyof typeof gramsOf;

/** The unit in a header such as "weight (kg)"; grams without one. */
export function unitOf(header: string): WeightUnit {
  const unit = /\(([a-z]+)\)\s*$/i.exec(header)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(gramsOf, unit) ? (unit as WeightUnit) : 'g';
}

/** Reads a weight like `readDecimal`, as whole grams, rounded half up. */
export function readWeight(cell: string, unit: WeightUnit, sign?: DecimalSign): Reading<number> {
  const read = readDecimal(cell, 3, sign);
  if ('reason' in read) return read;
  const [whole = '', fraction = ''] = read.value.split('.');
  if (whole.length + fraction.length > 60) return { reason: `must be a weight, not ${quote(cell)}` };
  const [count, of] = gramsOf[unit];
  const divisor = of * 10n ** BigInt(fraction.length);
  const grams = (BigInt(whole + fraction) * count * 2n + divisor) / (divisor * 2n);
  if (grams > BigInt(maxWeight)) return { reason: `must be at most ${maxWeight} g, not ${quote(cell)} ${unit}` };
  return { value: Number(grams) };
}
