import * as z from 'zod';
import type { Address as AddressEntity, Customer as CustomerEntity } from '../customers/fields.ts';
import { exactly, exampleIds, id, optionalId, optionalWords, time, words, yesOrNo } from './values.ts';

export const Address = exactly<AddressEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7; it stays when the address changes.', exampleIds.address),
      firstName: optionalWords('The given name.', 'Ada'),
      lastName: optionalWords('The family name.', 'Lovelace'),
      company: optionalWords('The company.'),
      address1: words('Street and number.', '12 St James Square'),
      address2: optionalWords('The second line.'),
      city: words('The city.', 'London'),
      region: optionalWords('State, province or county.'),
      postalCode: optionalWords('The postal code; null in a country without them.', 'SW1Y 4JH'),
      country: words('A country code or name.', 'GB'),
      phone: optionalWords('A telephone number, in any form.'),
      isDefault: yesOrNo("True for at most one address, the customer's `defaultAddressId`.", true),
      createdAt: time('Time of creation, UTC.'),
      updatedAt: time('Time of the last change, UTC.'),
    })
    .meta({ description: 'An address that a customer saved.' }),
);

export const Customer = exactly<CustomerEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.customer),
      storeId: id('The store it belongs to.', exampleIds.store),
      email: words('In the given spelling. Unique in the store, regardless of case.', 'ada@shop.test'),
      name: optionalWords('The name of the customer.', 'Ada Lovelace'),
      phone: optionalWords('A telephone number, in any form.'),
      marketingOptIn: yesOrNo('True when they agreed to receive advertisements.', false),
      defaultAddressId: optionalId('The id of the default address.', exampleIds.address),
      addresses: z.array(Address).meta({ description: 'The saved addresses.' }),
      createdAt: time('Time of creation, UTC.'),
      updatedAt: time('Time of the last change, UTC.'),
    })
    .meta({ description: 'A customer of the store.' }),
);
