import { z } from 'zod';
import type { Address as AddressEntity, Customer as CustomerEntity } from '../customers/fields.ts';
import { exactly, exampleIds, id, optionalId, optionalWords, time, words, yesOrNo } from './values.ts';

export const Address = exactly<AddressEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7; it stays when the address changes.', exampleIds.address),
      firstName: optionalWords('The given name of who lives there.', 'Ada'),
      lastName: optionalWords('The family name of who lives there.', 'Lovelace'),
      address1: words('Street and number.', '12 St James Square'),
      address2: optionalWords('What does not fit into the first line.'),
      city: words('The city.', 'London'),
      region: optionalWords('State, province or county.'),
      postalCode: words('The postal code.', 'SW1Y 4JH'),
      country: words('A country code or name.', 'GB'),
      phone: optionalWords('A telephone number, in any form.'),
      isDefault: yesOrNo("Of at most one address, whose id is then the customer's `defaultAddressId`.", true),
      createdAt: time('When it was made, UTC.'),
      updatedAt: time('When it was last changed, UTC.'),
    })
    .meta({ description: 'An address that a customer saved.' }),
);

export const Customer = exactly<CustomerEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.customer),
      storeId: id('The store it belongs to.', exampleIds.store),
      extra: words('x','y'),
      email: words('As it was given. Unique in the store, whatever its case.', 'ada@shop.test'),
      name: optionalWords('How they are called.', 'Ada Lovelace'),
      phone: optionalWords('A telephone number, in any form.'),
      marketingOptIn: yesOrNo('Whether they agreed to be sent advertisements.', false),
      defaultAddressId: optionalId('The one of their addresses that is the default.', exampleIds.address),
      addresses: z.array(Address).meta({ description: 'The addresses they saved.' }),
      createdAt: time('When it was made, UTC.'),
      updatedAt: time('When it was last changed, UTC.'),
    })
    .meta({ description: 'Somebody who buys.' }),
);
