import { cancelCheckout, getCheckout, Refused } from '../api.js';
import { readStarted, writeStarted } from '../cart.js';
import { byId, fill, h } from '../dom.js';
import { setTitle } from '../head.js';
import { showFailure, showShell } from '../shell.js';
import { returnUrl } from '../urls.js';

const query = new URLSearchParams(location.search);
const started = readStarted();
const id = query.get('checkout') ?? started?.id ?? '';

async function start() {
  if (id === '') return show('You have not paid', 'Your cart is unchanged.');
  const { status, url } = await getCheckout(id);
  if (status === 'paid') return location.replace(returnUrl(id));
  const reason = query.get('reason');
  if (status === 'expired' || (status === 'open' && reason === 'expired')) {
    return over(
      'The time to pay is over',
      'Your products are no longer reserved. They are still in your cart, so you can order them again.',
    );
  }
  if (status !== 'open') return over('Your order was cancelled', 'You have not been charged. Your cart is unchanged.');
  if (reason === 'declined') {
    return show(
      'Your payment was declined',
      'Your products are still reserved. Try again, or choose another way to pay.',
      url,
    );
  }
  // Frees what this buyer had reserved for the next one.
  if (started?.id === id && started.secret) {
    try {
      await cancelCheckout(id, started.secret);
    } catch (error) {
      const isPaying = error instanceof Refused && error.code === 'CONFLICT';
      if (isPaying) return location.replace(returnUrl(id));
      return show('You have not paid', 'Your cart is unchanged.', url);
    }
    return over('You have not paid', 'Nothing was ordered, and you have not been charged. Your cart is unchanged.');
  }
  return show('You have not paid', 'Your cart is unchanged.', url);
}

/** @param {string} title @param {string} text */
function over(title, text) {
  if (started?.id === id) writeStarted(null);
  show(title, text);
}

/**
 * @param {string} title
 * @param {string} text
 * @param {string | null} [url] where the buyer can still pay
 */
function show(title, text, url = null) {
  setTitle(title);
  const heading = h('h1', { tabindex: -1 }, title);
  const onward = url !== null && /^https?:/.test(url);
  fill(
    byId('main'),
    h(
      'div',
      { class: 'narrow' },
      heading,
      h('p', {}, text),
      h(
        'p',
        {},
        onward && [h('a', { class: 'button primary', href: url }, 'Continue to payment'), ' '],
        h('a', { class: onward ? 'button' : 'button primary', href: 'cart.html' }, 'Back to cart'),
      ),
    ),
  );
  heading.focus();
}

setTitle('Not paid');
void showShell();
await start().catch(showFailure);
