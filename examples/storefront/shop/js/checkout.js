import config from '../config.js';
import { createCheckout, getCheckout, Refused } from './api.js';
import { available, read, readStarted, setQuantity, write, writeStarted } from './cart.js';
import { countries } from './countries.js';
import { byId, fill, h } from './dom.js';
import { currentLines, subtotalOf, totalOf, trouble } from './lines.js';
import { applyRate, money, percent, toAmount, toMinor } from './money.js';
import { openPostalCodes } from './postal-codes.js';
import { setTitle, showFailure, showShell, wordsFor } from './shell.js';

/** @typedef {import('./lines.js').Line} Line */
/** @typedef {typeof config.shippingMethods[number]} ShippingMethod */

const draftName = `form ${config.storeId}`;
const attemptName = `attempt ${config.storeId}`;

/** Fields of the form by their names in the store. @type {Record<string, string>} */
const inputs = {
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

/** @type {Line[]} */
let lines = [];

/** Whether the addresses of a country have a postal code, as far as is known. @type {(country: string) => boolean | undefined} */
let hasPostalCode = () => undefined;

/** The shipping method that the buyer has picked; the first one of a country is only a proposal. */
let picked = String(read(sessionStorage, draftName)?.shippingMethodId ?? '');

const form = () => /** @type {HTMLFormElement} */ (byId('form'));

/** @param {string} name */
const entered = (name) => String(new FormData(form()).get(name) ?? '').trim();

/**
 * The shipping methods for a country.
 * @param {string} country
 */
const methodsFor = (country) =>
  config.shippingMethods.filter((method) => method.countries === null || method.countries.includes(country));

/**
 * The shipping fee, by the store's rule: free from a subtotal before discounts.
 * @param {ShippingMethod} method
 * @param {string} subtotal
 */
const priceOf = ({ price, freeFrom }, subtotal) =>
  freeFrom !== null && toMinor(subtotal) >= toMinor(freeFrom) ? toAmount(0n, price) : price;

async function start() {
  [lines, hasPostalCode] = await Promise.all([currentLines(), openPostalCodes()]);
  setTitle('Checkout');
  if (lines.length === 0) {
    location.replace('cart.html');
    return;
  }
  showForm();
  showPostalCode();
  showMethods();
  showSummary();
}

function showForm() {
  const draft = read(sessionStorage, draftName) ?? {};
  /** @param {string} name @param {string} label @param {Record<string, string | number | boolean>} attributes */
  const field = (name, label, attributes) =>
    h(
      'div',
      { class: 'field' },
      h('label', { for: name }, label, !attributes.required && h('span', { class: 'note' }, ' (optional)')),
      h('input', {
        id: name,
        name,
        maxlength: 255,
        value: draft[name],
        'aria-describedby': `${name}-error`,
        ...attributes,
      }),
      h('p', { class: 'error', id: `${name}-error` }),
    );
  const list = countries(config.shippingMethods, config.locale);
  const country = list.some(({ code }) => code === draft.country)
    ? draft.country
    : list.length === 1
      ? list[0]?.code
      : '';
  fill(
    byId('main'),
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
            void submit();
          },
          oninput: keepDraft,
        },
        h(
          'fieldset',
          {},
          h('legend', {}, 'You'),
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
          h('legend', {}, 'Address'),
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
                  onchange: () => {
                    showPostalCode();
                    showMethods();
                    showSummary();
                  },
                },
                list.length > 1 && h('option', { value: '' }, 'Please choose'),
                list.map(({ code, name }) => h('option', { value: code, selected: code === country }, name)),
              ),
              h('p', { class: 'error', id: 'country-error' }),
            ),
            field('address1', 'Street and number', { autocomplete: 'address-line1', required: true }),
            field('address2', 'Addition', { autocomplete: 'address-line2' }),
            field('postalCode', 'Postal code', { autocomplete: 'postal-code', required: true, maxlength: 32 }),
            field('city', 'City', { autocomplete: 'address-level2', required: true }),
            field('region', 'State or region', { autocomplete: 'address-level1' }),
          ),
        ),
        config.shippingMethods.length > 0 &&
          h(
            'fieldset',
            { id: 'shipping', 'aria-describedby': 'shippingMethodId-error' },
            h('legend', {}, 'Shipping'),
            h('div', { id: 'methods', class: 'methods', onchange: pickMethod }),
            h('p', { class: 'error', id: 'shippingMethodId-error' }),
          ),
        h(
          'fieldset',
          {},
          h('legend', {}, 'Discount'),
          h(
            'div',
            { class: 'fields' },
            field('discountCode', 'Discount code', {
              autocomplete: 'off',
              maxlength: 64,
              autocapitalize: 'characters',
              spellcheck: 'false',
            }),
          ),
        ),
        h('p', {}, h('button', { class: 'primary', id: 'pay' }, 'Pay')),
        h('p', { class: 'note' }, 'You pay on a page of our payment provider and come back here afterwards.'),
      ),
      h('aside', { class: 'summary', 'aria-label': 'Your order', id: 'summary' }),
    ),
  );
  byId('discountCode').addEventListener('input', showSummary);
}

