import { hash } from 'node:crypto';
import { quote } from '../../kernel/errors.ts';
import { withoutTrailing } from '../../kernel/trailing.ts';

/** The value of a cell, or the reason why it cannot be read. */
export type Reading<T> = { value: T } | { reason: string };

export type DecimalSign = '.' | ',';

const formula = /^\s*[=+\-@＝＋－＠]/;
const control = /^[\t\r]/;

/** True if a spreadsheet could run a text as a formula, regardless of quotes before it. */
function looksRun(text: string): boolean {
  const bare = text.replace(/^'+/, '');
  return formula.test(bare) || control.test(bare);
}

/** A text as a cell that no spreadsheet runs, with one more quote before it. `restoreCell` removes that quote, so nothing is lost. */
export function defuseCell(text: string): string {
  return looksRun(text) ? `'${text}` : text;
}

/** The text of a cell that `defuseCell` wrote. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") && looksRun(cell) ? cell.slice(1) : cell;
}

/**
 * Reads a decimal number in the spelling of any country, as digits with a point. The decimal sign follows from the text. If it is
 * ambiguous, the number is refused, unless the sign of the file is known: `1,800` can be one thousand eight hundred.
 * @param decimals of the currency: zeros beyond them are dropped
 * @param sign the decimal sign of the file, if it is known
 */
export function readDecimal(cell: string, decimals: number, sign?: DecimalSign): Reading<string> {
  const text = cell.trim().replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/gu, '');
  const expected = `must be a number such as 12.50, not ${quote(cell)}`;
  if (!/^\d[\d.,]*$/.test(text) && !/^[.,]\d+$/.test(text)) return { reason: expected };
  const signs = text.replace(/\d/g, '');
  const last = signs.at(-1);
  if (last === undefined) return { value: text };
  const [whole, fraction] = splitAt(text, text.lastIndexOf(last));
  const groups = whole.split(/[.,]/);
  const isGrouped = groups.slice(1).every((group) => group.length === 3) && (groups[0] ?? '').length <= 3;
  if (new Set(signs).size === 2) {
    // The last one is the decimal sign and occurs once; the others group thousands.
    const isOnce = signs.indexOf(last) === signs.length - 1;
    return isOnce && isGrouped ? trimmed(groups.join(''), fraction, decimals) : { reason: expected };
  }
  if (signs.length > 1) {
    return isGrouped && fraction.length === 3 ? { value: groups.join('') + fraction } : { reason: expected };
  }
  const isNoise = fraction.length > noiseFrom;
  if (last === sign) return trimmed(whole === '' ? '0' : whole, fraction, decimals);
  const isThousands = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  if (sign !== undefined && isThousands) return { value: whole + fraction };
  const isAmbiguous = isThousands && (last === ',' || decimals !== 3);
  if (isAmbiguous || (last === ',' && fraction.length > 2 && decimals < 3 && !isNoise)) {
    return {
      reason: `is ambiguous: ${quote(cell)} can be thousands or decimals; write it without the thousands separator`,
    };
  }
  return trimmed(whole === '' ? '0' : whole, fraction, decimals);
}

function splitAt(text: string, at: number): [before: string, after: string] {
  return [text.slice(0, at), text.slice(at + 1)];
}

/** More digits after the decimal sign than any price has: a spreadsheet writes 58.12 as 58.120000000000005. */
const noiseFrom = 6;

/** A number without the noise of a binary fraction. */
function withoutNoise(whole: string, fraction: string): [whole: string, fraction: string] {
  if (fraction.length <= noiseFrom || whole.length > 20) return [whole, fraction];
  const up = (fraction[noiseFrom] as string) >= '5' ? 1n : 0n;
  const digits = String(BigInt(whole + fraction.slice(0, noiseFrom)) + up).padStart(noiseFrom + 1, '0');
  return [digits.slice(0, -noiseFrom), digits.slice(-noiseFrom)];
}

function trimmed(given: string, digits: string, decimals: number): Reading<string> {
  const [whole, fraction] = withoutNoise(given, digits);
  const kept = fraction.slice(0, decimals);
  const rest = withoutTrailing(fraction.slice(decimals), '0');
  return { value: kept === '' && rest === '' ? whole : `${whole}.${kept}${rest}` };
}

const symbols = new Map<string, ReadonlySet<string>>();

/** Texts next to a price in a currency: its code and its signs. */
function symbolsOf(currency: string): ReadonlySet<string> {
  const known = symbols.get(currency);
  if (known) return known;
  const signs = (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) =>
    new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
      .formatToParts(0)
      .find(({ type }) => type === 'currency')
      ?.value.toUpperCase(),
  );
  const made = new Set([currency, ...signs.filter((sign) => sign !== undefined)]);
  symbols.set(currency, made);
  return made;
}

/** Reads a price like `readDecimal`, with or without the store's currency before or after it. */
export function readPrice(
  cell: string,
  { currency, decimals, sign: decimalSign }: { currency: string; decimals: number; sign?: DecimalSign | undefined },
): Reading<string> {
  const text = cell.trim();
  const first = text.search(/[.,]?\d/);
  if (first < 0 || text.length > 100) return readDecimal(cell, decimals, decimalSign);
  let end = text.length;
  while (end > 0 && !/\d/.test(text[end - 1] as string)) end--;
  const beside = [text.slice(0, first), text.slice(end)].map((part) => part.trim()).filter((part) => part !== '');
  const [sign] = beside;
  if (sign === undefined || beside.length > 1) return readDecimal(cell, decimals, decimalSign);
  if (symbolsOf(currency).has(sign.toUpperCase())) return readDecimal(text.slice(first, end), decimals, decimalSign);
  if (!/^[\p{L}.]*\p{Sc}?$/u.test(sign) || /^[.]*$/.test(sign)) return readDecimal(cell, decimals, decimalSign);
  return { reason: `must be in ${currency}, the currency of the store, not ${quote(cell)}` };
}

