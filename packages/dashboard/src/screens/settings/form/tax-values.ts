import { refusal } from '../../../api/errors.ts';
import type { Schemas } from '../../../api/types.ts';
import { amountText } from '../../../kit/amount.ts';
import { type FieldKind, own } from '../../../kit/form/kinds.ts';
import { t } from '../../../words/words.ts';
import { classOf, classText } from '../../goods/tax-class.ts';
import { percentOf, rateOf } from './rate.ts';

export type Taxes = NonNullable<Schemas['Settings']['taxes']>;

/** A rate as it is typed. */
export interface RateRow {
  country: string;
  region: string;
  class: string;
  /** Per cent. */
  rate: string;
  name: string;
}

/** The taxes by country as the form has them. */
export interface TaxesValue {
  /** Whether there are rates by country. Otherwise one rate is that of everything. */
  isOn: boolean;
  scope: Taxes['scope'];
  rates: RateRow[];
  /** `proportional`, `none` or a class; empty for the usual one. */
  shipping: string;
}

export const rateFields = ['country', 'region', 'class', 'rate', 'name'] as const satisfies (keyof RateRow)[];

export function rowOf({ country, region, class: taxClass, rate, name }: Taxes['rates'][number]): RateRow {
  const percent = amountText(percentOf(rate));
  return { country, region: region ?? '', class: classText(taxClass), rate: percent, name: name ?? '' };
}

/** The taxes by country as one field. */
export function taxesField(label: string): FieldKind<TaxesValue> {
  return {
    ...own<TaxesValue>(label, { isOn: false, scope: 'destination', rates: [], shipping: '' }),
    read(stored) {
      const taxes = (stored ?? null) as Taxes | null;
      const { scope = 'destination', rates = [], shipping = null } = taxes ?? {};
      return { isOn: taxes !== null, scope, rates: rates.map(rowOf), shipping: shipping ?? '' };
    },
    sent({ isOn, scope, rates, shipping }) {
      if (!isOn) return null;
      const rows = rates.map((row, i) => ratedRow(row) ?? wrongRate(i));
      return { scope, rates: rows, shipping: shipping || null };
    },
  };
}

/** The row as the settings have it; undefined if its rate cannot be read. */
function ratedRow({ country, region, class: taxClass, rate, name }: RateRow): Taxes['rates'][number] | undefined {
  const fraction = rateOf(rate);
  if (fraction === undefined) return undefined;
  return {
    country,
    region: region.trim() || null,
    class: classOf(taxClass),
    rate: fraction,
    name: name.trim() || null,
  };
}

function wrongRate(i: number): never {
  throw refusal(['taxes', 'rates', i, 'rate'].join('.'), t.kit.percent);
}

/** What can be read of taxes that are being typed. */
export function planOf({ scope, rates, shipping }: TaxesValue): Taxes {
  const rows = rates.map(ratedRow).filter((row) => row !== undefined && row.country !== '');
  return { scope, rates: rows as Taxes['rates'], shipping: shipping || null };
}
