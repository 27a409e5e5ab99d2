import type { CheckoutPages } from './checkout-page.ts';
import type { PayPalSettings } from './paypal.ts';

export const paypalPages: Pick<CheckoutPages<PayPalSettings>, 'ready'> = {
  ready: ({ clientId, clientSecret }) => Boolean(clientId && clientSecret),
};