/** Reads a whole number, with or without grouped thousands or a trailing `.0`. */
export function readInteger(cell: string, sign?: DecimalSign): Reading<number> {
  const text = cell.trim();
  if (/^-?\d{1,15}$/.test(text)) return { value: Number(text) };
  const isNegative = text.startsWith('-');
  const read = readDecimal(isNegative ? text.slice(1) : text, 0, sign);
  if ('reason' in read || !/^\d{1,15}$/.test(read.value)) {
    const isAmbiguous = 'reason' in read && read.reason.startsWith('is ambiguous');
    return { reason: isAmbiguous ? read.reason : `must be a whole number, not ${quote(cell)}` };
  }
  return { value: isNegative ? -Number(read.value) : Number(read.value) };
}

const flags = new Map([
  ...['true', '1', 'yes', 'wahr'].map((text) => [text, true] as const),
  ...['false', '0', 'no', 'falsch'].map((text) => [text, false] as const),
]);

export function readFlag(cell: string): Reading<boolean> {
  const value = flags.get(cell.trim().toLowerCase());
  return value === undefined ? { reason: `must be yes or no, not ${quote(cell)}` } : { value };
}

/** The addresses in a cell: separated by blanks, or by commas and blanks. */
export function readAddresses(cell: string): string[] {
  return [...new Set(cell.split(/,?\s+|,(?=https?:)/).filter((address) => address !== ''))];
}

/** Parts of a cell between separators. A backslash makes a separator an ordinary character. */
export function splitEscaped(cell: string, separator: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (let i = 0; i < cell.length; i++) {
    const sign = cell[i] as string;
    if (sign === '\\' && (cell[i + 1] === separator || cell[i + 1] === '\\')) part += cell[++i];
    else if (sign === separator) {
      parts.push(part);
      part = '';
    } else part += sign;
  }
  return [...parts, part].map((one) => one.trim()).filter((one) => one !== '');
}

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

let transliterate: ((text: string) => string) | undefined;

/** Loads the spellings of other scripts. Called once before rows are read, because building them takes longer than most commands. */
export async function loadTransliteration(): Promise<void> {
  transliterate ??= (await import('@sindresorhus/transliterate')).default;
}

/** A text with words of other scripts spelt in Latin letters, if the script has such a spelling. */
function inLatin(text: string): string {
  const spell = transliterate;
  if (spell === undefined) throw new Error('loadTransliteration() comes first');
  return text
    .normalize('NFC')
    .replace(/[\p{L}\p{M}]+/gu, (word) => (/[^\P{L}\p{Script=Latin}]/u.test(word) ? spell(word) : word));
}

/**
 * A text as a slug. Cyrillic, Greek, Arabic and other letters are transliterated. Undefined if some have no Latin equivalent, as in
 * Chinese, or nothing is left.
 */
export function slugOf(text: string): string | undefined {
  const plain = inLatin(text)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøđðłþı]/g, (letter) => letters[letter] ?? letter);
  if (/[^\P{L}a-z]/u.test(plain)) return undefined;
  const slug = plain
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 200)
    .replace(/^-/, '')
    .replace(/-$/, '');
  return slug === '' ? undefined : slug;
}

/** The slug of an item by its name, else by its SKU, else by its id. */
export function slugFor(noun: string, name: string, sku: string, id: string): string {
  return slugOf(name) ?? slugOf(sku) ?? (id === '' ? slugByHash(noun, name) : `${noun}-${slugOf(id) ?? id}`);
}

/** The slug of an item whose text gives none: the same for the same text. */
export function slugByHash(noun: string, text: string): string {
  return `${noun}-${hash('sha256', text, 'hex').slice(0, 10)}`;
}

/** The slug of a variant: the product's slug with the variant's values. */
export function withValues(base: string, values: readonly string[]): string {
  const all = values.join(' ');
  const slug = slugOf(all) ?? slugByHash('v', all);
  return withoutTrailing(`${base}-${slug}`.slice(0, 250), '-');
}

/**
 * The slugs of a product's variants. Several values can give the same slug, such as `A`, `A+` and `A-`, or `Red S` with `M` and `Red` with
 * `S M`. Then the values that a slug does not spell exactly get a digest after it, regardless of their order.
 */
export function slugsOfVariants(base: string, variants: readonly (readonly string[])[]): string[] {
  const plain = variants.map((values) => withValues(base, values));
  const spelt = variants.map(speltOf);
  /** The values of each slug, and which of them it spells exactly. */
  const all = new Map<string, { values: Set<string>; said: Set<string> }>();
  for (const [i, slug] of plain.entries()) {
    const one = all.get(slug) ?? { values: new Set(), said: new Set() };
    all.set(slug, one);
    const values = spelt[i] as string;
    one.values.add(values);
    if (slug === `${base}-${values.replace(/[ \n]/g, '-')}`) one.said.add(values);
  }
  return plain.map((slug, i) => {
    const values = spelt[i] as string;
    const { values: alike, said } = all.get(slug) as { values: Set<string>; said: Set<string> };
    if (alike.size < 2 || (said.has(values) && said.size === 1)) return slug;
    return slugByHash(withoutTrailing(slug.slice(0, 240), '-'), values);
  });
}

/** Values, one per line, ignoring capitals and blanks. */
function speltOf(values: readonly string[]): string {
  return values.map((value) => value.toLowerCase().trim().replace(/\s+/g, ' ')).join('\n');
}
