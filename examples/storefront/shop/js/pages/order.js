import config from '../../config.js';
import { getInvoiceFile, getOrderByToken, Refused } from '../api.js';
import { byId, fill, h } from '../dom.js';
import { setTitle } from '../head.js';
import { optionsList } from '../lines.js';
import { isZero, money, percent } from '../money.js';
import { showFailure, showShell } from '../shell.js';
import { withdrawUrl } from '../urls.js';
import { day } from '../when.js';

/** @typedef {import('../api.js').BuyersOrder} Order */

/** The token of the link. It is behind the `#`, so that it is in no request for a page and in no log. */
const token = location.hash.slice(1);

async function start() {
  if (token === '') throw new Refused(404, { code: 'NOT_FOUND', message: '' });
  const order = await getOrderByToken(token);
  const heading = h('h1', { tabindex: -1 }, `Order ${order.orderNumber}`);
  fill(byId('main'), h('div', { class: 'narrow order' }, heading, ...sections(order)));
  setTitle(heading.textContent ?? '');
}

/** @type {Record<Order['status'], string>} */
const states = {
  unpaid: 'We wait for your payment.',
  processing: 'Your bank processes your payment, which can take some days.',
  preparing: 'We prepare your order.',
  partly_shipped: 'A part of your order is on its way.',
  shipped: 'Your order is on its way.',
  delivered: 'Your order is delivered.',
  cancelled: 'This order was cancelled.',
  refunded: 'This order was refunded.',
};

/** @param {Order} order */
function sections(order) {
  const { payment, parcels, status, placedAt, invoices } = order;
  return [
    h('p', {}, placedAt && `Placed on ${day(placedAt)}. `, h('strong', { id: 'state' }, states[status])),
    payment.instructions && [h('h2', {}, 'How to pay'), h('p', { class: 'instructions' }, payment.instructions)],
    h('h2', {}, 'What you ordered'),
    h('ul', { class: 'bought' }, order.items.map(line)),
    sums(order),
    parcels.length > 0 && [h('h2', {}, 'Parcels'), h('ul', { class: 'parcels' }, parcels.map(parcel))],
    order.giftNote && [h('h2', {}, 'Gift note'), h('p', { class: 'instructions' }, order.giftNote)],
    order.shippingAddress && [h('h2', {}, 'Shipping address'), address(order.shippingAddress)],
    order.billingAddress && [h('h2', {}, 'Billing address'), address(order.billingAddress)],
    payment.name && [
      h('h2', {}, 'Payment'),
      h('p', {}, payment.name, payment.paidAt && `, paid on ${day(payment.paidAt)}`),
    ],
    invoices.length > 0 && [h('h2', {}, 'Invoices'), h('ul', { class: 'invoices' }, invoices.map(invoice))],
    withdrawal(order),
  ]
    .flat()
    .filter((part) => part !== null && part !== false && part !== '');
}

/** @param {Order['items'][number]} item */
function line({ title, variant, options, image, quantity, total }) {
  return h(
    'li',
    {},
    image && h('img', { src: pictureOf(image.url), alt: image.altText ?? '', width: 64, height: 64, loading: 'lazy' }),
    h('span', {}, `${quantity} × ${named({ title, variant })}`, optionsList(options)),
    h('span', {}, money(total)),
  );
}

/** An address without a host is one of the service. @param {string} url */
const pictureOf = (url) => new URL(`${url}?w=160&format=webp`, config.url).href;

/** @param {{ title: string, variant: string | null }} goods */
const named = ({ title, variant }) => (variant ? `${title}, ${variant}` : title);

