import {
  anonymiseCustomer,
  createCustomer,
  deleteCustomer,
  getCustomerJson,
  listCustomersJson,
  updateCustomer,
} from '@commerce/core';
import { item } from './answers.ts';
import { crudRoutes } from './crud.ts';
import { type Route, route } from './router.ts';

export const customerRoutes: readonly Route[] = [
  ...crudRoutes(
    '/customers',
    'customer',
    {
      schema: 'Customer',
      plural: 'Customers',
      one: 'a customer',
      many: 'customers',
      deletion: '; refused while there are orders of theirs',
      mayLag: true,
    },
    {
      list: listCustomersJson,
      create: createCustomer,
      read: getCustomerJson,
      update: updateCustomer,
      delete: deleteCustomer,
    },
  ),
  route('POST', '/customers/{id}/anonymise', 'customer.delete', {
    name: 'anonymiseCustomer',
    summary: 'Erase a person for good, and keep their orders without them',
    description:
      'Name, e-mail, phone and addresses go, here and in orders, payments, events and the audit log; orders keep amounts, region and country. What subscribers were sent is beyond reach.',
    answer: item('Customer'),
    run: anonymiseCustomer,
  }),
];
