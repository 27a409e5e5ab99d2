import { createCustomer, deleteCustomer, getCustomerJson, listCustomersJson, updateCustomer } from '@commerce/core';
import { crudRoutes } from './crud.ts';

export const customerRoutes = crudRoutes(
  '/customers',
  'customer',
  {
    schema: 'Customer',
    plural: 'Customers',
    one: 'a customer',
    many: 'customers',
    deletion: '; refused while there are orders of theirs',
  },
  {
    list: listCustomersJson,
    create: createCustomer,
    read: getCustomerJson,
    update: updateCustomer,
    delete: deleteCustomer,
  },
);
