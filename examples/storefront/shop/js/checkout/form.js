import { countries } from '../countries.js';
import { byId, h } from '../dom.js';
import { ships, shop } from '../shop.js';

/** @typedef {Record<string, string | number | boolean | undefined>} FieldAttributes */

export const form = () => /** @type {HTMLFormElement} */ (byId('form'));

/** @param {string} name */
export const entered = (name) => String(new FormData(form()).get(name) ?? '').trim();

/**
 * A field with its label, and the place of its error.
 * @param {string} name
 * @param {string} label
 * @param {FieldAttributes} attributes of the input
 */
export const labelled = (name, label, attributes) =>
  h(
    'div',
    { class: 'field' },
    h('label', { for: name }, label, !attributes.required && h('span', { class: 'note' }, ' (optional)')),
    h('input', { id: name, name, maxlength: 255, 'aria-describedby': `${name}-error`, ...attributes }),
    h('p', { class: 'error', id: `${name}-error` }),
  );

/**
 * The form of the checkout and the place of the summary.
 * @param {Record<string, string>} draft what was entered before
 * @param {{ onsubmit: () => void, oninput: () => void, oncountry: () => void, onmethod: () => void, onpayment: () => void }} on
 */
export function checkoutForm(draft, on) {
  const field = (/** @type {string} */ name, /** @type {string} */ label, /** @type {FieldAttributes} */ attributes) =>
    labelled(name, label, { value: draft[name], ...attributes });
  const list = countries(shop.countries, shop.locale);
  const country = list.some(({ code }) => code === draft.country)
    ? draft.country
    : list.length === 1
      ? list[0]?.code
      : '';
  return [
    h('h1', {}, 'Checkout'),
    h('div', { class: 'problem', id: 'problem', tabindex: -1, hidden: true }),
    h(
      'div',
      { class: 'checkout' },
      h(
        'form',
        {
          id: 'form',
          novalidate: true,
          onsubmit: (event) => {
            event.preventDefault();
            on.onsubmit();
          },
          oninput: on.oninput,
        },
        h(
          'fieldset',
          {},
          h('legend', {}, 'Contact'),
          h(
            'div',
            { class: 'fields' },
            field('email', 'E-mail', {
              type: 'email',
              autocomplete: 'email',
              required: true,
              maxlength: 320,
              class: 'wide',
            }),
            field('firstName', 'First name', { autocomplete: 'given-name', required: true, maxlength: 100 }),
            field('lastName', 'Last name', { autocomplete: 'family-name', required: true, maxlength: 100 }),
            field('phone', 'Phone', { type: 'tel', autocomplete: 'tel', maxlength: 50, class: 'wide' }),
          ),
        ),
        h(
          'fieldset',
          {},
          h('legend', {}, 'Shipping address'),
          h(
            'div',
            { class: 'fields' },
            h(
              'div',
              { class: 'field' },
              h('label', { for: 'country' }, 'Country'),
              h(
                'select',
                {
                  id: 'country',
                  name: 'country',
                  autocomplete: 'country',
                  required: true,
                  'aria-describedby': 'country-error',
                  onchange: on.oncountry,
                },
                list.length > 1 && h('option', { value: '' }, 'Please choose'),
                list.map(({ code, name }) => h('option', { value: code, selected: code === country }, name)),
              ),
              h('p', { class: 'error', id: 'country-error' }),
            ),
            field('address1', 'Street and number', { autocomplete: 'address-line1', required: true }),
            field('address2', 'Apartment, floor or company', { autocomplete: 'address-line2' }),
            field('postalCode', 'Postal code', { autocomplete: 'postal-code', required: true, maxlength: 32 }),
            field('city', 'City', { autocomplete: 'address-level2', required: true }),
            field('region', 'State or region', { autocomplete: 'address-level1' }),
          ),
        ),
        ships &&
          h(
            'fieldset',
            { id: 'shipping', 'aria-describedby': 'shippingMethodId-error' },
            h('legend', {}, 'Shipping method'),
            h('div', { id: 'methods', class: 'methods', onchange: on.onmethod }),
            h('p', { class: 'error', id: 'shippingMethodId-error' }),
          ),
        h(
          'fieldset',
          { id: 'payment', hidden: true, 'aria-describedby': 'paymentMethodId-error' },
          h('legend', {}, 'Payment'),
          h('div', { id: 'payments', class: 'methods', onchange: on.onpayment }),
          h('p', { class: 'error', id: 'paymentMethodId-error' }),
        ),
        h(
          'fieldset',
          {},
          h('legend', {}, 'Is it a gift?'),
          h(
            'div',
            { class: 'field' },
            h('label', { for: 'giftNote' }, 'Gift note', h('span', { class: 'note' }, ' (optional)')),
            h(
              'textarea',
              { id: 'giftNote', name: 'giftNote', rows: 3, maxlength: 1000, 'aria-describedby': 'giftNote-error' },
              draft.giftNote,
            ),
            h('p', { class: 'error', id: 'giftNote-error' }),
          ),
        ),
        h('fieldset', { id: 'discount' }),
        h('p', {}, h('button', { class: 'primary', id: 'pay' }, 'Pay')),
        h('p', { class: 'note', id: 'payment-note' }),
      ),
      h('aside', { class: 'summary', 'aria-label': 'Your order', id: 'summary' }),
    ),
  ];
}
