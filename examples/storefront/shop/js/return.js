import { getCheckout, Refused } from './api.js';
import { readStarted, writeCart, writeStarted } from './cart.js';
import { byId, fill, h } from './dom.js';
import { money, toMinor } from './money.js';
import { setTitle, showFailure, showShell, wordsFor } from './shell.js';

/** Milliseconds between checks of the payment; the last one repeats. */
const pauses = [500, 1000, 1000, 2000, 3000, 5000];

/** Milliseconds after which the page stops checking by itself. */
const patience = 10 * 60_000;

const id = new URLSearchParams(location.search).get('checkout') ?? readStarted()?.id ?? '';

async function watch() {
  if (id === '') throw new Refused(404, { code: 'NOT_FOUND', message: '' });
  const until = Date.now() + patience;
  for (let look = 0; ; look++) {
    const checkout = await getCheckout(id).catch((error) => {
      // A lost connection does not lose the money.
      const passes = error instanceof Refused && (error.status === 0 || error.status === 429 || error.status >= 500);
      if (!passes) throw error;
      fill(byId('said'), wordsFor(error), ' The page goes on trying.');
      return undefined;
    });
    if (checkout && checkout.status !== 'open') return showEnd(checkout);
    if (Date.now() > until) return showPatience();
    await new Promise((resolve) => setTimeout(resolve, pauses[Math.min(look, pauses.length - 1)]));
  }
}

/** @param {import('./api.js').Checkout} checkout */
function showEnd({ status, orderNumber, subtotal, discount, shipping, tax, total }) {
  const isOurs = readStarted()?.id === id;
  const heading = h('h1', { tabindex: -1 }, status === 'paid' ? 'Thank you' : titles[status]);
  if (isOurs) writeStarted(null);
  if (status !== 'paid') {
    fill(
      byId('main'),
      h(
        'div',
        { class: 'narrow' },
        heading,
        h('p', {}, `Order ${orderNumber} was not paid, and nothing is owed. Your cart is as it was.`),
        h('p', {}, h('a', { class: 'button primary', href: 'cart.html' }, 'Back to the cart')),
      ),
    );
  } else {
    const isTaxInside = toMinor(subtotal) - toMinor(discount) + toMinor(shipping) === toMinor(total);
    // Another window can have filled a new cart; only the cart of this order is bought.
    if (isOurs) writeCart([]);
    const row = (/** @type {string} */ label, /** @type {string} */ amount, sign = '') =>
      toMinor(amount) > 0n && h('div', {}, h('dt', {}, label), h('dd', {}, sign + money(amount)));
    fill(
      byId('main'),
      h(
        'div',
        { class: 'narrow' },
        heading,
        h('p', {}, 'Your order ', h('strong', {}, orderNumber), ' is paid. Please keep its number.'),
        h(
          'dl',
          { class: 'sums' },
          row('Subtotal', subtotal),
          row('Discount', discount, '− '),
          row('Shipping', shipping),
          row(isTaxInside ? 'Tax included' : 'Tax', tax),
          h('div', { class: 'total' }, h('dt', {}, 'Total'), h('dd', {}, money(total))),
        ),
        h('p', {}, h('a', { class: 'button', href: 'index.html' }, 'Back to the shop')),
      ),
    );
  }
  setTitle(heading.textContent ?? '');
  heading.focus();
}

/** @type {Record<string, string>} */
const titles = {
  expired: 'The time to pay is over',
  cancelled: 'This order was cancelled',
  failed: 'This order did not work',
};

function showPatience() {
  fill(
    byId('said'),
    'Your payment has not been reported to us yet. That may take a while with some banks; you need not stay. ',
    h('button', { class: 'plain', onclick: () => location.reload() }, 'Look again'),
  );
}

setTitle('Your payment');
void showShell();
await watch().catch(showFailure);
