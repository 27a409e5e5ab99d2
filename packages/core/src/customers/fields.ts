import * as z from 'zod';
import { type Changes, type Entity, entity, type Input, made, written } from '../fields/entity.ts';
import { exampleIds } from '../fields/example-ids.ts';
import {
  flag,
  kind,
  madeAmount,
  madeCount,
  madeId,
  madeTimeOrNone,
  nullable,
  reference,
  requiredText,
  text,
} from '../fields/kinds.ts';
import { metadata, tags } from '../fields/metadata.ts';
import { identity, stampsOf } from '../fields/stamps.ts';
import { takingNames } from '../kernel/known-fields.ts';
import { maxAddresses, maxSearch } from '../kernel/limits.ts';
import { paging } from '../kernel/paging.ts';
import { emailAddress, fields, oneOf, ruled, text as textRule } from '../kernel/parse.ts';
import { metadataFilter, metadataPrefix, tagFilter } from '../labels/query.ts';
import { hasPostalCode } from './postal-codes.ts';
import { vatIdRule } from './vat-ids.ts';

const addressShape = {
  /** The id, a UUIDv7; it does not change with the address. */
  id: written(
    kind(textRule(64, 1), () => madeId.answer(), 'id'),
    {
      words: 'The id, a UUIDv7; it does not change with the address.',
      example: exampleIds.address,
      input: { words: 'The address to change; absent for a new one.' },
    },
  ),
  /** The given name. */
  firstName: written(nullable(text(255)), { words: 'The given name.', example: 'Ada' }),
  /** The family name. */
  lastName: written(nullable(text(255)), { words: 'The family name.', example: 'Lovelace' }),
  /** The company. */
  company: written(nullable(text(255)), { words: 'The company.' }),
  /** Street and number. */
  address1: written(requiredText(255), { words: 'Street and number.', example: '12 St James Square', required: true }),
  /** The second line. */
  address2: written(nullable(text(255)), { words: 'The second line.' }),
  /** The city. */
  city: written(requiredText(255), { words: 'The city.', example: 'London', required: true }),
  /** State, province or county. */
  region: written(nullable(text(255)), { words: 'State, province or county.' }),
  /** The postal code; null in a country without postal codes. */
  postalCode: written(
    kind(
      textRule(64)
        .trim()
        .transform((code) => code || null)
        .nullable(),
      () => z.string().nullable(),
      'text',
    ),
    { words: 'The postal code; null in a country without postal codes.', example: 'SW1Y 4JH' },
  ),
  /** A country code or name. */
  country: written(requiredText(255), { words: 'A country code or name.', example: 'GB', required: true }),
  /** A telephone number, in any form. */
  phone: written(nullable(text(64)), { words: 'A telephone number, in any form.' }),
  /** True for at most one address, the customer's `defaultAddressId`. */
  isDefault: written(flag(), {
    words: "True for at most one address, the customer's `defaultAddressId`.",
    example: true,
    initial: false,
  }),
  ...stampsOf('Time of the last change, UTC.'),
};

export const addressEntity = entity(addressShape, {
  words: 'A saved address of a customer.',
});

/** A saved address of a customer. */
export type Address = Entity<typeof addressShape>;

/** An entry of the list that replaces a customer's addresses: with an `id` it changes that address; without one it is new. */
const AddressChange = addressEntity.inputs().update.superRefine((address, check) => {
  if (address.id !== undefined) return;
  const isMissing = (field: 'address1' | 'city' | 'country') => address[field] === undefined;
  for (const field of ['address1', 'city', 'postalCode', 'country'] as const) {
    const isNeeded =
      field === 'postalCode' ? hasPostalCode(address.country ?? '') && !address.postalCode : isMissing(field);
    if (isNeeded) check.addIssue({ code: 'custom', message: 'is required', path: [field] });
  }
});
export type AddressChange = z.output<typeof AddressChange>;

const addressesRule = z
  .array(AddressChange, 'must be a list of addresses')
  .max(maxAddresses, `must have at most ${maxAddresses} addresses`)
  .refine(
    (list) => list.filter((address) => address.isDefault === true).length <= 1,
    ruled('must have at most one address with isDefault', 'CONFLICTING'),
  )
  .refine(
    (list) => {
      const ids = list.flatMap((address) => address.id ?? []);
      return new Set(ids).size === ids.length;
    },
    ruled('must not name an id twice', 'CONFLICTING'),
  );

