import { who } from '../../api/session.ts';
import { locales } from '../../words/words.ts';

export function shopCurrency(): string {
  return who.value?.store.currency ?? 'USD';
}

/** A round amount of an axis, such as "€2.5K". */
export function shortMoney(value: number): string {
  const format = new Intl.NumberFormat(locales, {
    style: 'currency',
    currency: shopCurrency(),
    notation: 'compact',
    maximumFractionDigits: value > 0 && value < 10 ? 2 : 1,
    minimumFractionDigits: 0,
  });
  return format.format(value);
}
