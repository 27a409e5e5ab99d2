import { refusal } from '../../../api/errors.ts';
import type { Schemas } from '../../../api/types.ts';
import {
  amountText,
  area,
  bodyOf,
  check,
  choice,
  count,
  type FieldKind,
  type FieldKinds,
  line,
  money,
  type Options,
  own,
  wholeNumber,
} from '../../../kit/index.ts';
import { countries } from '../../../words/countries.ts';
import { t } from '../../../words/words.ts';
import { agentFields } from './agent-fields.ts';
import { feedFields } from './feed-fields.ts';
import { languages } from './languages.ts';
import { flatMail, mailBody, mailFields } from './mail-fields.ts';
import { partyFields } from './party-fields.ts';
import { percentOf, rateOf } from './rate.ts';
import { taxesField } from './tax-values.ts';

export type Settings = Schemas['Settings'];

/** One way to pay. */
export type Way = Settings['paymentMethods'][number];

const words = t.settings;

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
  taxes: taxesField(words.tax.byCountryTitle),
};

/** The address of pages of the shop's website. */
function addressOfPages(name: string, label: string, hint: string): FieldKind<string> {
  return {
    ...line(label, { type: 'url', hint }),
    sent(typed) {
      const address = typed.trim();
      if (address === '') return null;
      if (/^https?:\/\//i.test(address) && /\{(?:slug|id)\}/.test(address)) return address;
      throw refusal(name, words.pagesOfShop.addressWrong);
    },
  };
}

/** What can be chosen, in the language of the dashboard. */
export const choices = {
  countries: [['', words.pagesOfShop.noCountry], ...countries()],
  languages: languages(),
} satisfies Record<string, Options>;

const place = {
  country: choice<string>(words.pagesOfShop.country, choices.countries, {
    start: '',
    hint: words.pagesOfShop.countryHint,
    sent: (code) => code || null,
  }),
  locale: choice<string>(words.pagesOfShop.language, choices.languages, {
    start: 'en',
    hint: words.pagesOfShop.languageHint,
  }),
};

/** The page of an order: its token is behind #, so that no server and no log sees it. */
const orderUrl: FieldKind<string> = {
  ...line(words.pagesOfShop.orderUrl, { type: 'url', hint: words.pagesOfShop.orderUrlHint }),
  sent(typed) {
    const address = typed.trim();
    if (address === '') return null;
    if (/^https?:\/\/[^#]+#.*\{token\}/i.test(address)) return address;
    throw refusal('orderUrl', words.pagesOfShop.orderUrlWrong);
  },
};

const addresses = {
  productUrl: addressOfPages('productUrl', words.pagesOfShop.productUrl, words.pagesOfShop.productUrlHint),
  pageUrl: addressOfPages('pageUrl', words.pagesOfShop.pageUrl, words.pagesOfShop.pageUrlHint),
  orderUrl,
};

const said = words.seller;

const sellerFields = {
  'seller.name': line(said.name, { isRequired: true, hint: said.nameHint }),
  'seller.address': area(said.address, { isRequired: true, rows: 4, hint: said.addressHint }),
  'seller.email': line(said.email, { isRequired: true, type: 'email' }),
  'seller.phone': line(said.phone, { type: 'tel' }),
  'seller.vatId': line(said.vatId, { hint: said.vatIdHint }),
  'seller.taxNumber': line(said.taxNumber, { hint: said.taxNumberHint }),
  'seller.registration': line(said.registration, { hint: said.registrationHint }),
} satisfies Record<`seller.${keyof NonNullable<Settings['seller']>}`, FieldKind<string>>;

/** A choice among the pages of the shop, which the screen loads. */
const textPage = (label: string) => choice<string>(label, [], { start: '', sent: (id) => id || null });

const textFields = {
  'pages.terms': textPage(said.texts.terms),
  'pages.privacy': textPage(said.texts.privacy),
  'pages.imprint': textPage(said.texts.imprint),
  'pages.withdrawal': textPage(said.texts.withdrawal),
  'pages.shipping': textPage(said.texts.shipping),
} satisfies Record<`pages.${keyof Settings['pages']}`, FieldKind<string>>;

const billed = words.invoices;

/** Beginning of numbers: `{year}` is replaced, other braces and blanks are refused. */
function prefix(name: string, label: string): FieldKind<string> {
  return {
    ...line(label, { isRequired: true }),
    sent(typed) {
      const text = typed.trim();
      if (!/[{}\s]/.test(text.replaceAll('{year}', ''))) return text;
      throw refusal(name, billed.wrongPrefix);
    },
  };
}

const invoiceFields = {
  'invoices.enabled': check(billed.enabled),
  'invoices.on': choice<Settings['invoices']['on']>(billed.on, Object.entries(billed.moments), { start: 'paid' }),
  'invoices.prefix': prefix('invoices.prefix', billed.prefix),
  'invoices.creditPrefix': prefix('invoices.creditPrefix', billed.creditPrefix),
  'invoices.digits': whole('invoices.digits', billed.digits, billed.digitsHint),
  'invoices.keepYears': whole('invoices.keepYears', billed.keepYears, billed.keepYearsHint),
  'invoices.note': area(billed.note, { rows: 3, hint: billed.noteHint }),
} satisfies Record<`invoices.${keyof Settings['invoices']}`, unknown>;

/** The fields in the groups of their forms. */
export const groups = { place, addresses, seller: sellerFields, texts: textFields };

const selling = {
  minSubtotal: money(words.pagesOfShop.minSubtotal, { hint: words.pagesOfShop.minSubtotalHint }),
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
  shop: {
    name: line(words.shop.name, { isRequired: true }),
    timeZone: own(words.shop.zone, ''),
    ...place,
    ...addresses,
  },
  seller: { ...sellerFields, ...textFields },
  parties: partyFields,
  taxes: tax,
  shipping: {},
  ways: { maxOpenOffline: whole('maxOpenOffline', words.ways.max, words.ways.maxHint) },
  checkout: selling,
  invoices: invoiceFields,
  mail: mailFields,
  feed: feedFields,
  agents: agentFields,
} satisfies Record<string, FieldKinds>;

export type SettingsPage = keyof typeof pages;

export const isSettingsPage = (name: string): name is SettingsPage => Object.hasOwn(pages, name);

/** The settings with the fields of their objects as fields of their own, such as `seller.name`. */
export function flatSettings(settings: Settings): Record<string, unknown> {
  const under = (name: string, of: object) =>
    Object.fromEntries(Object.entries(of).map(([field, value]) => [`${name}.${field}`, value]));
  return {
    ...settings,
    ...under('seller', settings.seller ?? {}),
    ...under('pages', settings.pages),
    ...under('invoices', settings.invoices),
    ...under('feed', settings.feed),
    ...under('ucp', settings.ucp),
    ...flatMail(settings.mail),
  };
}

/** The body of a change. An object is replaced as a whole, so that one changed field of it sends all. A seller with nothing is null. */
export function settingsBody<F extends FieldKinds>(fields: F, changes: object, all: object): Record<string, unknown> {
  const values = bodyOf(fields, all as never);
  const body: Record<string, unknown> = {};
  for (const name of Object.keys(changes)) {
    const [object = '', inner] = name.split('.');
    if (inner === undefined) body[name] = values[name];
    else if (object === 'mail') body.mail ??= mailBody(values);
    else if (!Object.hasOwn(body, object)) {
      const own = Object.entries(values).filter(([field]) => field.startsWith(`${object}.`));
      const isEmpty = own.every(([, value]) => value === null || value === '');
      const whole = Object.fromEntries(own.map(([field, value]) => [field.slice(object.length + 1), value]));
      body[object] = object === 'seller' && isEmpty ? null : whole;
    }
  }
  return body;
}

/** Choices with the one that is stored, which the list might not have. */
export function withStored(options: Options, stored: string, labelOf: (value: string) => string): Options {
  return stored === '' || options.some(([value]) => value === stored)
    ? options
    : [...options, [stored, labelOf(stored)]];
}

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
