import { applyRate, type Minor } from '../kernel/money.ts';
import { withoutTrailing } from '../kernel/trailing.ts';

/** Units with what they measure, and their size in the smallest unit of it. */
const units = {
  mg: ['weight', 1n],
  g: ['weight', 1000n],
  kg: ['weight', 1_000_000n],
  ml: ['volume', 1n],
  cl: ['volume', 10n],
  l: ['volume', 1000n],
  cm: ['length', 1n],
  m: ['length', 100n],
  m2: ['area', 1n],
  m3: ['space', 1n],
  piece: ['count', 1n],
} as const satisfies Record<string, readonly [kind: string, size: bigint]>;

export type MeasureUnit = keyof typeof units;
export const measureUnits = Object.keys(units) as [MeasureUnit, ...MeasureUnit[]];

/** An amount of goods: thousandths of a unit. */
export interface Measure {
  thousandths: bigint;
  unit: MeasureUnit;
}

const pattern = /^(\d{1,7})(?:[.,](\d{1,3}))?\s*([a-z]+[23]?|m²|m³)$/;

/** Reads "750 ml", "0.75 l" or "1,5 kg"; undefined for anything else, and for nothing. */
export function parseMeasure(text: string): Measure | undefined {
  const match = pattern.exec(text.trim().toLowerCase());
  if (!match) return undefined;
  const [, whole = '', part = '', word = ''] = match;
  const unit = word
    .replace('²', '2')
    .replace('³', '3')
    .replace(/^pieces$/, 'piece') as MeasureUnit;
  const thousandths = BigInt(whole + part.padEnd(3, '0'));
  return Object.hasOwn(units, unit) && thousandths > 0n ? { thousandths, unit } : undefined;
}

/** A measure in its usual spelling: "750 ml". */
export function formatMeasure({ thousandths, unit }: Measure): string {
  const digits = String(thousandths).padStart(4, '0');
  const part = withoutTrailing(digits.slice(-3), '0');
  return `${digits.slice(0, -3)}${part && `.${part}`} ${unit}`;
}

/** True if both measure the same: weights, volumes, lengths, areas, spaces or pieces. */
export function areComparable(one: Measure, other: Measure): boolean {
  return units[one.unit][0] === units[other.unit][0];
}

/** The price of the base, such as a litre, of goods that cost a price for their measure. Rounded half up, in minor units. */
export function unitPrice(price: Minor, measure: Measure, base: Measure): Minor {
  const sizeOf = ({ thousandths, unit }: Measure) => thousandths * units[unit][1];
  return applyRate(price, { numerator: sizeOf(base), denominator: sizeOf(measure) });
}
