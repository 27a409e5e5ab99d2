import type { CheckoutPages } from './checkout-page.ts';
import type { StripeSettings } from './stripe.ts';

export const stripePages: Pick<CheckoutPages<StripeSettings>, 'ready'> = {
  ready: ({ secretKey }) => secretKey !== undefined,
};
