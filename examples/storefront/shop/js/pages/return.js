import { cancelCheckout, getCheckout, Refused } from '../api.js';
import { readStarted, writeCart, writeStarted } from '../cart.js';
import { byId, fill, h } from '../dom.js';
import { setTitle } from '../head.js';
import { optionsList } from '../lines.js';
import { isZero, money } from '../money.js';
import { forgetGiftNote, readPlaced } from '../placed.js';
import { showFailure, showShell, wordsFor } from '../shell.js';
import { shop } from '../shop.js';
import { returnUrl } from '../urls.js';

/** Milliseconds between checks of the payment; the last one repeats. */
const pauses = [500, 1000, 1000, 2000, 3000, 5000];

/** Milliseconds after which the page stops checking by itself. */
const patience = 10 * 60_000;

const id = new URLSearchParams(location.search).get('checkout') ?? readStarted()?.id ?? '';

async function watch() {
  if (id === '') throw new Refused(404, { code: 'NOT_FOUND', message: '' });
  const until = Date.now() + patience;
  for (let look = 0; ; look++) {
    const checkout = await getCheckout(id, secretOf()).catch((error) => {
      // A lost connection does not lose the money.
      const passes = error instanceof Refused && (error.status === 0 || error.status === 429 || error.status >= 500);
      if (!passes) throw error;
      fill(byId('said'), wordsFor(error), ' We keep trying.');
      return undefined;
    });
    if (checkout && checkout.status !== 'open') return showEnd(checkout);
    if (Date.now() > until) return showPatience();
    await new Promise((resolve) => setTimeout(resolve, pauses[Math.min(look, pauses.length - 1)]));
  }
}

/** The secret of the checkout, if this browser made it. */
function secretOf() {
  const started = readStarted();
  return readPlaced(id)?.secret ?? (started?.id === id ? started.secret : null);
}

/** @param {import('../api.js').Checkout} checkout @param {string} [cart] what became of the cart of an unpaid order */
function showEnd(checkout, cart = ', and your cart is unchanged') {
  const { status, orderNumber } = checkout;
  const isOurs = readStarted()?.id === id;
  const isOrdered = status === 'paid' || status === 'placed' || status === 'processing';
  const heading = h('h1', { tabindex: -1 }, isOrdered ? 'Thank you for your order' : titles[status]);
  // The next order must not replace this one.
  if (isOurs) writeStarted(null);
  if (isOrdered) {
    // Another window can have filled a new cart; only the cart of this order is bought.
    if (isOurs) writeCart([]);
    if (isOurs) forgetGiftNote();
    fill(byId('main'), h('div', { class: 'narrow thanks' }, heading, receipt(checkout)));
  } else {
    fill(
      byId('main'),
      h(
        'div',
        { class: 'narrow' },
        heading,
        h('p', {}, `Order ${orderNumber} was not paid. You have not been charged${cart}.`),
        h('p', {}, h('a', { class: 'button primary', href: 'cart.html' }, 'Back to cart')),
      ),
    );
  }
  setTitle(heading.textContent ?? '');
  heading.focus();
}

/** The paid or placed order: what the store says of its checkout, and what this window remembers. @param {import('../api.js').Checkout} checkout */
function receipt({ status, orderNumber, orderUrl, instructions, subtotal, discount, shipping, tax, total }) {
  const isPaid = status === 'paid';
  const placed = readPlaced(id);
  const row = (/** @type {string} */ label, /** @type {string} */ amount, sign = '') =>
    !isZero(amount) && h('div', {}, h('dt', {}, label), h('dd', {}, sign + money(amount)));
  const address = new URL(returnUrl(id), location.href).href;
  const by = placed?.shipping ? ` by ${placed.shipping}` : '';
  return [
    h('p', {}, 'Your order ', h('strong', {}, orderNumber), isPaid ? ' is paid.' : ' is placed.'),
    !isPaid && instructions && [h('h2', {}, 'How to pay'), h('p', { class: 'instructions' }, instructions)],
    h('h2', {}, 'Your order'),
    placed &&
      h(
        'ul',
        { class: 'bought' },
        placed.lines.map((line) =>
          h(
            'li',
            {},
            h('span', {}, `${line.quantity} × ${line.title}`, optionsList(line.options)),
            h('span', {}, money(line.total)),
          ),
        ),
      ),
    h(
      'dl',
      { class: 'sums' },
      row('Subtotal', subtotal),
      row('Discount', discount, '− '),
      row('Shipping', shipping),
      row(shop.taxIncluded ? 'Tax included' : 'Tax', tax),
      h('div', { class: 'total' }, h('dt', {}, 'Total'), h('dd', {}, money(total))),
    ),
    placed?.giftNote && [h('h2', {}, 'Gift note'), h('p', { class: 'instructions' }, placed.giftNote)],
    placed && [
      h('h2', {}, 'Shipping address'),
      h(
        'address',
        {},
        placed.address.flatMap((line) => [line, h('br')]),
      ),
    ],
    h('h2', {}, 'What happens next'),
    h(
      'ol',
      { class: 'steps' },
      h('li', {}, received[status] ?? 'We have received your order.'),
      h('li', {}, `We ship it${by}${placed ? ' to the address above' : ''}.`),
      h('li', {}, `If you have a question, give us the order number ${orderNumber}.`),
    ),
    orderUrl
      ? h('p', {}, 'Save the ', h('a', { href: orderUrl }, 'link to your order'), '. It shows how your order is doing.')
      : h(
          'p',
          {},
          'Save the ',
          h('a', { href: address }, 'link to this order'),
          '. It shows the order number and the totals again.',
        ),
    h('p', {}, h('a', { class: 'button primary', href: 'index.html' }, 'Continue shopping')),
    status === 'placed' && placed?.secret && cancelling(placed.secret),
  ].flat();
}

/** @type {Record<string, string>} */
const received = {
  paid: 'We have received your payment, and we pack your order.',
  processing: 'Your bank processes your payment, which can take some days. We pack your order when the money is there.',
};

/** Lets the buyer of an unpaid order take it back, until it is sent. @param {string} secret */
function cancelling(secret) {
  const said = h('span', { role: 'status' });
  const cancel = async () => {
    try {
      showEnd(await cancelCheckout(id, secret), '');
    } catch (error) {
      const isSent = error instanceof Refused && error.status === 409;
      fill(said, isSent ? ' It is paid or on its way, and can no longer be cancelled here.' : ` ${wordsFor(error)}`);
    }
  };
  return h(
    'p',
    {},
    h('button', { type: 'button', class: 'plain', onclick: () => void cancel() }, 'Cancel this order'),
    said,
  );
}

/** @type {Record<string, string>} */
const titles = {
  expired: 'The time to pay is over',
  cancelled: 'This order was cancelled',
  failed: 'The payment page could not be opened',
};

function showPatience() {
  fill(
    byId('said'),
    'We have not heard of your payment yet. With some banks this takes a while. You can close this page. ',
    h('button', { class: 'plain', onclick: () => location.reload() }, 'Check again'),
  );
}

setTitle('Your payment');
void showShell();
await watch().catch(showFailure);
