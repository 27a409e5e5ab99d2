import { anonymiseCustomer } from '@commerce/core';
import { anonymisedCustomer } from './answers.ts';
import { type Route, route } from './router.ts';

/** Routes of customers in addition to those of every resource. */
export const customerRoutes: readonly Route[] = [
  route('POST', '/customers/{id}/anonymise', 'customer.delete', {
    name: 'anonymiseCustomer',
    summary: 'Erase the personal data of a customer permanently, and keep their orders',
    description:
      'Name, e-mail, phone and addresses are erased, here and in orders, payments, events and the audit log; orders keep amounts, region and country. Invoices keep the person as long as the law asks for; `kept` says how many, and until when. Data already sent to webhooks cannot be erased.',
    answer: anonymisedCustomer,
    run: anonymiseCustomer,
  }),
];
