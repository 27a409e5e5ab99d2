import { createCustomer, deleteCustomer, readCustomer, readCustomers, updateCustomer } from '@commerce/core';
import { crudRoutes } from './crud.ts';

export const customerRoutes = crudRoutes('/customers', 'customer', {
  list: readCustomers,
  create: createCustomer,
  read: readCustomer,
  update: updateCustomer,
  delete: deleteCustomer,
});
