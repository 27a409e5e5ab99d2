import config from '../../config.js';
import { createCheckout, getCheckout, Refused } from '../api.js';
import { read, readCart, readStarted, setQuantity, write, writeStarted } from '../cart.js';
import { showDiscount } from '../checkout/discount.js';
import { checkoutForm, entered, form } from '../checkout/form.js';
import { missing, problemsOf, showProblems } from '../checkout/problems.js';
import { byId, debounced, fill, h } from '../dom.js';
import { setTitle } from '../head.js';
import { itemOf, optionsList, quoteCart, smallestOrder, trouble } from '../lines.js';
import { isZero, money, percent } from '../money.js';
import { draftName, writePlaced } from '../placed.js';
import { openPostalCodes } from '../postal-codes.js';
import { showFailure, showShell, wordsFor } from '../shell.js';
import { ships } from '../shop.js';
import { returnUrl } from '../urls.js';

/** @typedef {import('../lines.js').Line} Line */
/** @typedef {import('../api.js').Quote} Quote */

const attemptName = `attempt ${config.storeId}`;

/** Milliseconds without typing after which the store is asked what the order costs. */
const pause = 250;

/** @type {Line[]} */
let lines = [];

/** What the order costs, as the store has said last. @type {Quote | undefined} */
let quoted;

/** Whether the addresses of a country have a postal code, as far as is known. @type {(country: string) => boolean | undefined} */
let hasPostalCode = () => undefined;

const draft = read(sessionStorage, draftName) ?? {};

/** The methods that the buyer has picked; the first one of a country is only a proposal. */
let picked = String(draft.shippingMethodId ?? '');
let paidBy = String(draft.paymentMethodId ?? '');

/** The shipping method that is proposed for a country while none is picked: its first one. */
let proposed = { country: '', id: '' };

/** The code that the store has accepted. */
let code = '';

async function start() {
  [, hasPostalCode] = await Promise.all([readCart().length > 0 && load({ country: draft.country }), openPostalCodes()]);
  setTitle('Checkout');
  if (!quoted) {
    location.replace('cart.html');
    return;
  }
  const on = {
    onsubmit: () => void submit(),
    oninput: keepDraft,
    oncountry: () => {
      showPostalCode();
      void refresh();
    },
    onmethod: () => {
      picked = entered('shippingMethodId');
      keepDraft();
      void refresh();
    },
    onpayment: () => {
      paidBy = entered('paymentMethodId');
      keepDraft();
      void refresh();
    },
  };
  fill(byId('main'), checkoutForm(draft, on));
  // Taxes and methods can depend on the whole address.
  for (const name of ['postalCode', 'region']) {
    byId(name).addEventListener(
      'input',
      debounced(() => void refresh(), pause),
    );
  }
  showCode(String(draft.discountCode ?? ''));
  showPostalCode();
  showQuote();
  await refresh();
}

/** Work for the present form; the next change cancels it. */
let current = new AbortController();

/**
 * Asks the store what the order costs.
 * @param {{ country?: string, region?: string, postalCode?: string }} address
 * @param {string} [discountCode]
 */
async function load({ country, region, postalCode }, discountCode = code) {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  /** @type {Omit<import('../api.js').QuoteInput, 'items'>} */
  const asked = {
    ...(country && { country }),
    ...(country && region && { region }),
    ...(country && postalCode && { postalCode }),
    ...(paidBy && quoted?.paymentMethods.some(({ id }) => id === paidBy) && { paymentMethodId: paidBy }),
    ...(discountCode && { discountCode }),
  };
  const method = picked || (proposed.country === country ? proposed.id : '');
  let answer = await quoteCart({ ...asked, ...(method && { shippingMethodId: method }) }, signal);
  const [first] = answer.quoted?.shippingMethods ?? [];
  const isOffered = answer.quoted?.shippingMethods.some(({ id }) => id === method);
  if (first && country && !isOffered) {
    proposed = { country, id: first.id };
    picked = '';
    answer = await quoteCart({ ...asked, shippingMethodId: first.id }, signal);
  }
  if (signal.aborted) return;
  ({ lines, quoted } = answer);
}

/** The code that the store is asked about. A change of the form waits for it, as it would cancel it otherwise. */
let applying = Promise.resolve();

/** Shows what the order costs after a change of the form. The last amounts stay until then. */
function refresh() {
  newest = renew();
  return newest;
}

