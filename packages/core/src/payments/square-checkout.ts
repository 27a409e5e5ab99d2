import type { CheckoutPages } from './checkout-page.ts';
import type { SquareSettings } from './square.ts';

export const squarePages: Pick<CheckoutPages<SquareSettings>, 'ready'> = {
  ready: ({ accessToken, locationId }) => accessToken !== undefined && locationId !== undefined,
};
