import { locales } from '../words/locales.ts';

// Amounts as people type them in their language. A text that the language can read in two ways is refused, never guessed.

interface Marks {
  decimal: string;
  /** The group separator if it is a point or a comma; spaces and apostrophes are always understood. */
  group: string | undefined;
  /** Digits of the groups before the last one, which has three. */
  groupSize: number;
}

const known = new Map<string, Marks>();

function marksOf(languages: readonly string[]): Marks {
  const name = languages.join();
  let marks = known.get(name);
  if (!marks) {
    const parts = new Intl.NumberFormat([...languages]).formatToParts(12_345_678.5);
    const group = parts.find(({ type }) => type === 'group')?.value;
    marks = {
      decimal: parts.find(({ type }) => type === 'decimal')?.value ?? '.',
      group: group === '.' || group === ',' ? group : undefined,
      groupSize: parts.filter(({ type }) => type === 'integer')[1]?.value.length ?? 3,
    };
    known.set(name, marks);
  }
  return marks;
}

/**
 * The decimal string of a typed amount: `"48,50"` and `"1.234,50"` in German are `"48.50"` and `"1234.50"`. Undefined for any other text, for
 * one with more decimals than the currency has, and for separators that do not fit the language.
 * @param decimals most decimals, see `decimalsOf`
 */
export function readAmount(
  typed: string,
  decimals: number,
  languages: readonly string[] = locales,
): string | undefined {
  const { decimal, group, groupSize } = marksOf(languages);
  const other = decimal === ',' ? '.' : ',';
  const text = typed.trim().replace(/[\s'’]/g, ' ');
  const d = `\\${decimal}`;
  const o = `\\${other}`;
  const part = '(\\d+)';
  const groups = (mark: string, size = 3) => `(\\d{1,3}(?:${mark}\\d{${size}})*${mark}\\d{3})`;
  const forms = [
    '(\\d+)',
    `(\\d+)[.,]${part}`,
    groups(' '),
    `${groups(' ')}[.,]${part}`,
    ...(group ? [groups(`\\${group}`, groupSize), `${groups(`\\${group}`, groupSize)}${d}${part}`] : []),
    `${groups(o)}${d}${part}`,
  ];
  // A single separator before three digits separates thousands, unless it is the decimal separator of the language.
  const isThousands = new RegExp(`^\\d{1,3}${o}\\d{3}$`).test(text);
  const found = forms
    .filter((_, i) => !(isThousands && i === 1))
    .map((form) => new RegExp(`^${form}$`).exec(text))
    .find((match) => match !== null);
  if (!found) return undefined;
  const [, whole = '', fraction = ''] = found;
  if (fraction.length > decimals) return undefined;
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  return fraction === '' ? digits : `${digits}.${fraction}`;
}

/** A decimal string with the decimal separator of the language, for a field: `"48.50"` in German is `"48,50"`. Other texts stay the same. */
export function amountText(amount: string, languages: readonly string[] = locales): string {
  return /^\d+\.\d+$/.test(amount) ? amount.replace('.', marksOf(languages).decimal) : amount;
}
