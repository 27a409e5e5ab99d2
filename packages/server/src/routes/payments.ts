import {
  applyPayment,
  checkProvider,
  connectProvider,
  deletePaymentProvider,
  disconnectProvider,
  dismissPayment,
  getPayment,
  getPaymentProvider,
  listPaymentProviders,
  listPayments,
  recordPayment,
  refundPayment,
  updatePaymentProvider,
} from '@commerce/core';
import { created, item, list, nothing, record } from './answers.ts';
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
    summary: 'Pay an order with an unmatched payment',
    description:
      'This also works if the payment names another order or was dismissed. The order must be pending, expired or shipped unpaid, and its total must equal the amount and currency.',
    body: 'ApplyInput',
    errors: ['conflict', 'insufficientStock'],
    answer: item('Payment'),
    run: applyPayment,
  }),
  route('POST', '/payments/{id}/dismiss', 'payment.write', {
    name: 'dismissPayment',
    summary: 'Remove an unmatched payment from the payments that need attention',
    description: 'Its order can then expire. The payment can still be applied later.',
    body: 'DismissInput',
    errors: ['conflict'],
    answer: item('Payment'),
    run: dismissPayment,
  }),
  route('POST', '/payments/{id}/refund', 'payment.write', {
    name: 'refundPayment',
    summary: 'Give back money that paid no order, at the provider that took it',
    description:
      'For example a second payment of the same order. The refund works like that of an order with `execute`; money that paid an order is refunded there.',
    body: 'PaymentRefundInput',
    errors: ['conflict'],
    answer: record('Refund'),
    run: refundPayment,
  }),
  route('POST', '/orders/{id}/payments', 'payment.write', {
    name: 'recordPayment',
    summary: 'Record a payment received without a provider, and pay an order with it',
    description:
      'For example a bank transfer or cash; `order.write` is not enough. Rejected unless the store setting `manualPayments` is true, which is false by default, or the buyer chose a way to pay without a provider.',
    body: 'ManualPaymentInput',
    errors: ['conflict', 'insufficientStock'],
    answer: created('Payment'),
    run: recordPayment,
  }),
  route('GET', '/payment-providers', 'settings.read', {
    name: 'listPaymentProviders',
    summary: 'List the configured payment providers of the store',
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
    description: 'Takes effect at once, in every process. Secrets are write-only.',
    body: 'PaymentProviderInput',
    errors: ['conflict'],
    answer: item('PaymentProvider'),
    run: updatePaymentProvider,
  }),
  route('POST', '/payment-providers/{provider}/connect', 'settings.write', {
    name: 'connectProvider',
    summary: 'Connect a payment provider: create or update its endpoint of notifications',
    description:
      "Give the key once: Stripe `secretKey`, PayPal `clientId` and `clientSecret`, Square `accessToken` and `locationId`. The endpoint at the provider has the service's public https address, and exactly the events that the service reads; it is found by its address, and replaced if its secret is not known. What verifies its notifications is stored. A refused key is 400 with the provider's reason; 409 without a public https address; 503 if the provider gives no answer. It can be repeated.",
    body: 'PaymentProviderInput',
    errors: ['conflict', 'unavailable'],
    answer: item('PaymentProvider'),
    run: connectProvider,
  }),
  route('POST', '/payment-providers/{provider}/disconnect', 'settings.write', {
    name: 'disconnectProvider',
    summary: "Disconnect a payment provider: delete its endpoint of notifications, and the store's settings",
    description: 'If the provider gives no answer (503) or refuses the key (400), nothing is deleted.',
    errors: ['conflict', 'unavailable'],
    answer: nothing,
    run: disconnectProvider,
  }),
  route('GET', '/payment-providers/{provider}/endpoint', 'settings.read', {
    name: 'checkProvider',
    summary: 'Compare the endpoint of notifications at a payment provider with what the service needs',
    description: 'Asks the provider. Also tries the rights of the key.',
    answer: record('PaymentProviderEndpoint'),
    run: checkProvider,
  }),
  route('DELETE', '/payment-providers/{provider}', 'settings.write', {
    name: 'deletePaymentProvider',
    summary: 'Delete the settings of a payment provider; its notifications are rejected from then on',
    errors: ['conflict'],
    answer: nothing,
    run: deletePaymentProvider,
  }),
];