/** A form that was filled in is still there when a buyer comes back from the provider, until the window is closed. */
function keepDraft() {
  write(sessionStorage, draftName, { ...Object.fromEntries(new FormData(form())), shippingMethodId: picked });
}

/** Asks for a postal code in the countries that have one. A disabled field is neither checked nor sent, and keeps its text. */
function showPostalCode() {
  const country = entered('country');
  const isNeeded = country === '' || hasPostalCode(country);
  const input = /** @type {HTMLInputElement} */ (byId('postalCode'));
  input.required = isNeeded === true;
  input.disabled = isNeeded === false;
  const place = input.closest('.field');
  if (place instanceof HTMLElement) place.hidden = input.disabled;
}

function showMethods() {
  if (config.shippingMethods.length === 0) return;
  const country = entered('country');
  const subtotal = subtotalOf(lines) ?? '0';
  const methods = methodsFor(country);
  const [first] = methods;
  const checked = methods.some(({ id }) => id === picked) ? picked : first?.id;
  fill(
    byId('methods'),
    country === '' && h('p', { class: 'note' }, 'Choose your country first.'),
    country !== '' && methods.length === 0 && h('p', { class: 'note' }, 'We do not ship there.'),
    country !== '' &&
      methods.map((method) => {
        const price = priceOf(method, subtotal);
        const isFree = toMinor(price) === 0n;
        return h(
          'label',
          { class: 'method' },
          h('input', { type: 'radio', name: 'shippingMethodId', value: method.id, checked: method.id === checked }),
          h(
            'span',
            {},
            method.name,
            !isFree && method.freeFrom !== null && h('span', { class: 'note' }, `free from ${money(method.freeFrom)}`),
          ),
          h('strong', {}, isFree ? 'free' : money(price)),
        );
      }),
  );
}

function pickMethod() {
  picked = entered('shippingMethodId');
  keepDraft();
  showSummary();
}

