import { anonymiseCustomer } from '@commerce/core';
import { item } from './answers.ts';
import { type Route, route } from './router.ts';

/** Routes of customers in addition to those of every resource. */
export const customerRoutes: readonly Route[] = [
  route('POST', '/customers/{id}/anonymise', 'customer.delete', {
    name: 'anonymiseCustomer',
    summary: 'Erase the personal data of a customer permanently, and keep their orders',
    description:
      'Name, e-mail, phone and addresses are erased, here and in orders, payments, events and the audit log; orders keep amounts, region and country. Data already sent to webhooks cannot be erased.',
    answer: item('Customer'),
    run: anonymiseCustomer,
  }),
];