/** The newest look at what the cart costs. */
let newest = Promise.resolve();

/** Waits for the newest look: each ends those before it, which then show nothing. */
async function refreshed() {
  for (let look; look !== newest; ) {
    look = newest;
    await look;
  }
}

async function renew() {
  await applying;
  byId('summary').setAttribute('aria-busy', 'true');
  try {
    const mine = load(place());
    const { signal } = current;
    await mine;
    if (signal.aborted) return;
    if (lines.length === 0) return location.replace('cart.html');
    showQuote();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    fill(byId('said'), wordsFor(error));
  }
  byId('summary').removeAttribute('aria-busy');
}

/** The address as far as it decides what the order costs. */
const place = () => ({
  country: entered('country'),
  region: entered('region'),
  postalCode: entered('postalCode'),
});

function showQuote() {
  showMethods();
  showPayments();
  showSummary();
}

/** @param {string} typed code that is in the field */
function showCode(typed) {
  const discount = code === '' || !quoted ? null : { code, amount: quoted.discount };
  showDiscount({ code: typed, discount, onapply: () => void applyCode(), onremove: removeCode, oninput: showSummary });
}

/** A form that was filled in is still there when a buyer comes back from the provider, until the window is closed. */
function keepDraft() {
  const fields = Object.fromEntries(new FormData(form()));
  write(sessionStorage, draftName, { ...fields, shippingMethodId: picked, paymentMethodId: paidBy });
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

/**
 * A choice among methods.
 * @param {string} name of the input
 * @param {string} value
 * @param {string | null | undefined} chosen
 * @param {import('../dom.js').Child[]} content
 */
const option = (name, value, chosen, ...content) =>
  h('label', { class: 'method' }, h('input', { type: 'radio', name, value, checked: value === chosen }), ...content);

/** Whether something in the cart is shipped, or fetched. Nothing of that is asked of other goods. */
function isShipped() {
  const { shippingMethods = [], problems = [] } = quoted ?? {};
  return ships && (shippingMethods.length > 0 || problems.some(({ code: one }) => /^(COUNTRY|SHIPPING)_/.test(one)));
}

/** @param {{ min: number, max: number } | null} days */
function daysOf(days) {
  if (days === null) return '';
  const { min, max } = days;
  return min === max ? `${max} ${max === 1 ? 'day' : 'days'}` : `${min}–${max} days`;
}

function showMethods() {
  if (!ships || !quoted) return;
  byId('shipping').hidden = !isShipped();
  const { shippingMethods, shippingMethodId, problems } = quoted;
  const country = entered('country');
  replaceChoices(
    byId('methods'),
    country === ''
      ? [h('p', { class: 'note' }, 'Choose your country to see the shipping methods.')]
      : shippingMethods.length === 0
        ? [h('p', { class: 'note' }, wordsOfNoMethod(problems))]
        : shippingMethods.map(({ id, name, price, deliveryDays }) =>
            option(
              'shippingMethodId',
              id,
              shippingMethodId,
              h('span', {}, name, deliveryDays && h('span', { class: 'note' }, ` ${daysOf(deliveryDays)}`)),
              h('strong', {}, isZero(price) ? 'Free' : money(price)),
            ),
          ),
  );
}

/** @param {Quote['problems']} problems */
function wordsOfNoMethod(problems) {
  const isElsewhere = problems.some(({ code: one }) => one === 'COUNTRY_NOT_SERVED');
  return isElsewhere ? 'We do not ship there.' : 'We cannot ship this order to your address.';
}

/** The way to pay that the buyer has picked, or the first one that serves the cart. */
function chosenPayment() {
  const methods = quoted?.paymentMethods ?? [];
  return methods.find(({ id }) => id === paidBy) ?? methods[0];
}

/** The ways to pay, if there are several, and what becomes of the order. */
function showPayments() {
  const methods = quoted?.paymentMethods ?? [];
  const chosen = chosenPayment();
  const isChoice = methods.length > 1;
  fill(
    byId('payment-note'),
    chosen === undefined || chosen.kind === 'provider'
      ? 'You pay on the page of our payment provider. Then you come back here.'
      : `${isChoice ? '' : `${chosen.name}: `}You order now, and pay later. The next page says how.`,
  );
  byId('payment').hidden = !isChoice;
  replaceChoices(
    byId('payments'),
    isChoice ? methods.map(({ id, name }) => option('paymentMethodId', id, chosen?.id, h('span', {}, name))) : [],
  );
}

/** @param {HTMLElement} place @param {HTMLElement[]} nodes a chosen input keeps the focus */
function replaceChoices(place, nodes) {
  const focused = document.activeElement instanceof HTMLInputElement && place.contains(document.activeElement);
  const value = focused ? /** @type {HTMLInputElement} */ (document.activeElement).value : undefined;
  fill(place, ...nodes);
  if (value === undefined) return;
  for (const input of place.querySelectorAll('input')) if (input.value === value) input.focus();
}

function showSummary() {
  if (!quoted) return;
  const { subtotal, discount, discountCode, shipping, shippingMethodId, taxes, taxIncluded, total } = quoted;
  const row = (/** @type {string} */ label, /** @type {string} */ amount, strong = false) =>
    h('div', { class: strong ? 'total' : '' }, h('dt', {}, label), h('dd', {}, amount));
  // A code that is typed and was not applied is checked with the order.
  const isTyped = code === '' && entered('discountCode') !== '';
  const isOpen = shippingMethodId === null && isShipped();
  const label = isTyped ? 'Total before the discount' : isOpen ? 'Total before shipping' : 'Total';
  const sums = [
    row('Subtotal', money(subtotal)),
    discountCode !== null && !isZero(discount) && row(`Discount (${discountCode})`, `− ${money(discount)}`),
    shippingMethodId !== null && row('Shipping', isZero(shipping) ? 'Free' : money(shipping)),
    ...taxes.map(({ name, rate, amount }) => {
      const what = `${name ?? 'Tax'} (${percent(rate)})`;
      return row(taxIncluded ? `${what}, included` : what, money(amount));
    }),
    row(label, money(total), true),
  ];
  const smallest = smallestOrder(quoted);
  const isLater = !isZero(total) && chosenPayment() !== undefined && chosenPayment()?.kind !== 'provider';
  const pays = isLater ? `Buy now for ${money(total)}` : `Pay ${money(total)}`;
  fill(byId('pay'), isTyped || isOpen ? (isLater ? 'Buy now' : 'Continue to payment') : pays);
  fill(
    byId('summary'),
    h('h2', {}, 'Your order'),
    h('ul', {}, lines.map(shown)),
    h('dl', { 'aria-live': 'polite' }, sums),
    smallest !== '' && h('p', { class: 'error' }, smallest),
    h('p', { id: 'said', class: 'note', role: 'status' }),
    h('p', {}, h('a', { href: 'cart.html' }, 'Edit cart')),
  );
}

/** @param {Line} line @param {number} i its place in the cart */
function shown(line, i) {
  const { title, quantity, options, quoted: priced } = line;
  const message = trouble(line);
  const left = priced.productId === null ? 0 : (priced.available ?? quantity);
  const mend = (/** @type {number} */ to) => {
    setQuantity(line, to);
    refresh().then(() => byId('pay').focus(), showFailure);
  };
  return h(
    'li',
    {},
    h('span', {}, `${quantity} × ${title}`),
    h('span', {}, priced.total === null ? '' : money(priced.total)),
    optionsList(options),
    message &&
      h(
        'p',
        { class: 'error', id: `line-${i}` },
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

/** The order that is sent to the store. It contains no prices: the store sets them. */
function inputOf() {
  const address = Object.fromEntries(
    ['firstName', 'lastName', 'address1', 'address2', 'postalCode', 'city', 'region', 'country'].map((name) => [
      name,
      entered(name) || null,
    ]),
  );
  const started = readStarted();
  const method = entered('shippingMethodId');
  const payment = chosenPayment()?.id;
  return {
    items: lines.map(itemOf),
    customer: {
      email: entered('email'),
      name: `${entered('firstName')} ${entered('lastName')}`.trim(),
      phone: entered('phone') || null,
    },
    shippingAddress: address,
    ...(method && { shippingMethodId: method }),
    discountCode: code || entered('discountCode') || null,
    giftNote: entered('giftNote') || null,
    ...(payment && { paymentMethodId: payment }),
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

/** What keeps the form from being sent. */
function problemsOfForm() {
  const problems = missing();
  if (entered('country') === '' || !quoted) return problems;
  return [...problems, ...problemsOf(quoted.problems.filter(({ code: one }) => one === 'COUNTRY_NOT_SERVED'))];
}

/** Creates the checkout, which reserves the goods. The same contents lead to the same checkout. */
async function order() {
  const input = inputOf();
  const checkout = await createCheckout(input, keyFor(input));
  const { id, secret } = checkout;
  const before = readStarted();
  // The answer to a repeated request does not contain the secret.
  writeStarted({ id, secret: secret ?? (before?.id === id ? before.secret : null) });
  sessionStorage.removeItem(attemptName);
  const country = /** @type {HTMLSelectElement} */ (byId('country')).selectedOptions[0]?.textContent ?? '';
  writePlaced({
    id,
    secret: secret ?? null,
    address: [
      `${entered('firstName')} ${entered('lastName')}`,
      entered('address1'),
      entered('address2'),
      `${entered('postalCode')} ${entered('city')}`,
      entered('region'),
      country,
    ]
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    shipping: quoted?.shippingMethods.find(({ id: method }) => method === entered('shippingMethodId'))?.name ?? '',
    giftNote: entered('giftNote'),
    lines: lines.map(({ title, quantity, options, quoted: priced }) => ({
      title,
      quantity,
      ...(options && { options }),
      total: priced.total ?? '0',
    })),
  });
  return checkout;
}

/**
 * Does what a button says, once at a time.
 * @param {string} id of the button
 * @param {() => Promise<void>} work
 */
async function busy(id, work) {
  const button = byId(id);
  if (form().getAttribute('aria-busy') === 'true') return;
  form().setAttribute('aria-busy', 'true');
  button.setAttribute('aria-disabled', 'true');
  const label = [...button.childNodes];
  fill(button, 'One moment …');
  try {
    await work();
  } catch (error) {
    form().removeAttribute('aria-busy');
    button.removeAttribute('aria-disabled');
    fill(button, label);
    await explain(error);
  }
}

async function submit() {
  const problems = problemsOfForm();
  showProblems(problems);
  if (problems.length > 0) return;
  await busy('pay', async () => {
    const { id, url } = await order();
    location.assign(url ?? returnUrl(id));
  });
}

/** Asks the store what a code takes off. Nothing is ordered by that. */
async function applyCode() {
  const typed = entered('discountCode');
  if (typed === '') return showProblems([{ name: 'discountCode', text: 'Enter a code first.' }]);
  showProblems([]);
  await busy('apply', async () => {
    const asked = tryCode(typed);
    applying = asked.then(
      () => {},
      () => {},
    );
    const refused = await asked;
    form().removeAttribute('aria-busy');
    byId('summary').removeAttribute('aria-busy');
    showCode(typed);
    showQuote();
    if (refused.length > 0) return showProblems(problemsOf(refused));
    keepDraft();
    document.getElementById('remove-code')?.focus();
  });
}

/** Takes a code if the store accepts it. @param {string} typed @returns {Promise<Quote['problems']>} why it does not */
async function tryCode(typed) {
  await load(place(), typed);
  const refused = quoted?.problems.filter(({ field }) => field === 'discountCode') ?? [];
  code = refused.length > 0 ? '' : (quoted?.discountCode ?? '');
  return refused;
}

function removeCode() {
  code = '';
  showCode('');
  keepDraft();
  byId('discountCode').focus();
  void refresh();
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
    if (before?.status === 'paid') return location.assign(returnUrl(started.id));
    writeStarted(null);
  }
  const problems = problemsOf(error.details, quoted && smallestOrder(quoted));
  const isOfCode = problems.some(({ name }) => name === 'discountCode');
  if (isOfCode && code !== '') {
    const typed = code;
    code = '';
    showCode(typed);
  }
  void refresh();
  await refreshed();
  const stuck = lines.filter((one) => trouble(one) !== '');
  if (stuck.length > 0) {
    return showProblems(
      stuck.map((one) => ({ name: '', text: `${one.title}: ${trouble(one)} It is marked in your order.` })),
    );
  }
  if (isOfCode && error.code === 'DISCOUNT_USED_UP') {
    const text = 'This code has been used up. Clear the field to buy without it.';
    return showProblems([{ name: 'discountCode', text }]);
  }
  if (problems.length > 0 && error.status === 400) return showProblems(problems);
  const text =
    error.code === 'INSUFFICIENT_STOCK'
      ? 'Another buyer was faster: there is not enough of a product in your cart.'
      : wordsFor(error);
  showProblems([{ name: '', text }]);
}

void showShell();
await start().catch(showFailure);
// A page from the browser's cache shows the button in its last state.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
