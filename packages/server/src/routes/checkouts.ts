import { cancelCheckout, createCheckout, getCheckout } from '@commerce/core';
import { item, record } from './answers.ts';
import { type Route, route } from './router.ts';

/** Buying from a page: the order, its stock and the page of a provider to pay at. */
export const checkoutRoutes: readonly Route[] = [
  route('POST', '/checkouts', 'checkout.write', {
    name: 'createCheckout',
    summary: 'Create an order, reserve its stock and open a payment page',
    description:
      'Prices, tax and shipping come from the store, and only published products can be bought. Repeat a request with the same random `Idempotency-Key`, of at least 16 characters with a storefront key; without it, each request creates another checkout. With `replaces` and its secret, an open checkout with the same contents is returned again, unless a price, discount, tax or shipping has changed. An order with a total of zero is paid at once. If the provider cannot be reached (503), nothing is created.',
    body: 'CheckoutInput',
    errors: ['conflict', 'insufficientStock', 'discountUsedUp'],
    answer: record('CreatedCheckout', 201),
    run: createCheckout,
  }),
  route('GET', '/checkouts/{id}', 'checkout.read', {
    name: 'getCheckout',
    summary: 'Get the state of a checkout',
    answer: item('Checkout'),
    run: getCheckout,
  }),
  route('POST', '/checkouts/{id}/cancel', 'checkout.write', {
    name: 'cancelCheckout',
    summary: 'Cancel an unpaid checkout; its stock is released, and its payment page is closed',
    description: 'A checkout that ended in another way is left unchanged.',
    body: 'CheckoutCancellation',
    errors: ['conflict'],
    answer: record('Checkout'),
    run: cancelCheckout,
  }),
];
