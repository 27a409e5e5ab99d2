import { takeBuyLink } from '../buy.js';
import { setQuantity } from '../cart.js';
import { capitalised } from '../choices.js';
import { byId, fill, h } from '../dom.js';
import { setTitle } from '../head.js';
import { optionsList, quoteCart, smallestOrder, trouble } from '../lines.js';
import { money } from '../money.js';
import { picture } from '../picture.js';
import { priceNote, showFailure, showShell } from '../shell.js';
import { productUrl } from '../urls.js';

/** @typedef {import('../lines.js').Line} Line */

/** What happened with the link that the buyer came by; shown until the cart is shown again. */
let arrival = '';

/** @param {string} [focus] id of the element that had the focus */
async function show(focus) {
  const { lines, quoted } = await quoteCart();
  const smallest = quoted ? smallestOrder(quoted) : '';
  const isStuck = lines.some((line) => trouble(line) !== '');
  const note = sumNote();
  const came = arrival && h('p', { class: 'note', role: 'status' }, arrival);
  const heading = h('h1', { id: 'heading', tabindex: -1 }, 'Your cart');
  if (!quoted) {
    fill(
      byId('main'),
      h(
        'div',
        { class: 'narrow' },
        heading,
        came,
        h('p', {}, 'Your cart is empty.'),
        h('p', {}, h('a', { class: 'button', href: 'index.html' }, 'Continue shopping')),
      ),
    );
  } else {
    fill(
      byId('main'),
      h(
        'div',
        { class: 'narrow' },
        heading,
        came,
        h('ul', { class: 'lines' }, lines.map(row)),
        h('p', { class: 'sum' }, h('span', {}, 'Subtotal'), h('strong', {}, money(quoted.subtotal))),
        note && h('p', { class: 'note' }, note),
        isStuck || smallest !== ''
          ? h('p', { class: 'error', id: 'stuck' }, isStuck ? 'Please change the marked products first.' : smallest)
          : h('p', {}, h('a', { class: 'button primary', href: 'checkout.html' }, 'Go to checkout')),
      ),
    );
  }
  if (focus) (document.getElementById(focus) ?? heading).focus();
}

/** What the subtotal contains, and what is added to it. */
function sumNote() {
  const note = priceNote();
  return note && `${capitalised(note)}.`;
}

/** @param {Line} line @param {number} i its place in the cart */
function row(line, i) {
  const { title, quantity, options, quoted, image } = line;
  const { slug, unitPrice, total } = quoted;
  const left = quoted.productId === null ? 0 : (quoted.available ?? Number.POSITIVE_INFINITY);
  const change = (/** @type {number} */ to, /** @type {string} */ focus) => {
    setQuantity(line, to);
    arrival = '';
    show(focus).catch(showFailure);
  };
  const message = trouble(line);
  const button = (
    /** @type {string} */ name,
    /** @type {string} */ sign,
    /** @type {string} */ label,
    /** @type {number} */ to,
    disabled = false,
  ) =>
    h(
      'button',
      {
        type: 'button',
        id: `${name}-${i}`,
        'aria-label': `${label}: ${title}`,
        'aria-disabled': disabled,
        onclick: () => !disabled && change(to, `${name}-${i}`),
      },
      sign,
    );
  return h(
    'li',
    {},
    picture(image, { sizes: '6rem', alt: '' }),
    h(
      'div',
      {},
      h('p', { class: 'title' }, slug ? h('a', { href: productUrl({ slug }) }, title) : title),
      optionsList(options),
      unitPrice && h('p', { class: 'note' }, money(unitPrice), ' each'),
      message && h('p', { class: 'error' }, message),
    ),
    h(
      'div',
      { class: 'stepper', role: 'group', 'aria-label': `Quantity of ${title}` },
      button(
        'less',
        '−',
        quantity > left && left > 0 ? `Take ${left}` : 'One less',
        quantity > left && left > 0 ? left : quantity - 1,
        quantity <= 1,
      ),
      h('output', {}, quantity),
      button('more', '+', 'One more', quantity + 1, quantity >= left),
    ),
    h('p', { class: 'price' }, total === null ? '' : money(total)),
    h(
      'button',
      { type: 'button', class: 'plain', 'aria-label': `Remove ${title}`, onclick: () => change(0, 'heading') },
      'Remove',
    ),
  );
}

setTitle('Cart');
void showShell();
try {
  arrival = await takeBuyLink();
  await show();
} catch (error) {
  showFailure(error);
}
// Another window of this shop can have changed it.
addEventListener('storage', () => void show().catch(showFailure));
