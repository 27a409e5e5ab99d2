import config from '../../config.js';
import { cancelCheckout, createCheckout, getCheckout, Refused } from '../api.js';
import { available, read, readStarted, setQuantity, write, writeStarted } from '../cart.js';
import { showDiscount } from '../checkout/discount.js';
import { checkoutForm, entered, form } from '../checkout/form.js';
import { inputs, missing, showProblems } from '../checkout/problems.js';
import { byId, fill, h } from '../dom.js';
import { setTitle } from '../head.js';
import { currentLines, subtotalOf, totalOf, trouble } from '../lines.js';
import { applyRate, money, percent, toAmount, toMinor } from '../money.js';
import { writePlaced } from '../placed.js';
import { openPostalCodes } from '../postal-codes.js';
import { showFailure, showShell, wordsFor } from '../shell.js';
import { returnUrl } from '../urls.js';

/** @typedef {import('../lines.js').Line} Line */
/** @typedef {typeof config.shippingMethods[number]} ShippingMethod */

const draftName = `form ${config.storeId}`;
const attemptName = `attempt ${config.storeId}`;

/** @type {Line[]} */
let lines = [];

/** Whether the addresses of a country have a postal code, as far as is known. @type {(country: string) => boolean | undefined} */
let hasPostalCode = () => undefined;

/** The shipping method that the buyer has picked; the first one of a country is only a proposal. */
let picked = String(read(sessionStorage, draftName)?.shippingMethodId ?? '');

/** The code that the store has accepted. @type {import('../checkout/discount.js').Discount | null} */
let discount = null;

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
  const draft = read(sessionStorage, draftName) ?? {};
  const oncountry = () => {
    showPostalCode();
    showMethods();
    showSummary();
  };
  fill(
    byId('main'),
    checkoutForm(draft, { onsubmit: () => void submit(), oninput: keepDraft, oncountry, onmethod: pickMethod }),
  );
  showCode(String(draft.discountCode ?? ''));
  oncountry();
}

/** @param {string} code that is in the field */
function showCode(code) {
  showDiscount({ code, discount, onapply: () => void applyCode(), onremove: removeCode, oninput: showSummary });
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
    country === '' && h('p', { class: 'note' }, 'Choose your country to see the shipping methods.'),
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
            !isFree && method.freeFrom !== null && h('span', { class: 'note' }, `Free from ${money(method.freeFrom)}`),
          ),
          h('strong', {}, isFree ? 'Free' : money(price)),
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
    // The store has checked a code for one subtotal.
    if (discount && discount.subtotal !== subtotal) {
      const { code } = discount;
      discount = null;
      showCode(code);
    }
    const hasCode = !discount && entered('discountCode') !== '';
    const shipping = method ? priceOf(method, subtotal) : undefined;
    const goods = toMinor(subtotal) - (discount ? toMinor(discount.amount) : 0n);
    const extra = config.taxIncluded ? 0n : applyRate(goods, config.taxRate);
    const total = goods + extra + (shipping ? toMinor(shipping) : 0n);
    sums.push(row('Subtotal', money(subtotal)));
    if (discount) sums.push(row(`Discount (${discount.code})`, `− ${money(discount.amount)}`));
    if (shipping) sums.push(row('Shipping', toMinor(shipping) === 0n ? 'Free' : money(shipping)));
    if (Number(config.taxRate) > 0) {
      const rate = percent(config.taxRate);
      // For prices that include tax, the store's answer and the provider's page state the tax.
      if (config.taxIncluded) sums.push(row('Tax', `incl. ${rate}`));
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
        ? 'Continue to payment'
        : `Pay ${money(toAmount(total, subtotal))}`,
    );
  }
  fill(
    byId('summary'),
    h('h2', {}, 'Your order'),
    h('ul', {}, lines.map(line)),
    h('dl', {}, sums),
    h('p', {}, h('a', { href: 'cart.html' }, 'Edit cart')),
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

/** What keeps the form from being sent. */
function problemsOfForm() {
  const problems = missing();
  const country = entered('country');
  if (config.shippingMethods.length > 0 && country !== '' && methodsFor(country).length === 0) {
    problems.push({ name: 'country', text: 'We do not ship there.' });
  }
  return problems;
}

/** Creates the checkout, which reserves the goods. The same contents lead to the same checkout. */
async function place() {
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
    shipping: config.shippingMethods.find((method) => method.id === entered('shippingMethodId'))?.name ?? '',
    lines: lines.map((line) => ({ title: line.title, quantity: line.quantity, total: totalOf(line) ?? '0' })),
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
    const { id, url } = await place();
    location.assign(url ?? returnUrl(id));
  });
}

/**
 * Checks a code. The store checks one only for a checkout, so this creates it; paying goes on with it. An order without anything to pay would
 * be placed by that, so without a fee for shipping, the code is checked with the order.
 */
async function applyCode() {
  const said = byId('discount-said');
  fill(said);
  if (entered('discountCode') === '') return showProblems([{ name: 'discountCode', text: 'Enter a code first.' }]);
  if (problemsOfForm().length > 0) {
    const text = 'Enter your e-mail and address first. We need them to check the code.';
    return showProblems([{ name: 'discountCode', text }]);
  }
  showProblems([]);
  const subtotal = subtotalOf(lines);
  const method = config.shippingMethods.find(({ id }) => id === entered('shippingMethodId'));
  if (!subtotal || !method || toMinor(priceOf(method, subtotal)) === 0n) {
    fill(said, 'We check this code when you continue to payment.');
    return;
  }
  await busy('apply', async () => {
    const code = entered('discountCode').toUpperCase();
    const checkout = await place();
    if (checkout.url === null) return location.assign(returnUrl(checkout.id));
    form().removeAttribute('aria-busy');
    discount = { code, amount: checkout.discount, subtotal: checkout.subtotal };
    // The shop can have changed a price since the cart was loaded.
    lines = await currentLines();
    showCode(code);
    showMethods();
    showSummary();
    document.getElementById('remove-code')?.focus();
  });
}

function removeCode() {
  discount = null;
  showCode('');
  keepDraft();
  showSummary();
  byId('discountCode').focus();
  const started = readStarted();
  if (!started?.secret) return;
  // Gives back the use of the code, and the stock. If that fails, the next checkout of this buyer does it, or the time to pay.
  cancelCheckout(started.id, started.secret).then(
    () => readStarted()?.id === started.id && writeStarted(null),
    () => {},
  );
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
  if (discount && (error.code === 'DISCOUNT_USED_UP' || named.some(({ name }) => name === 'discountCode'))) {
    const { code } = discount;
    discount = null;
    showCode(code);
    showSummary();
  }
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
          ? 'Another buyer was faster: there is not enough of a product in your cart.'
          : wordsFor(error),
    },
  ]);
}

/** @param {string} field @param {string} reason */
function sentence(field, reason) {
  if (field === 'discountCode') return `This code cannot be used: ${reason}.`;
  return `This ${reason}.`;
}

void showShell();
await start().catch(showFailure);
// A page from the browser's cache shows the button in its last state.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
