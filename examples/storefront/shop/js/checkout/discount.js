import { byId, fill, h } from '../dom.js';
import { money } from '../money.js';
import { labelled } from './form.js';

/** A code that the store has accepted. @typedef {{ code: string, amount: string }} Discount */

/**
 * The field of a code with its button, or the code that was accepted.
 * @param {{ code: string, discount: Discount | null, onapply: () => void, onremove: () => void, oninput: () => void }} options
 */
export function showDiscount({ code, discount, onapply, onremove, oninput }) {
  const input = { type: 'text', autocomplete: 'off', maxlength: 64, autocapitalize: 'characters', spellcheck: 'false' };
  const field = labelled('discountCode', 'Discount code', { ...input, value: code });
  const box = /** @type {HTMLInputElement} */ (field.querySelector('input'));
  box.addEventListener('input', oninput);
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || box.value.trim() === '') return;
    // Enter checks the code. It does not buy.
    event.preventDefault();
    onapply();
  });
  fill(
    byId('discount'),
    h('legend', {}, 'Discount'),
    discount
      ? h(
          'p',
          { class: 'applied' },
          h('input', { type: 'hidden', name: 'discountCode', value: discount.code }),
          h('span', {}, h('strong', {}, discount.code), ` takes ${money(discount.amount)} off.`),
          h(
            'button',
            { type: 'button', class: 'plain', id: 'remove-code', onclick: onremove },
            'Remove',
            h('span', { class: 'hidden' }, ' code'),
          ),
        )
      : h(
          'div',
          { class: 'code' },
          field,
          h(
            'button',
            { type: 'button', id: 'apply', onclick: onapply },
            'Apply',
            h('span', { class: 'hidden' }, ' code'),
          ),
        ),
  );
}
