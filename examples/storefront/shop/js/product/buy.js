import config from '../../config.js';
import { addToCart, countCart } from '../cart.js';
import { fill, h } from '../dom.js';

/** @typedef {import('../api.js').Product} Product */

/** What the buyer has written, also for the variant that was shown before. @type {Map<string, string>} */
const written = new Map();

/** Most fields of a line that the store keeps. */
const mostOptions = 10;

/** The fields that buyers may fill in for a product. @param {Pick<Product, 'attributes'>} product */
const optionsOf = ({ attributes }) =>
  (config.options ?? []).filter(({ attribute }) => Object.hasOwn(attributes, attribute)).slice(0, mostOptions);

/** @param {Product} product @param {number} left pieces that can be bought @param {HTMLElement} status where the page says what happened */
export function buyForm(product, left, status) {
  const quantity = h('input', {
    id: 'quantity',
    type: 'number',
    min: 1,
    max: Math.max(left, 1),
    step: 1,
    value: 1,
    required: true,
    inputmode: 'numeric',
    disabled: left === 0,
  });
  return h(
    'form',
    {
      class: 'buy',
      onsubmit: (event) => {
        event.preventDefault();
        add(product, Number(quantity.value), status);
      },
    },
    optionsOf(product).map(({ name, label = name, maxLength = 100, attribute }, i) =>
      h(
        'div',
        { class: 'field option' },
        h('label', { for: `option-${i}` }, label, h('span', { class: 'note' }, ' (optional)')),
        h('input', {
          id: `option-${i}`,
          type: 'text',
          maxlength: Math.min(maxLength, 500),
          autocomplete: 'off',
          value: written.get(name),
          'aria-describedby': `option-${i}-note`,
          oninput: ({ target }) => written.set(name, /** @type {HTMLInputElement} */ (target).value),
        }),
        h('p', { class: 'note', id: `option-${i}-note` }, product.attributes[attribute]),
      ),
    ),
    h('div', { class: 'field quantity' }, h('label', { for: 'quantity' }, 'Quantity'), quantity),
    h('button', { class: 'primary', disabled: left === 0 }, left === 0 ? 'Sold out' : 'Add to cart'),
  );
}

/** @param {Product} product @param {number} quantity @param {HTMLElement} status */
function add(product, quantity, status) {
  /** @type {Record<string, string>} */
  const options = {};
  for (const { name } of optionsOf(product)) {
    const text = written.get(name)?.trim();
    if (text) options[name] = text;
  }
  const isAdded = addToCart(product, quantity, options);
  const inCart = countCart(product.id);
  status.classList.toggle('refused', !isAdded);
  const reason = inCart > 0 ? `You have ${inCart} in your cart already, and there are no more.` : 'Your cart is full. ';
  fill(status, isAdded ? 'Added to your cart. ' : `${reason} `, h('a', { href: 'cart.html' }, 'View cart'));
}
