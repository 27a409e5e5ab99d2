import type { Invoice, InvoiceLine } from '../../invoices/fields.ts';
import { formatMoney, type Minor, minorOf, parseRate } from '../../kernel/money.ts';
import type { Order, OrderItem } from '../../orders/fields.ts';
import { shareOfPieces, sharesOf } from '../shares/shares.ts';
import { type RefundedParts, type SplitRefund, type TaxParts, taxesOfOrder, taxPartsOf } from '../shares/tax-parts.ts';

/** The amounts of a document. */
export type InvoiceBody = Pick<
  Invoice,
  | 'lines'
  | 'taxIncluded'
  | 'subtotal'
  | 'discount'
  | 'discountCode'
  | 'shipping'
  | 'shippingMethod'
  | 'taxes'
  | 'tax'
  | 'untaxed'
  | 'total'
>;

/** The order with its decimals, and the words for an amount that is no line of it. */
export interface BodySources {
  order: Order;
  decimals: number;
  partOfOrder: string;
}

/** The whole order: its invoice, or a credit note of all of it. */
export function wholeBody({ order, decimals }: BodySources): InvoiceBody {
  const { taxIncluded, subtotal, discount, discountCode, shipping, shippingMethod } = order;
  return {
    lines: order.items.map((item) => ({
      ...goodsOf(item),
      quantity: item.quantity,
      netUnitPrice: netUnitPrice(minorOf(item.unitPrice), 1, taxIncluded ? item.taxRate : '0', decimals),
      discount: item.lineDiscount,
      total: formatMoney(minorOf(item.unitPrice) * BigInt(item.quantity) - minorOf(item.lineDiscount), decimals),
    })),
    ...{ taxIncluded, subtotal, discount, discountCode, shipping, shippingMethod: shippingMethod?.name ?? null },
    ...taxesIn({ order, decimals }, taxPartsOf(order)),
    total: order.total,
  };
}

/**
 * A part of the order. Its lines have their shares of the total, so they contain the order's discount and the tax.
 * @param before what was credited before
 */
export function partBody(
  { order, decimals, partOfOrder }: BodySources,
  refund: SplitRefund,
  parts: TaxParts,
  before: RefundedParts,
): InvoiceBody {
  const format = (amount: Minor) => formatMoney(amount, decimals);
  const shares = sharesOf({ ...order, taxes: taxesOfOrder(order) });
  const done = new Map(before.pieces);
  let sum = 0n;
  const lines: InvoiceLine[] = [];
  for (const { itemId, quantity } of refund.lines ?? []) {
    const i = order.items.findIndex(({ id }) => id === itemId);
    const item = order.items[i];
    const was = done.get(itemId) ?? 0;
    if (!item || was + quantity > item.quantity) continue;
    const share = shareOfPieces(shares.lines[i] ?? 0n, was, quantity, item.quantity);
    done.set(itemId, was + quantity);
    sum += share;
    lines.push({
      ...goodsOf(item),
      quantity,
      netUnitPrice: netUnitPrice(share, quantity, item.taxRate, decimals),
      discount: format(0n),
      total: format(share),
    });
  }
  const shipping = refund.shipping ? shares.shipping : 0n;
  const rest = refund.amount - sum - shipping;
  if (rest > 0n) lines.push(amountLine({ order, decimals, partOfOrder }, rest, parts));
  return {
    lines,
    taxIncluded: true,
    subtotal: format(rest > 0n ? sum + rest : sum),
    // Less was refunded than the lines cost.
    discount: format(rest < 0n ? -rest : 0n),
    discountCode: null,
    shipping: format(shipping),
    shippingMethod: refund.shipping ? (order.shippingMethod?.name ?? null) : null,
    ...taxesIn({ order, decimals }, parts),
    total: format(refund.amount),
  };
}

/** The parts of the order that a document of it has. */
export function partsIn(order: Order, { taxes, untaxed }: Invoice): TaxParts {
  const byKey = new Map(taxes.map((one) => [keyOf(one), one]));
  return {
    entries: taxesOfOrder(order).map((one) => {
      const { base = '0', amount = '0' } = byKey.get(keyOf(one)) ?? {};
      return { base: minorOf(base), tax: minorOf(amount) };
    }),
    untaxedShipping: minorOf(untaxed),
  };
}

function keyOf({ country, region, rate, name }: Invoice['taxes'][number]): string {
  return JSON.stringify([country, region, rate, name]);
}

function taxesIn({ order, decimals }: Pick<BodySources, 'order' | 'decimals'>, parts: TaxParts) {
  const format = (amount: Minor) => formatMoney(amount, decimals);
  return {
    taxes: taxesOfOrder(order).flatMap((rule, i) => {
      const { base, tax } = parts.entries[i] ?? { base: 0n, tax: 0n };
      return base === 0n && tax === 0n ? [] : [{ ...rule, base: format(base), amount: format(tax) }];
    }),
    tax: format(parts.entries.reduce((sum, { tax }) => sum + tax, 0n)),
    untaxed: format(parts.untaxedShipping),
  };
}

/** An amount that is no line of the order. */
function amountLine({ order, decimals, partOfOrder }: BodySources, amount: Minor, parts: TaxParts): InvoiceLine {
  const rates = new Set(
    taxesOfOrder(order).flatMap(({ rate }, i) => {
      const { base, tax } = parts.entries[i] ?? { base: 0n, tax: 0n };
      return base === 0n && tax === 0n ? [] : [rate];
    }),
  );
  const [rate] = rates;
  return {
    ...{ itemId: null, title: partOfOrder, variant: null, options: {}, sku: null, quantity: 1, netUnitPrice: null },
    taxRate: rates.size === 1 && parts.untaxedShipping === 0n ? (rate ?? null) : null,
    discount: formatMoney(0n, decimals),
    total: formatMoney(amount, decimals),
  };
}

function goodsOf(item: OrderItem) {
  return {
    itemId: item.id,
    title: item.titleSnapshot,
    variant: item.variantTitle,
    options: item.options,
    sku: item.skuSnapshot,
    taxRate: item.taxRate,
  };
}

/** Decimals of net prices: two of a currency say too little of a small price that contains the tax. */
const netDecimals = 4;

/** The price of one piece without the tax that the amount contains, rounded half up. */
function netUnitPrice(amount: Minor, pieces: number, containedRate: string, decimals: number): string {
  const { numerator, denominator } = parseRate(containedRate) ?? { numerator: 0n, denominator: 1n };
  const above = amount * 10n ** BigInt(netDecimals) * denominator;
  const below = BigInt(pieces) * 10n ** BigInt(decimals) * (denominator + numerator);
  return formatMoney((2n * above + below) / (2n * below), netDecimals);
}
