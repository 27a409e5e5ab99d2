import { invalid, quote } from '../../kernel/errors.ts';
import type { DecimalSign } from './cells.ts';

/** How Excel of a country reads and writes CSV files. */
export interface ExcelStyle {
  sign: DecimalSign;
  separator: ',' | ';';
}

/** Countries whose decimal sign is the point, but whose Excel separates cells by semicolons. */
const semicolonCountries: ReadonlySet<string | undefined> = new Set(['CH', 'LI']);

/**
 * The style of Excel in a language, or in a language of a country.
 * @throws CommerceError `validation` on `excel` if it is not one that is known
 */
export function excelStyle(language: string): ExcelStyle {
  if (!isLanguage(language)) {
    throw invalid('excel', `must be a language such as de or en-GB, not ${quote(language)}`, { code: 'NOT_OFFERED' });
  }
  const parts = new Intl.NumberFormat(language).formatToParts(1.5);
  const sign = parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
  const { region } = new Intl.Locale(language);
  return { sign, separator: sign === ',' || semicolonCountries.has(region) ? ';' : ',' };
}

/** True for a language whose numbers are known. For another one, `Intl` would use the language of this machine. */
export function isLanguage(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
}
