import { locales } from '../../words/locales.ts';

/**
 * A typed percentage as the interface takes it: "7,5 %" is "7.5", "+5" is "5".
 * @returns undefined for any other text
 */
export function readPercent(typed: string): string | undefined {
  const [, sign, whole, part] = /^([+\-−]?)(\d+)(?:[.,](\d+))?$/.exec(typed.replace(/\s/g, '').replace(/%$/, '')) ?? [];
  if (whole === undefined) return undefined;
  return `${sign === '-' || sign === '−' ? '-' : ''}${whole}${part === undefined ? '' : `.${part}`}`;
}

/** A percentage of the interface as people type it: "7.5" is "7,5" in German. */
export function percentInput(percent: string): string {
  const decimal =
    new Intl.NumberFormat(locales).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
  return percent.replace('.', decimal);
}

/** A percentage of the interface as a text: "7.5" is "7.5%". */
export function percentText(percent: string): string {
  const format = new Intl.NumberFormat(locales, { style: 'unit', unit: 'percent', maximumFractionDigits: 4 });
  return format.format(percent as Intl.StringNumericLiteral);
}
