import { cancelCheckout, createCheckout, getCheckout, quoteCheckout } from '@commerce/core';
import { item, record, shownOnce } from './answers.ts';
import { type Route, route } from './router.ts';

/** Buying from a page: the order, its stock and the page of a provider to pay at. */
export const checkoutRoutes: readonly Route[] = [
  route('POST', '/checkouts', 'checkout.write', {
    name: 'createCheckout',
    summary: 'Create an order, reserve its stock and open a payment page',
    description:
      'Prices, tax and shipping come from the store, and only published products can be bought. Repeat a request with the same random `Idempotency-Key`, of at least 16 characters with a storefront key; without it, each request creates another checkout. With `replaces` and its secret, an open checkout with the same contents is returned again, unless a price, discount, tax or shipping has changed. An order with a total of zero is paid at once. With a way to pay without a provider, the order is placed at once: `status` is `placed`, and `instructions` tell the buyer what to do. If the provider cannot be reached (503), nothing is created.',
    body: 'CheckoutInput',
    errors: ['conflict', 'insufficientStock', 'discountUsedUp', 'tooManyOpenCheckouts'],
    // Whoever repeats the request of another buyer must not get the link to the order.
    answer: shownOnce(record('CreatedCheckout', 201), 'orderUrl'),
    run: createCheckout,
  }),
  route('POST', '/checkouts/quote', 'checkout.write', {
    name: 'quoteCheckout',
    summary: 'Ask what a cart costs, without creating anything',
    description:
      'Takes the body of a checkout, of which only `items` is required, and answers the amounts that a checkout of the same body would have now, with the shipping methods and ways to pay that can be chosen. What is wrong with the cart is in `problems`, and is no error: a checkout would be refused with the same `code` in `details`. It changes nothing, so it counts as a read in the limits, and an `Idempotency-Key` is ignored.',
    body: 'QuoteInput',
    changesNothing: true,
    errors: ['notFound'],
    answer: record('Quote'),
    run: quoteCheckout,
  }),
  route('GET', '/checkouts/{id}', 'checkout.read', {
    name: 'getCheckout',
    summary: 'Get the state of a checkout',
    secretHeader: 'Checkout-Secret',
    answer: item('Checkout'),
    run: (ctx, id, secret?: string) => getCheckout(ctx, id, { secret }),
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
