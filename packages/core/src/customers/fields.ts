import * as z from 'zod';
import { maxAddresses, maxSearch } from '../limits.ts';
import { paging } from '../paging.ts';
import { fields, flag, requiredText, text } from '../parse.ts';
import { hasPostalCode } from '../postal-codes.ts';
import type * as described from '../schemas/described.ts';

/** An address that a customer saved. */
export interface Address {
  id: string;
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  address1: string;
  address2: string | null;
  city: string;
  region: string | null;
  /** Null in a country without postal codes. */
  postalCode: string | null;
  /** A country code or name. */
  country: string;
  phone: string | null;
  /** True for at most one address, the customer's `defaultAddressId`. */
  isDefault: boolean;
  createdAt: string;
  updatedAt: string;
}

/** A customer as every interface answers it. */
export interface Customer {
  id: string;
  storeId: string;
  /** In the given spelling; compared trimmed and in lower case. */
  email: string;
  name: string | null;
  phone: string | null;
  marketingOptIn: boolean;
  defaultAddressId: string | null;
  addresses: Address[];
  createdAt: string;
  updatedAt: string;
}

const email = text(320)
  .transform((email) => email.trim())
  .pipe(z.email('must be an e-mail address'));

const phone = text(64).nullable();
const line = text(255).nullable();

const requiredOfAddress = ['address1', 'city', 'postalCode', 'country'] as const;

/** An entry of the list that replaces a customer's addresses: with `id` it changes that address, without it is new. */
const AddressChange = fields({
  id: text(64, 1),
  firstName: line,
  lastName: line,
  company: line,
  address1: requiredText(255),
  address2: line,
  city: requiredText(255),
  region: line,
  postalCode: text(64)
    .trim()
    .transform((code) => code || null)
    .nullable(),
  country: requiredText(255),
  phone,
  isDefault: flag,
})
  .partial()
  .superRefine((address, check) => {
    if (address.id !== undefined) return;
    for (const field of requiredOfAddress) {
      const isNeeded = field === 'postalCode' ? hasPostalCode(address.country ?? '') : address[field] === undefined;
      if (isNeeded && address[field] == null) check.addIssue({ code: 'custom', message: 'is required', path: [field] });
    }
  });
export type AddressChange = z.output<typeof AddressChange>;

const addresses = z
  .array(AddressChange, 'must be a list of addresses')
  .max(maxAddresses, `must have at most ${maxAddresses} addresses`)
  .refine(
    (list) => list.filter((address) => address.isDefault === true).length <= 1,
    'must have at most one address with isDefault',
  )
  .refine((list) => {
    const ids = list.flatMap((address) => address.id ?? []);
    return new Set(ids).size === ids.length;
  }, 'must not name an id twice');

export const CustomerChangeFields = fields({
  email,
  name: text(255).nullable(),
  phone,
  marketingOptIn: flag,
  defaultAddressId: text(64, 1).nullable(),
  addresses,
}).partial();
export type CustomerChanges = described.CustomerChanges & z.input<typeof CustomerChangeFields>;

export const CustomerFields = CustomerChangeFields.required({ email: true });
export type CustomerInput = described.CustomerInput & z.input<typeof CustomerFields>;

/** The buyer, as named in the input of an order. */
export const CustomerContact = fields({
  email,
  name: text(255).nullable().default(null),
  phone: phone.default(null),
});
export type CustomerContactInput = z.input<typeof CustomerContact>;

export const CustomerQuery = fields({
  ...paging,
  /** The whole e-mail; case and surrounding blanks are ignored. */
  email: text(320).optional(),
  /** A substring of e-mail, name or phone, in any case; no character is a wildcard. */
  search: text(maxSearch).optional(),
});
export type CustomerQueryInput = described.CustomerQueryInput & z.input<typeof CustomerQuery>;
