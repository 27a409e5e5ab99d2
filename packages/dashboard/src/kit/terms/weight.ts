import { formatNumber } from '../../words/forms.ts';

// Weights are whole grams; people read and type those of parcels in kilograms.

/** Decimals of a weight in kilograms. */
export const kilogramDecimals = 3;

/** Grams as kilograms, a decimal string: 2500 is `"2.5"`. */
export function kilogramsOf(grams: number): string {
  const digits = String(grams).padStart(kilogramDecimals + 1, '0');
  const part = digits.slice(-kilogramDecimals).replace(/0+$/, '');
  const whole = digits.slice(0, -kilogramDecimals);
  return part === '' ? whole : `${whole}.${part}`;
}

/** A decimal string of kilograms as grams: `"2.5"` is 2500. Undefined for any other text. */
export function gramsOf(kilograms: string): number | undefined {
  const found = /^(\d{1,9})(?:\.(\d{1,3}))?$/.exec(kilograms.trim());
  if (!found) return undefined;
  return Number(`${found[1]}${(found[2] ?? '').padEnd(kilogramDecimals, '0')}`);
}

/** A weight as people read it: "350 g", "2.5 kg". */
export function weightText(grams: number): string {
  const inGrams = grams < 1000;
  return formatNumber(inGrams ? grams : kilogramsOf(grams), {
    style: 'unit',
    unit: inGrams ? 'gram' : 'kilogram',
    maximumFractionDigits: kilogramDecimals,
  });
}
