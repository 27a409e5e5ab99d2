import { byId, fill, h } from '../dom.js';
import { form } from './form.js';

/** @typedef {{ name: string, text: string }} Problem `name` of a field, or empty for the whole */

/** Fields of the form by their names in the store. @type {Record<string, string>} */
export const inputs = {
  'customer.email': 'email',
  'customer.name': 'lastName',
  'customer.phone': 'phone',
  'shippingAddress.firstName': 'firstName',
  'shippingAddress.lastName': 'lastName',
  'shippingAddress.address1': 'address1',
  'shippingAddress.address2': 'address2',
  'shippingAddress.postalCode': 'postalCode',
  'shippingAddress.city': 'city',
  'shippingAddress.region': 'region',
  'shippingAddress.country': 'country',
  'shippingAddress.phone': 'phone',
  shippingMethodId: 'shippingMethodId',
  paymentMethodId: 'paymentMethodId',
  provider: 'paymentMethodId',
  discountCode: 'discountCode',
  giftNote: 'giftNote',
};

/** The inputs of names that several inputs have. @type {Record<string, string>} */
const places = { shippingMethodId: '#methods input', paymentMethodId: '#payments input' };

/**
 * What buyers read of a problem. The store names each by a code; a code of a later version has its own words.
 * @type {Record<string, string>}
 */
const words = {
  COUNTRY_REQUIRED: 'Choose your country.',
  COUNTRY_NOT_SERVED: 'We do not ship there.',
  SHIPPING_METHOD_REQUIRED: 'Choose a shipping method.',
  SHIPPING_METHOD_NOT_OFFERED: 'This shipping method is not offered for your order. Choose another one.',
  PAYMENT_METHOD_REQUIRED: 'Choose how you want to pay.',
  PAYMENT_METHOD_NOT_OFFERED: 'You cannot pay this way at the moment. Choose another one, or come back later.',
  DISCOUNT_UNKNOWN: 'There is no such code.',
  DISCOUNT_NOT_VALID_NOW: 'This code is not valid at the moment.',
  DISCOUNT_MINIMUM: 'Your order is too small for this code.',
  DISCOUNT_USED_UP: 'This code has been used up.',
  AMOUNT_NOT_CHARGEABLE: 'This amount cannot be charged. Please change your order.',
};

/**
 * Problems of a quote or a refused checkout as the form shows them; those of lines are shown beside the lines.
 * @param {readonly { code?: string | null, field: string, message?: string, reason?: string }[]} problems
 * @param {string} [smallest] in words, if the order is too small
 * @returns {Problem[]}
 */
export function problemsOf(problems, smallest = '') {
  return problems
    .filter(({ code }) => code !== 'PRODUCT_NOT_FOUND' && code !== 'INSUFFICIENT_STOCK')
    .map(({ code, field, message, reason }) => ({
      name: code?.startsWith('COUNTRY_') ? 'country' : (inputs[field] ?? ''),
      text: (code === 'BELOW_MINIMUM' && smallest) || (words[code ?? ''] ?? `This ${reason ?? message}.`),
    }));
}

/**
 * Marks the fields with errors, and focuses the first one.
 * @param {Problem[]} problems
 */
export function showProblems(problems) {
  for (const element of form().querySelectorAll('[aria-invalid]')) element.removeAttribute('aria-invalid');
  for (const element of form().querySelectorAll('.error')) fill(element);
  const box = byId('problem');
  box.hidden = problems.length === 0;
  const unplaced = [];
  /** @type {HTMLElement | undefined} */
  let first;
  for (const { name, text } of problems) {
    const place = name === '' ? null : document.getElementById(`${name}-error`);
    const input = places[name] ? form().querySelector(places[name]) : document.getElementById(name);
    if (!place) unplaced.push(text);
    else {
      fill(place, text);
      input?.setAttribute('aria-invalid', 'true');
      first ??= input instanceof HTMLElement ? input : undefined;
    }
  }
  fill(
    box,
    unplaced.length > 0
      ? unplaced.map((text) => h('p', {}, text))
      : h('p', {}, problems.length === 1 ? 'Please check the marked field.' : 'Please check the marked fields.'),
  );
  if (problems.length > 0) (unplaced.length > 0 || !first ? box : first).focus();
}

/** Missing fields, before the store is asked. */
export function missing() {
  /** @type {Problem[]} */
  const problems = [];
  for (const input of form().querySelectorAll('input, select')) {
    const { name, validity, labels } = /** @type {HTMLInputElement} */ (input);
    const label = labels?.[0]?.textContent ?? name;
    if (validity.valueMissing) problems.push({ name, text: `${label} is needed.` });
    else if (validity.typeMismatch) problems.push({ name, text: 'Enter an e-mail address such as name@example.com.' });
  }
  return problems;
}
