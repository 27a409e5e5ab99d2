import { type Context, type Fulfilment, getCustomer, listPayments, listRefunds, type Order } from '@commerce/core';
import { addressLines } from '../output/address.ts';
import { pairs, shown, table } from '../output/print.ts';
import { painted } from '../output/terminal.ts';

/** An order with the details for shipping. */
export async function orderSheet(order: Order, shop: Context): Promise<string> {
  const customer = order.customerId === null ? null : await getCustomer(shop, order.customerId).catch(() => null);
  const refunds = await listRefunds(shop, order.id, { limit: 200 });
  const payments = await listPayments(shop, { orderId: order.id, limit: 200 });
  const facts = pairs({
    order: order.orderNumber,
    id: order.id,
    status: order.status,
    payment: [order.paymentStatus, order.paymentProvider, order.paymentId].filter(Boolean).join(' '),
    customer: customer ? [customer.name, customer.email, customer.phone].filter(Boolean).join(', ') : order.customerId,
    created: order.createdAt,
    paid: order.paidAt,
    'to pay': order.paidAt === null ? (order.paymentOption?.name ?? null) : null,
    fulfilled: order.fulfilledAt,
    delivered: order.deliveredAt,
    'reserved until': order.reservedUntil,
    'VAT id': order.vatId,
    tags: order.tags.join(', ') || null,
    metadata:
      Object.entries(order.metadata)
        .map(([key, value]) => `${key}=${value}`)
        .join(', ') || null,
    cancelled: order.cancelReason && `${order.cancelledAt} (${order.cancelReason})`,
  });
  const items = table(order.items, {
    sku: (item) => item.skuSnapshot,
    title: (item) => [item.titleSnapshot, item.variantTitle].filter(Boolean).join(', '),
    attributes: (item) =>
      Object.entries(item.attributesSnapshot)
        .map(([name, value]) => `${name}=${value}`)
        .join(' ') || null,
    quantity: (item) => item.quantity,
    price: (item) => item.unitPrice,
    discount: (item) => (Number(item.lineDiscount) === 0 ? null : item.lineDiscount),
  });
  const sums = pairs({
    subtotal: order.subtotal,
    discount: [order.discount, order.discountCode].filter(Boolean).join(' '),
    tax: [
      order.taxIncluded ? `${order.tax} (contained)` : order.tax,
      ...order.taxes.map(({ country, region, name, rate, amount }) =>
        [[country, region].filter(Boolean).join('-'), name, rate, amount].filter(Boolean).join(' '),
      ),
      order.taxExempt && `exempt: ${[order.taxExempt.reason, order.taxExempt.note].filter(Boolean).join(', ')}`,
    ]
      .filter(Boolean)
      .join('; '),
    shipping: [order.shipping, order.shippingMethod?.name].filter(Boolean).join(' '),
    total: `${order.total} ${order.currency}`,
    refunded: order.refundedAmount,
  });
  const sections = [facts, items, sums];
  const options = order.items.flatMap(({ skuSnapshot, titleSnapshot, options }) =>
    Object.entries(options).map(
      ([name, value]) => `${shown(skuSnapshot ?? titleSnapshot)}  ${shown(name)}: ${shown(value)}`,
    ),
  );
  if (options.length > 0) sections.push(section('Chosen by the buyer', options));
  if (order.shippingAddress) sections.push(section('Ship to', addressLines(order.shippingAddress)));
  if (order.billingAddress) sections.push(section('Bill to', addressLines(order.billingAddress)));
  if (order.customerNote) sections.push(section('Customer note', noteLines(order.customerNote)));
  if (order.giftNote) sections.push(section('Gift note', noteLines(order.giftNote)));
  if (order.merchantNote) sections.push(section('Merchant note', noteLines(order.merchantNote)));
  if (order.fulfilments.length > 0) {
    const skus = new Map(order.items.map((item) => [item.id, item.skuSnapshot ?? item.titleSnapshot]));
    const columns = {
      shipped: (one: Fulfilment) => one.shippedAt,
      items: (one: Fulfilment) =>
        one.lines.map(({ itemId, quantity }) => `${quantity} × ${skus.get(itemId)}`).join(', '),
      tracking: ({ tracking }: Fulfilment) =>
        tracking && [tracking.carrier, tracking.number, tracking.url].filter(Boolean).join(' '),
      delivered: (one: Fulfilment) => one.deliveredAt,
      id: (one: Fulfilment) => one.id,
    };
    sections.push(section('Parcels', [table(order.fulfilments, columns)]));
  }
  if (payments.items.length > 0) {
    const columns = {
      provider: (one: (typeof payments.items)[number]) => one.provider,
      id: (one: (typeof payments.items)[number]) => one.id,
      status: (one: (typeof payments.items)[number]) => one.status,
      amount: (one: (typeof payments.items)[number]) => one.amount,
      matched: (one: (typeof payments.items)[number]) => one.matched,
    };
    sections.push(section('Payments', [table(payments.items, columns)]));
  }
  if (refunds.items.length > 0) {
    const lines = refunds.items.map((one) =>
      [
        ...[`${one.amount} ${order.currency}`, one.recordedAt, shown(one.refundId)],
        ...(one.kind === 'dispute' ? ['dispute'] : []),
        ...(one.status === 'pending' ? ['pending'] : []),
      ].join('  '),
    );
    sections.push(section('Refunds', lines));
  }
  return sections.join('\n\n');
}

/** A note with its lines; the lines after the first are indented, so that none looks like one of our headings. */
function noteLines(note: string): string[] {
  return note.split(/\r\n|[\r\n]/).map((line, i) => (i === 0 ? '' : '  ') + shown(line));
}

function section(title: string, lines: readonly string[]): string {
  return [painted(title, 'bold', process.stdout), ...lines].join('\n');
}
