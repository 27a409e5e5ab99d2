import { locales } from './locales.ts';

/** The forms of a sentence with a number; languages with more forms than English name them all. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** The form for a number, with `#` replaced by it: `plural(3, { one: '# order', other: '# orders' })`. */
export function plural(count: number, forms: Forms): string {
  const form = forms[new Intl.PluralRules(locales).select(count)] ?? forms.other;
  return form.replaceAll('#', formatNumber(count));
}

/** A number, or a decimal string, as the language writes it. */
export function formatNumber(value: number | string, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locales, options).format(value as number | Intl.StringNumericLiteral);
}

/** A country by its two letters: `DE` is "Germany". Any other text stays the same. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames(locales, { type: 'region' }).of(code) ?? code) : code;
}

/** A language by its tag: `de-AT` is "Austrian German". */
export function languageName(tag: string): string {
  return new Intl.DisplayNames(locales, { type: 'language' }).of(tag) ?? tag;
}

/** Texts as a list: "a, b and c". */
export function formatList(texts: readonly string[]): string {
  return new Intl.ListFormat(locales).format(texts);
}
