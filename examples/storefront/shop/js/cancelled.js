import { cancelCheckout, getCheckout, Refused } from './api.js';
import { readStarted, writeStarted } from './cart.js';
import { byId, fill, h } from './dom.js';
import { setTitle, showFailure, showShell } from './shell.js';

const query = new URLSearchParams(location.search);
const started = readStarted();
const id = query.get('checkout') ?? started?.id ?? '';

async function start() {
  if (id === '') return show('You have not paid', 'Your cart is as it was.');
  const { status, url } = await getCheckout(id);
  if (status === 'paid') return location.replace(`return.html?checkout=${encodeURIComponent(id)}`);
  const reason = query.get('reason');
  if (status === 'expired' || (status === 'open' && reason === 'expired')) {
    return over(
      'The time to pay is over',
      'What was kept for you is for everybody again. Your cart is as it was: try again as long as there is some.',
    );
  }
  if (status !== 'open') return over('Your order was cancelled', 'Nothing is owed. Your cart is as it was.');
  if (reason === 'declined') {
    return show(
      'Your payment was declined',
      'Your goods are still kept for you. Try again, or pay in another way.',
      url,
    );
  }
  // Frees what this buyer had reserved for the next one.
  if (started?.id === id && started.secret) {
    try {
      await cancelCheckout(id, started.secret);
    } catch (error) {
      const isPaying = error instanceof Refused && error.code === 'CONFLICT';
      if (isPaying) return location.replace(`return.html?checkout=${encodeURIComponent(id)}`);
      return show('You have not paid', 'Your cart is as it was.', url);
    }
    return over('You have not paid', 'Nothing was ordered, and nothing is owed. Your cart is as it was.');
  }
  return show('You have not paid', 'Your cart is as it was.', url);
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
        onward && [h('a', { class: 'button primary', href: url }, 'Go on to pay'), ' '],
        h('a', { class: onward ? 'button' : 'button primary', href: 'cart.html' }, 'Back to the cart'),
      ),
    ),
  );
  heading.focus();
}

setTitle('Not paid');
void showShell();
await start().catch(showFailure);