/** @param {Order} order */
function sums({
  subtotal,
  discount,
  discountCode,
  shipping,
  shippingMethod,
  taxes,
  taxIncluded,
  total,
  refundedAmount,
}) {
  const row = (/** @type {string} */ label, /** @type {string} */ amount, sign = '') =>
    !isZero(amount) && h('div', {}, h('dt', {}, label), h('dd', {}, sign + money(amount)));
  /** @param {Order['taxes'][number]} tax */
  const taxRow = ({ name, rate, amount }) => {
    const what = `${name ?? 'Tax'} (${percent(rate)})`;
    return row(taxIncluded ? `${what}, included` : what, amount);
  };
  return h(
    'dl',
    { class: 'sums' },
    row('Subtotal', subtotal),
    row(discountCode ? `Discount (${discountCode})` : 'Discount', discount, '− '),
    row(shippingMethod ? `Shipping (${shippingMethod})` : 'Shipping', shipping),
    ...taxes.map(taxRow),
    h('div', { class: 'total' }, h('dt', {}, 'Total'), h('dd', {}, money(total))),
    row('Refunded', refundedAmount, '− '),
  );
}

/** @param {Order['parcels'][number]} parcel */
function parcel({ shippedAt, deliveredAt, carrier, number, url, items }) {
  const track = [carrier, number].filter(Boolean).join(' ') || 'Follow it';
  return h(
    'li',
    {},
    h('p', {}, deliveredAt ? `Delivered on ${day(deliveredAt)}` : `Sent on ${day(shippedAt)}`),
    (carrier || number || url) &&
      h('p', {}, url ? h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, track) : track),
    h(
      'ul',
      {},
      items.map((item) => h('li', {}, `${item.quantity} × ${named(item)}`, optionsList(item.options))),
    ),
  );
}

/** A button that saves the file: the token goes in a header, so a link cannot ask for it. @param {Order['invoices'][number]} given */
function invoice({ id, kind, number, date, total }) {
  const what = kind === 'invoice' ? 'Invoice' : 'Credit note';
  const failure = h(
    'p',
    { class: 'error', role: 'alert', hidden: true },
    'The file could not be loaded. Please try again.',
  );
  const save = async () => {
    failure.hidden = true;
    try {
      const url = URL.createObjectURL(await getInvoiceFile(token, id));
      h('a', { href: url, download: `${number.replace(/[^\w.-]/g, '-')}.pdf` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    } catch {
      failure.hidden = false;
    }
  };
  const button = h('button', { type: 'button', class: 'link' }, `${what} ${number} (PDF)`);
  button.addEventListener('click', () => void save());
  return h('li', {}, button, `, ${day(date)}, ${money(total)}`, failure);
}

/** @param {NonNullable<Order['shippingAddress']>} given */
function address({ firstName, lastName, company, address1, address2, postalCode, city, region, country }) {
  const join = (/** @type {(string | null)[]} */ ...parts) => parts.filter(Boolean).join(' ');
  const lines = [join(firstName, lastName), company, address1, address2, join(postalCode, city), region, country];
  return h(
    'address',
    {},
    lines.filter(Boolean).flatMap((text) => [text, h('br')]),
  );
}

/** The way to withdraw: it is always there, unless every line is exempt by law. @param {Order} order */
function withdrawal({ withdrawal: { until, exempt }, items }) {
  const heading = h('h2', {}, 'Right of withdrawal');
  const reasons = items.filter(({ withdrawalExempt }) => withdrawalExempt !== null);
  const said = reasons.map((item) => h('li', {}, `${named(item)}: ${item.withdrawalExempt}`));
  const without = said.length > 0 && [h('p', {}, 'You cannot withdraw from buying:'), h('ul', {}, said)];
  if (exempt) return [heading, without];
  return [
    heading,
    h('p', {}, until ? `You can withdraw at least until ${day(until)}.` : 'You can withdraw from the contract.'),
    without,
    h('p', {}, h('a', { class: 'button', href: withdrawUrl(token) }, 'withdraw from contract here')),
  ].flat();
}

// Another link in the same window only changes what is behind the `#`.
addEventListener('hashchange', () => location.reload());
setTitle('Your order');
void showShell();
await start().catch(showFailure);