function showSummary() {
  const subtotal = subtotalOf(lines);
  const method = config.shippingMethods.find(({ id }) => id === entered('shippingMethodId'));
  const row = (/** @type {string} */ label, /** @type {string} */ amount, strong = false) =>
    h('div', { class: strong ? 'total' : '' }, h('dt', {}, label), h('dd', {}, amount));
  const sums = [];
  if (subtotal) {
    const hasCode = entered('discountCode') !== '';
    const shipping = method ? priceOf(method, subtotal) : undefined;
    const goods = toMinor(subtotal);
    const extra = config.taxIncluded ? 0n : applyRate(goods, config.taxRate);
    const total = goods + extra + (shipping ? toMinor(shipping) : 0n);
    sums.push(row('Subtotal', money(subtotal)));
    if (shipping) sums.push(row('Shipping', toMinor(shipping) === 0n ? 'free' : money(shipping)));
    if (Number(config.taxRate) > 0) {
      const rate = percent(config.taxRate);
      // For prices that include tax, the store's answer and the provider's page state the tax.
      if (config.taxIncluded) sums.push(row('Tax', `${rate} included`));
      else if (extra > 0n) sums.push(row(`Tax (${rate})`, money(toAmount(extra, subtotal))));
    }
    sums.push(
      row(
        hasCode
          ? 'Total before the discount'
          : shipping || config.shippingMethods.length === 0
            ? 'Total'
            : 'Total before shipping',
        money(toAmount(total, subtotal)),
        true,
      ),
    );
    fill(
      byId('pay'),
      hasCode || (!shipping && config.shippingMethods.length > 0)
        ? 'Go on to pay'
        : `Pay ${money(toAmount(total, subtotal))}`,
    );
  }
  fill(
    byId('summary'),
    h('h2', {}, 'Your order'),
    h('ul', {}, lines.map(line)),
    h('dl', {}, sums),
    h('p', {}, h('a', { href: 'cart.html' }, 'Change the cart')),
  );
}

/** @param {Line} line */
function line(line) {
  const { id, title, quantity, product } = line;
  const message = trouble(line);
  const left = product ? available(product) : 0;
  const total = totalOf(line);
  const mend = (/** @type {number} */ to) => {
    setQuantity(id, to);
    currentLines().then((now) => {
      lines = now;
      if (lines.length === 0) location.replace('cart.html');
      showMethods();
      showSummary();
      byId('pay').focus();
    }, showFailure);
  };
  return h(
    'li',
    {},
    h('span', {}, `${quantity} × ${title}`),
    h('span', {}, total === undefined ? '' : money(total)),
    message &&
      h(
        'p',
        { class: 'error', id: `line-${id}` },
        message,
        ' ',
        h(
          'button',
          { type: 'button', class: 'plain', onclick: () => mend(Math.min(left, quantity)) },
          left > 0 ? `Take ${left}` : 'Remove it',
          h('span', { class: 'hidden' }, `: ${title}`),
        ),
      ),
  );
}

/**
 * Marks the fields with errors, and focuses the first one.
 * @param {{ name: string, text: string }[]} problems `name` of a field, or empty for the whole
 */
function showProblems(problems) {
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
      : h(
          'p',
          {},
          problems.length === 1
            ? 'Please look at the field that is marked.'
            : 'Please look at the fields that are marked.',
        ),
  );
  if (problems.length > 0) (unplaced.length > 0 || !first ? box : first).focus();
}

/** Missing fields, before the store is asked. */
function missing() {
  const problems = [];
  for (const input of form().querySelectorAll('input, select')) {
    const { name, validity, labels } = /** @type {HTMLInputElement} */ (input);
    const label = labels?.[0]?.textContent ?? name;
    if (validity.valueMissing) problems.push({ name, text: `${label} is needed.` });
    else if (validity.typeMismatch)
      problems.push({ name, text: 'This is no e-mail address, such as name@example.com.' });
  }
  const country = entered('country');
  if (config.shippingMethods.length > 0 && country !== '' && methodsFor(country).length === 0) {
    problems.push({ name: 'country', text: 'We do not ship there.' });
  }
  return problems;
}

