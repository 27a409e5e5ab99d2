import * as z from 'zod';
import { currency } from '../../fields/answers.ts';
import { type Changes, type Entity, entity, made, written } from '../../fields/entity.ts';
import { flag, integer, kind, nullable, requiredText } from '../../fields/kinds.ts';
import { taxRate as taxRateRule } from '../../fields/money.ts';
import { maxReturnUrls } from '../../kernel/limits.ts';
import { ruled, text } from '../../kernel/parse.ts';
import { timeZone as timeZoneRule } from '../../kernel/time-zone.ts';
import { parseOrigin } from '../../kernel/url.ts';
import { feedSettings } from './feed.ts';
import { invoiceSettings } from './invoices.ts';
import { mailSettings } from './mail.ts';
import { country } from './methods.ts';
import { pageSettings } from './pages.ts';
import { partySettings } from './parties.ts';
import { paymentSettings } from './payments.ts';
import { shippingSettings } from './shipping.ts';
import { taxSettings } from './taxes.ts';
import { ucpSettings } from './ucp.ts';

const origin = text(2048, 1)
  .refine(
    (address) => parseOrigin(address) !== undefined,
    ruled('must be an origin such as "https://shop.example", without a path', 'NOT_A_URL'),
  )
  .refine(
    (address) => !address.includes('*'),
    ruled('must be one origin, such as "https://shop.example", without *', 'NOT_A_URL'),
  )
  .transform((address) => new URL(address).origin)
  .meta({ format: 'uri' });

const origins = z
  .array(origin, 'must be a list of origins')
  .max(maxReturnUrls, `must have at most ${maxReturnUrls} origins`);

const sellingShape = {
  /** A fraction: "0.08" is 8 %. An order can state another. */
  taxRate: written(
    kind(taxRateRule, () => z.string().meta({ pattern: '^[01](\\.\\d{1,6})?$' }), 'decimal'),
    { words: 'A fraction: "0.08" is 8 %. An order can state another.', example: '0.19', initial: '0' },
  ),
  /** Whether prices and shipping include the tax. */
  taxIncluded: written(flag(), {
    words: 'Whether prices and shipping include the tax.',
    example: true,
    initial: false,
  }),
  ...taxSettings,
  ...shippingSettings,
  ...paymentSettings,
  /** Minutes for which a checkout holds its stock. */
  reservationMinutes: written(integer(31, 1410), {
    words: 'Minutes for which a checkout holds its stock.',
    example: 31,
    initial: 31,
  }),
  /** Maximum pieces of one product in a checkout with a storefront key. */
  maxQuantity: written(integer(1, 1_000_000), {
    words: 'Maximum pieces of one product in a checkout with a storefront key.',
    example: 100,
    initial: 100,
  }),
  /** Origins of the pages that can use a storefront key, and to which a buyer can return after paying. */
  returnUrls: written(
    kind(origins, () => z.array(z.string()), 'json'),
    {
      words: 'Origins of the pages that can use a storefront key, and to which a buyer can return after paying.',
      example: ['https://shop.example'],
      initial: [],
    },
  ),
  /** Zone in which the shop counts its days, by its name in the IANA database. */
  timeZone: written(
    kind(timeZoneRule, () => z.string(), 'word'),
    {
      words: 'Zone in which the shop counts its days, by its name in the IANA database.',
      example: 'Europe/Berlin',
      initial: 'UTC',
    },
  ),
  /** Country of the shop, ISO 3166-1 alpha-2. */
  country: written(nullable(kind(country, () => z.string(), 'word')), {
    words: 'Country of the shop, ISO 3166-1 alpha-2.',
    example: 'DE',
  }),
  ...pageSettings,
  ...mailSettings,
  ...invoiceSettings,
  ...partySettings,
  ...feedSettings,
  ...ucpSettings,
};

/** The settings in the store's row, in one text. */
export const sellingEntity = entity(sellingShape, { words: 'The settings that sales, statistics and pages need.' });

const shape = {
  /** The name of the shop. */
  name: written(requiredText(255), { words: 'The name of the shop.', example: 'Tea & Co', initial: '' }),
  /** The store's currency, ISO 4217; fixed at its creation. */
  currency: made(
    { answer: () => currency(), cell: 'word' },
    { words: "The store's currency, ISO 4217; fixed at its creation.", example: 'EUR' },
  ),
  /** Whether payments received without a provider can be recorded. */
  manualPayments: written(flag(), {
    words: 'Whether payments received without a provider can be recorded.',
    example: false,
    initial: false,
  }),
  ...sellingShape,
};

export const settingsEntity = entity(shape, {
  words: 'The settings of a store.',
  strict: true,
  update: {
    words: 'Changes of the settings: absent fields keep their values.',
    example: {
      taxRate: '0.19',
      taxIncluded: true,
      shippingMethods: [
        { id: 'standard', name: 'Standard', price: '4.90', freeFrom: '50.00', countries: ['DE', 'AT'] },
      ],
      returnUrls: ['https://shop.example'],
      country: 'DE',
      locale: 'de',
      productUrl: 'https://shop.example/p/{slug}',
    },
  },
});

/** A shop's own decisions about how it sells, in the form that every interface answers. Amounts are decimal strings. */
export type Settings = Entity<typeof shape>;
export type SettingsChanges = Changes<typeof shape>;

/** The settings that sales, statistics and pages need. */
export type SellingSettings = Entity<typeof sellingShape>;
