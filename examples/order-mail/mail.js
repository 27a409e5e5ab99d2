/** @typedef {import('@commerce/core').Order} Order */

/**
 * The mail that confirms a paid order, as plain text and as HTML. These are the words of one shop: write your own.
 * @param {Order} order
 * @param {{ name: string }} store
 * @param {{ email: string, name: string | null }} customer
 */
export function mailOf(order, store, customer) {
  const subject = `Your order ${order.orderNumber}`;
  const hello = customer.name ? `Hello ${customer.name},` : 'Hello,';
  const thanks = `thank you for your order ${order.orderNumber} at ${store.name}. It is paid, and we pack it now.`;
  const amount = (/** @type {string} */ value) => `${value} ${order.currency}`;
  const lines = order.items.map(({ quantity, titleSnapshot, unitPrice }) => [
    `${quantity} × ${titleSnapshot}`,
    quantity > 1 ? `${amount(unitPrice)} each` : amount(unitPrice),
  ]);
  const sums = [
    ['Subtotal', amount(order.subtotal)],
    ...(Number(order.discount) > 0 ? [['Discount', `−${amount(order.discount)}`]] : []),
    ...(Number(order.shipping) > 0 ? [['Shipping', amount(order.shipping)]] : []),
    ...(Number(order.tax) > 0 ? [[order.taxIncluded ? 'Tax included' : 'Tax', amount(order.tax)]] : []),
    ['Total', amount(order.total)],
  ];
  const to = addressOf(order);
  const row = (/** @type {string[]} */ cells) =>
    `<tr>${cells.map((cell, i) => `<td style="padding:4px 0;${i > 0 ? 'text-align:right' : ''}">${escaped(cell)}</td>`).join('')}</tr>`;
  return {
    to: { address: customer.email, name: customer.name ?? '' },
    subject,
    text: [
      hello,
      thanks,
      [...lines, ...sums].map(([label, value]) => `${label}: ${value}`).join('\n'),
      ...(to.length > 0 ? [`We send it to:\n${to.join('\n')}`] : []),
      `${store.name}\n`,
    ].join('\n\n'),
    html: `<!doctype html>
<html lang="en">
<body style="font-family:sans-serif;max-width:36rem">
<p>${escaped(hello)}</p>
<p>${escaped(thanks)}</p>
<table style="width:100%;border-collapse:collapse">
${[...lines, ...sums].map(row).join('\n')}
</table>
${to.length > 0 ? `<p>We send it to:<br>${to.map(escaped).join('<br>')}</p>` : ''}
<p>${escaped(store.name)}</p>
</body>
</html>
`,
  };
}

/** @param {Order} order */
function addressOf({ shippingAddress: address }) {
  if (!address) return [];
  const { firstName, lastName, company, address1, address2, postalCode, city, region, country } = address;
  const lines = [[firstName, lastName], [company], [address1], [address2], [postalCode, city], [region], [country]];
  return lines.map((parts) => parts.filter(Boolean).join(' ')).filter((line) => line !== '');
}

/** @type {Record<string, string>} */
const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Text as HTML: titles, names and addresses come from other people.
 * @param {string} text
 */
const escaped = (text) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
