import { cancelCheckout, createCheckout, getCheckout } from '@commerce/core';
import { item, record } from './answers.ts';
import { type Route, route } from './router.ts';

/** Buying from a page: the order, its stock and the page of a provider to pay at. */
export const checkoutRoutes: readonly Route[] = [
  route('POST', '/checkouts', 'checkout.write', {
    name: 'createCheckout',
    summary: 'Create an order, reserve its stock and open a page to pay it at',
    description:
      "Prices, tax and shipping are the store's own; published products alone. A request is repeated under the same random `Idempotency-Key`, of at least 16 characters with a storefront key; without one, each is a checkout of its own. With `replaces` and its secret, one with the same contents that is still open is answered again, unless a price, discount, tax or shipping has changed. An order that costs nothing is paid at once. Nothing remains of it where the provider cannot be reached (503).",
    body: 'CheckoutInput',
    errors: ['conflict', 'insufficientStock', 'discountUsedUp'],
    answer: record('CreatedCheckout', 201),
    run: createCheckout,
  }),
  route('GET', '/checkouts/{id}', 'checkout.read', {
    name: 'getCheckout',
    summary: 'Get what became of a checkout',
    answer: item('Checkout'),
    run: getCheckout,
  }),
  route('POST', '/checkouts/{id}/cancel', 'checkout.write', {
    name: 'cancelCheckout',
    summary: 'Cancel a checkout that was not paid; its stock is free again, and its page is closed',
    description: 'One that has ended otherwise stays as it is.',
    body: 'CheckoutCancellation',
    errors: ['conflict'],
    answer: record('Checkout'),
    run: cancelCheckout,
  }),
];
