import type { LetterOrder } from './letter.ts';
import type { Counted } from './words/words.ts';

/** Prints amounts and times as a language writes them. */
export interface Format {
  /** A decimal string, exactly. */
  amount(decimal: string): string;
  /** A fraction: "0.19" is 19 %. */
  percent(fraction: string): string;
  count(number: number): string;
  /** The text for a number, with the number in it. */
  counted(words: Counted, number: number): string;
  /** The day of a time of ISO 8601. */
  day(time: string): string;
  /** A time of ISO 8601, to the second, with the name of the zone. */
  moment(time: string): string;
}

/** The zone of times, and the currency of amounts; without one, amounts stay as they are. */
export interface FormatFacts {
  timeZone: string;
  order: Pick<LetterOrder, 'currency' | 'decimals'> | null;
}

/** @param locale language and region, such as `de-AT` */
export function formatOf(locale: string, { timeZone, order }: FormatFacts): Format {
  const money = order && currencyFormat(locale, order.currency, order.decimals);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 });
  const numbers = new Intl.NumberFormat(locale);
  const plurals = new Intl.PluralRules(locale);
  const days = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long' });
  const moments = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long', timeStyle: 'long' });
  return {
    amount: (decimal) => (money ? money.format(decimal as Intl.StringNumericLiteral) : decimal),
    percent: (fraction) => percent.format(fraction as Intl.StringNumericLiteral),
    count: (number) => numbers.format(number),
    counted(words, number) {
      const rule = plurals.select(number);
      const text = (rule === 'one' || rule === 'few' || rule === 'many' ? words[rule] : undefined) ?? words.other;
      return text.replace('#', () => numbers.format(number));
    },
    day: (time) => days.format(new Date(time)),
    moment: (time) => moments.format(new Date(time)),
  };
}

/** With our decimals: those of Intl differ for HUF and others. */
function currencyFormat(locale: string, currency: string, decimals: number): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}