/** The order that is sent to the store. It contains no prices: the store sets them. */
function inputOf() {
  const address = Object.fromEntries(
    ['firstName', 'lastName', 'address1', 'address2', 'postalCode', 'city', 'region', 'country'].map((name) => [
      name,
      entered(name) || null,
    ]),
  );
  const started = readStarted();
  return {
    items: lines.map(({ id, quantity }) => ({ productId: id, quantity })),
    customer: {
      email: entered('email'),
      name: `${entered('firstName')} ${entered('lastName')}`.trim(),
      phone: entered('phone') || null,
    },
    shippingAddress: address,
    ...(config.shippingMethods.length > 0 && { shippingMethodId: entered('shippingMethodId') }),
    discountCode: entered('discountCode') || null,
    ...(config.provider && { provider: config.provider }),
    successUrl: new URL('return.html', location.href).href,
    cancelUrl: new URL('cancelled.html', location.href).href,
    // Releases what this buyer reserved before, for this order.
    ...(started?.secret && { replaces: { id: started.id, secret: started.secret } }),
  };
}

/**
 * A key for these contents: a request that is repeated because its answer was lost orders once.
 * @param {object} input
 */
function keyFor(input) {
  const body = JSON.stringify(input);
  const attempt = read(sessionStorage, attemptName);
  if (attempt?.body === body) return String(attempt.key);
  const key = crypto.randomUUID();
  write(sessionStorage, attemptName, { body, key });
  return key;
}

async function submit() {
  const problems = missing();
  showProblems(problems);
  if (problems.length > 0) return;
  const pay = /** @type {HTMLButtonElement} */ (byId('pay'));
  if (pay.getAttribute('aria-disabled') === 'true') return;
  pay.setAttribute('aria-disabled', 'true');
  const label = pay.textContent;
  fill(pay, 'One moment …');
  try {
    const input = inputOf();
    const { id, url, secret } = await createCheckout(input, keyFor(input));
    const before = readStarted();
    // The answer to a repeated request does not contain the secret.
    writeStarted({ id, secret: secret ?? (before?.id === id ? before.secret : null) });
    sessionStorage.removeItem(attemptName);
    location.assign(url ?? `return.html?checkout=${encodeURIComponent(id)}`);
  } catch (error) {
    pay.removeAttribute('aria-disabled');
    fill(pay, label);
    await explain(error);
  }
}

/** @param {unknown} error */
async function explain(error) {
  // The store keeps an answer below 500 under its key, so the next attempt needs a new key.
  if (error instanceof Refused && error.status >= 400 && error.status < 500) sessionStorage.removeItem(attemptName);
  if (!(error instanceof Refused)) {
    console.error(error);
    return showProblems([{ name: '', text: wordsFor(error) }]);
  }
  const started = readStarted();
  if (started && (error.code === 'CONFLICT' || error.status === 404)) {
    const before = await getCheckout(started.id).catch(() => undefined);
    if (before?.status === 'paid') return location.assign(`return.html?checkout=${encodeURIComponent(started.id)}`);
    writeStarted(null);
  }
  lines = await currentLines().catch(() => lines);
  showMethods();
  showSummary();
  const stuck = lines.filter((one) => trouble(one) !== '');
  if (stuck.length > 0) {
    return showProblems(
      stuck.map((one) => ({ name: '', text: `${one.title}: ${trouble(one)} It is marked in your order.` })),
    );
  }
  const named = error.details.map(({ field, message, reason }) => ({
    name: inputs[field] ?? '',
    text: sentence(field, reason ?? message ?? error.message),
  }));
  if (error.code === 'DISCOUNT_USED_UP')
    return showProblems([
      { name: 'discountCode', text: 'This code has been used up. Clear the field to buy without it.' },
    ]);
  if (error.code === 'VALIDATION_ERROR' && named.length > 0) return showProblems(named);
  showProblems([
    {
      name: '',
      text:
        error.code === 'INSUFFICIENT_STOCK'
          ? 'Somebody was faster: there is not enough of something in your cart.'
          : wordsFor(error),
    },
  ]);
}

/** @param {string} field @param {string} reason */
function sentence(field, reason) {
  if (field === 'discountCode') return `This code does not help: ${reason}.`;
  return `This ${reason}.`;
}

void showShell();
await start().catch(showFailure);
// A page from the browser's cache shows the button in its last state.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
