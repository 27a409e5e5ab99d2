import { getShop, Refused } from './api.js';
import { byId, fill, h } from './dom.js';

/** What the store says of itself: its name, currency, language and methods. Nothing on a page can be shown without it. */
export const shop = await getShop().catch((error) => {
  if (!(error instanceof Refused)) console.error(error);
  const words =
    error instanceof Refused && error.status === 429
      ? 'Too many requests. Please wait a minute.'
      : 'The shop cannot be reached. Please check your connection.';
  const again = h('button', { onclick: () => location.reload() }, 'Try again');
  fill(byId('main'), h('div', { class: 'narrow' }, h('h1', {}, 'Something went wrong'), h('p', {}, words), again));
  // The modules of the page wait for this one, so nothing else is shown.
  return /** @type {Promise<never>} */ (new Promise(() => {}));
});

/** Whether a shipping method has to be chosen. */
export const ships = shop.shippingMethods.length > 0;
