import { anonymiseCustomer } from '@commerce/core';
import { item } from './answers.ts';
import { type Route, route } from './router.ts';

/** Routes of customers in addition to those of every resource. */
export const customerRoutes: readonly Route[] = [
  route('POST', '/customers/{id}/anonymise', 'customer.delete', {
    name: 'anonymiseCustomer',
    summary: 'Erase a person for good, and keep their orders without them',
    description:
      'Name, e-mail, phone and addresses go, here and in orders, payments, events and the audit log; orders keep amounts, region and country. What subscribers were sent is beyond reach.',
    answer: item('Customer'),
    run: anonymiseCustomer,
  }),
];
