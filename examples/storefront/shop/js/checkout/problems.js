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
  discountCode: 'discountCode',
};

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
    const input = name === 'shippingMethodId' ? form().querySelector('#methods input') : document.getElementById(name);
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
