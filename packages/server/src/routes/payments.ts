import {
  applyPayment,
  deletePaymentProvider,
  dismissPayment,
  getPayment,
  getPaymentProvider,
  listPaymentProviders,
  listPayments,
  recordPayment,
  updatePaymentProvider,
} from '@commerce/core';
import { created, item, list, nothing } from './answers.ts';
import { type Route, route } from './router.ts';

/** Payments as providers reported them, and decisions about money that found no order. */
export const paymentRoutes: readonly Route[] = [
  route('GET', '/payments', 'payment.read', {
    name: 'listPayments',
    summary: 'List payments, newest first',
    query: 'PaymentQuery',
    answer: list('Payment'),
    run: listPayments,
  }),
  route('GET', '/payments/{id}', 'payment.read', {
    name: 'getPayment',
    summary: 'Get a payment',
    answer: item('Payment'),
    run: getPayment,
  }),
  route('POST', '/payments/{id}/apply', 'payment.write', {
    name: 'applyPayment',
    summary: 'Pay an order with money that has paid no other',
    description:
      'Whichever order it named, and also when it was dismissed. The order has to be pending or expired, and amount and currency have to be those of the order.',
    body: 'ApplyInput',
    errors: ['conflict', 'insufficientStock'],
    answer: item('Payment'),
    run: applyPayment,
  }),
  route('POST', '/payments/{id}/dismiss', 'payment.write', {
    name: 'dismissPayment',
    summary: 'Take money that paid no order off the list of what needs attention',
    description: 'Its order may expire then. The payment may still be applied later.',
    body: 'DismissInput',
    errors: ['conflict'],
    answer: item('Payment'),
    run: dismissPayment,
  }),
  route('POST', '/orders/{id}/payments', 'payment.write', {
    name: 'recordPayment',
    summary: 'Record a payment that reached the shop in another way, and pay a pending order with it',
    description:
      'Such as a bank transfer or cash; `order.write` does not suffice. Refused while the setting `manualPayments` of the store is false, its default.',
    body: 'ManualPaymentInput',
    errors: ['conflict', 'insufficientStock'],
    answer: created('Payment'),
    run: recordPayment,
  }),
  route('GET', '/payment-providers', 'settings.read', {
    name: 'listPaymentProviders',
    summary: 'List the payment providers that the store has configured',
    answer: list('PaymentProvider'),
    run: listPaymentProviders,
  }),
  route('GET', '/payment-providers/{provider}', 'settings.read', {
    name: 'getPaymentProvider',
    summary: 'Get the settings of a payment provider, without its secrets',
    answer: item('PaymentProvider'),
    run: getPaymentProvider,
  }),
  route('PUT', '/payment-providers/{provider}', 'settings.write', {
    name: 'updatePaymentProvider',
    summary: 'Configure a payment provider, or change its settings',
    description: 'In force at once, in every process. Secrets are written, and never read back.',
    body: 'PaymentProviderInput',
    errors: ['conflict'],
    answer: item('PaymentProvider'),
    run: updatePaymentProvider,
  }),
  route('DELETE', '/payment-providers/{provider}', 'settings.write', {
    name: 'deletePaymentProvider',
    summary: 'Forget the settings of a payment provider: its notifications are refused from now on',
    errors: ['conflict'],
    answer: nothing,
    run: deletePaymentProvider,
  }),
];