const customerShape = {
  ...identity(exampleIds.customer),
  /** As entered. Unique in the store, case-insensitive. */
  email: written(
    kind(emailAddress, () => z.string(), 'text'),
    {
      words: 'As entered. Unique in the store, case-insensitive.',
      example: 'ada@shop.test',
      input: { words: 'Unique in the store, case-insensitive. Surrounding spaces are removed.', format: 'email' },
      required: true,
    },
  ),
  /** The name of the customer. */
  name: written(nullable(text(255)), { words: 'The name of the customer.', example: 'Ada Lovelace' }),
  /** A telephone number, in any form. */
  phone: written(nullable(text(64)), { words: 'A telephone number, in any form.' }),
  /** The VAT identification number of a business. Its form is checked; it changes no tax. */
  vatId: written(nullable(kind(vatIdRule, () => z.string(), 'word')), {
    words: 'The VAT identification number of a business. Its form is checked; it changes no tax.',
    example: 'ATU12345675',
  }),
  /** True if the customer agreed to receive advertisements. */
  marketingOptIn: written(flag(), {
    words: 'True if the customer agreed to receive advertisements.',
    example: false,
    initial: false,
  }),
  /** The id of the default address. */
  defaultAddressId: written(nullable(reference()), {
    words: 'The id of the default address.',
    example: exampleIds.address,
    input: { words: 'The id of an address in the resulting list; null for no default.' },
    csv: false,
  }),
  /** The saved addresses. */
  addresses: written(
    kind(addressesRule, () => z.array(addressEntity.answer()), 'json'),
    {
      words: 'The saved addresses.',
      input: {
        words:
          'Replaces the whole list. An entry with the `id` of an address changes the given fields of it; an entry without `id` is new and requires `address1`, `city`, `country`, and `postalCode` unless the country has none.',
      },
      initial: [],
      entries: addressShape,
    },
  ),
  ...metadata,
  ...tags,
  /** Number of placed orders. Cancelled ones count, erased ones do not. */
  orderCount: made(madeCount, {
    words: 'Number of placed orders. Cancelled ones count, erased ones do not.',
    example: 1,
    initial: 0,
  }),
  /** Paid minus refunded, over all orders. */
  totalSpent: made(madeAmount, {
    words: 'Paid minus refunded, over all orders.',
    example: '32.00',
    initial: '0',
  }),
  /** Time at which the latest order was placed. */
  lastOrderAt: made(madeTimeOrNone, {
    words: 'Time at which the latest order was placed.',
    example: '2026-11-20T12:05:00.000Z',
  }),
  ...stampsOf('Time of the last change, UTC.'),
};

export const customerEntity = entity(customerShape, {
  words: 'A customer of the store.',
  create: {
    words: 'A new customer.',
    example: {
      email: 'ada@shop.test',
      name: 'Ada Lovelace',
      addresses: [{ address1: '12 St James Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' }],
    },
  },
  update: {
    words: 'Changes of a customer: absent fields keep their values.',
    example: { marketingOptIn: true },
  },
});

/** A customer as all interfaces answer it. */
export type Customer = Entity<typeof customerShape>;
export type CustomerInput = Input<typeof customerShape>;
export type CustomerChanges = Changes<typeof customerShape>;

/** The buyer, as named in the input of an order. */
export const CustomerContact = fields({
  email: emailAddress,
  name: textRule(255).nullable().default(null),
  phone: textRule(64).nullable().default(null),
  /** The VAT identification number of a business. Its form is checked; it changes no tax. */
  vatId: vatIdRule
    .nullable()
    .default(null)
    .describe('The VAT identification number of a business. Its form is checked; it changes no tax.'),
});
export type CustomerContactInput = z.input<typeof CustomerContact>;

export const customerSorts = ['newest', 'oldest', 'name', '-name', 'spent', '-spent', 'orders', '-orders'] as const;
export type CustomerSort = (typeof customerSorts)[number];

export const CustomerQuery = takingNames(
  fields({
    ...paging,
    /** The order; a minus means descending. A customer without a name is sorted by the e-mail. */
    sort: oneOf(customerSorts)
      .default('newest')
      .describe('The order; a minus means descending. A customer without a name is sorted by the e-mail.'),
    /** The id of the last customer of the previous page. Finds the next page quickly at any depth. */
    after: textRule(255)
      .optional()
      .describe('The id of the last customer of the previous page. Finds the next page quickly at any depth.'),
    /** The full e-mail; case and surrounding spaces are ignored. */
    email: textRule(320).optional().describe('The full e-mail; case and surrounding spaces are ignored.'),
    /** A substring of e-mail, name or phone, in any case; no character is a wildcard. */
    search: textRule(maxSearch)
      .optional()
      .describe('A substring of e-mail, name or phone, in any case; no character is a wildcard.'),
    ...tagFilter,
    ...metadataFilter,
  }),
  metadataPrefix,
);
export type CustomerQueryInput = z.input<typeof CustomerQuery>;
