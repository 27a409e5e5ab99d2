import { refusal } from '../../api/errors.ts';
import type { Schemas } from '../../api/types.ts';
import {
  amountText,
  area,
  check,
  count,
  type FieldKind,
  type FieldKinds,
  line,
  own,
  type RowField,
  wholeNumber,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { percentOf, rateOf } from './rate.ts';

export type Settings = Schemas['Settings'];

const words = t.settings;

export const methodFields: readonly RowField[] = [
  { name: 'name', label: words.shipping.name, hint: words.shipping.nameHint },
  { name: 'price', label: words.shipping.price, kind: 'money' },
  { name: 'freeFrom', label: words.shipping.freeFrom, kind: 'money', hint: words.shipping.freeFromHint },
  { name: 'countries', label: words.shipping.countries, kind: 'countries', hint: words.shipping.countriesHint },
];

const tax = {
  taxRate: {
    ...line(words.tax.rate, { inputMode: 'decimal', hint: words.tax.rateHint }),
    read: (stored: unknown) => amountText(percentOf(String(stored))),
    sent(typed: string) {
      const rate = rateOf(typed);
      if (rate !== undefined) return rate;
      throw refusal('taxRate', t.kit.percent);
    },
  },
  taxIncluded: check(words.tax.included),
};

const selling = {
  reservationMinutes: whole('reservationMinutes', words.checkout.reservation, words.checkout.reservationHint),
  maxQuantity: whole('maxQuantity', words.checkout.quantity, words.checkout.quantityHint),
  returnUrls: {
    ...area(words.checkout.origins, { rows: 3, hint: words.checkout.originsHint }),
    read: (stored: unknown) => (stored as Settings['returnUrls']).join('\n'),
    sent: (typed: string) => typed.split(/\s+/).filter((one) => one !== ''),
  },
  manualPayments: check(words.checkout.manual, { hint: words.checkout.manualHint }),
};

/** The fields of each page of settings. A page saves only its own. */
export const pages = {
  shop: { name: line(words.shop.name, { isRequired: true }), timeZone: own(words.shop.zone, '') },
  taxes: tax,
  shipping: { shippingMethods: methodRows(words.shipping.methods) },
  checkout: selling,
} satisfies Record<string, FieldKinds>;

export type SettingsPage = keyof typeof pages;

export const isSettingsPage = (name: string): name is SettingsPage => Object.hasOwn(pages, name);

/** A whole number; any other text is refused before it is sent. */
function whole(name: string, label: string, hint: string): FieldKind<string> {
  return {
    ...count(label, { hint }),
    sent(typed) {
      const number = wholeNumber(typed);
      if (typeof number === 'number') return number;
      throw refusal(name, t.kit.wholeNumber);
    },
  };
}

/** Shipping methods as rows. No country means all of them. */
function methodRows(label: string): FieldKind<Record<string, unknown>[]> {
  return {
    control: 'rows',
    label,
    one: words.shipping.one,
    ordered: true,
    fields: methodFields,
    blank: { name: '', price: '', freeFrom: '', countries: [] },
    titleOf: ({ name }) => String(name ?? ''),
    read: (stored) =>
      (stored as Settings['shippingMethods']).map((method) => ({
        ...method,
        freeFrom: method.freeFrom ?? '',
        countries: method.countries ?? [],
      })),
    sent: (rows) =>
      rows.map(({ id, name, price, freeFrom, countries }) => ({
        ...(id ? { id: String(id) } : {}),
        name: String(name ?? ''),
        price: String(price ?? '').trim(),
        freeFrom: String(freeFrom ?? '').trim() || null,
        countries: (countries as string[]).length > 0 ? countries : null,
      })),
  };
}
