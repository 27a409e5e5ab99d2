import { audit } from '../../audit/entry.ts';
import { findCustomer, findOrCreateCustomer } from '../../customers/customers.ts';
import type { Customer } from '../../customers/fields.ts';
import { countOrder } from '../../customers/figures.ts';
import { countNewUse, lockDiscountByCode } from '../../discounts/uses.ts';
import type { TxContext } from '../../engine/context.ts';
import { factsOfKind } from '../../engine/settings/payments.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { invalid, quote } from '../../kernel/errors.ts';
import { formatMoney, type Minor } from '../../kernel/money.ts';
import { writeLabels } from '../../labels/labels.ts';
import { orderCountValue } from '../../orders/counted.ts';
import type { Order, OrderItem } from '../../orders/fields.ts';
import type { OrderDraft } from '../../orders/inputs.ts';
import { orderColumns } from '../../orders/orders.ts';
import { orderSearchText } from '../../orders/search.ts';
import type { PaymentMethod } from '../../payments/methods.ts';
import { pendingCounts } from '../../resources/counts.ts';
import { nextNumber } from '../../resources/sequences.ts';
import { preparedInsert } from '../../storage/prepared.ts';
import type { OrderTable } from '../../storage/tables/orders.ts';
import type { AskedTaxes, BuyingFacts, PricedCart, PricedLine } from '../pricing/cart.ts';
import { placesOf } from '../pricing/cart-tax.ts';
import { discountOfBuyer } from '../pricing/code-limit.ts';
import { priceCart } from '../pricing/price-cart.ts';
import { readLines, refuseProblems } from '../pricing/read-lines.ts';

const firstOrderNumber = 1001;

const insertOrderRow = preparedInsert<OrderTable>('orders');

export interface InsertOptions {
  /** Treats unpublished products as if they did not exist. */
  publishedOnly?: boolean;
  /** Reads `discountCode` as one of the store's discounts and counts its use; otherwise it is only the caller's note. */
  countsDiscount?: boolean;
  /** Ships by the first method that serves the country, if the input has neither a price nor a method. */
  defaultShipping?: boolean;
  /** The money is there already: an address that taxes cannot be read from does not refuse the order. */
  isPaid?: boolean;
  /** Taxes of the application's own function. */
  asked?: AskedTaxes | undefined;
  /** The rules of checkouts. */
  buying?: BuyingFacts;
}

/** An order that was written, and how it was priced. */
export interface Inserted {
  order: Order;
  priced: PricedCart;
}

/** Like `insertPriced`, for callers that need only the order. */
export async function insertOrder(tx: TxContext, draft: OrderDraft, options: InsertOptions = {}): Promise<Order> {
  return (await insertPriced(tx, draft, options)).order;
}

/**
 * Writes a pending order with the catalogue's current prices and titles, and the charges of its input and the store's settings. The input
 * overrides the settings.
 * @throws CommerceError as `refuseProblems` and `priceCart` do; `validation` for a customer that does not exist
 */
export async function insertPriced(
  tx: TxContext,
  draft: OrderDraft,
  { publishedOnly = false, countsDiscount = false, defaultShipping, isPaid, asked, buying }: InsertOptions,
): Promise<Inserted> {
  const { decimals, currency } = tx.store;
  const format = (amount: bigint) => formatMoney(amount, decimals);
  const zero = format(0n);

  const lines = await readLines(tx.db, tx.store.id, draft.items, publishedOnly);
  const reads = countsDiscount && draft.discountCode !== null;
  const discount = reads ? await discountOfBuyer(tx, draft.discountCode, lockDiscountByCode) : undefined;
  const facts = { store: tx.store, now: tx.now, discount, defaultShipping, isPaid, asked, buying };
  const priced = priceCart({ ...draft, ...placesOf(draft), lines, isTaxExempt: !!draft.taxExempt }, facts);
  refuseProblems(priced.problems);
  const { usedDiscount, shippingMethod, paymentMethod } = priced;
  if (usedDiscount) await countNewUse(tx, usedDiscount);
  const customer = await customerOf(tx, draft);
  const id = draft.id ?? tx.engine.ids.next(tx.now);
  const number = await nextNumber(tx.db, { storeId: tx.store.id, name: 'orders', first: firstOrderNumber });
  const now = toTimestamp(tx.now);
  const reservedMs = holdOf(paymentMethod, draft);
  const order: Order = {
    id,
    orderNumber: `ORD-${number}`,
    storeId: tx.store.id,
    customerId: customer?.id ?? null,
    subtotal: format(priced.subtotal),
    tax: format(priced.tax),
    taxRate: priced.taxRate,
    shipping: format(priced.shipping),
    discount: format(priced.discount),
    discountCode: usedDiscount?.code ?? draft.discountCode,
    total: format(priced.total),
    refundedAmount: zero,
    currency,
    status: 'pending',
    paymentStatus: 'pending',
    paymentProvider: null,
    paymentId: null,
    paymentMethod: null,
    paymentDetails: null,
    shippingAddress: draft.shippingAddress,
    billingAddress: draft.billingAddress,
    placedAt: paymentMethod && factsOfKind(paymentMethod.kind).isOffline ? now : null,
    paidAt: null,
    fulfilledAt: null,
    cancelledAt: null,
    createdAt: now,
    updatedAt: now,
    customerNote: draft.customerNote,
    merchantNote: null,
    items: draft.items.map((line, i) => toOrderItem(tx, id, line, priced.lines[i] as PricedLine)),
    cancelReason: null,
    taxIncluded: priced.taxIncluded,
    shippingMethod: shippingMethod && { id: shippingMethod.id, name: shippingMethod.name, kind: shippingMethod.kind },
    reservedUntil: reservedMs === null ? null : toTimestamp(tx.now + reservedMs),
    tracking: null,
    paymentOption: paymentMethod && { id: paymentMethod.id, name: paymentMethod.name, kind: paymentMethod.kind },
    fulfilments: [],
    fulfilmentStatus: 'unfulfilled',
    deliveredAt: null,
    locale: draft.locale ?? null,
    taxes: priced.taxes.map(({ base, amount, ...rule }) => ({ ...rule, base: format(base), amount: format(amount) })),
    taxExempt: draft.taxExempt ?? null,
    vatId: draft.customer?.vatId ?? (tx.actor.isPublic ? null : (customer?.vatId ?? null)),
    metadata: draft.metadata ?? {},
    tags: draft.tags ?? [],
    giftNote: draft.giftNote,
  };
  const search = orderSearchText(order, customer);
  await insertOrderRow(tx.db, [
    {
      store_id: tx.store.id,
      id,
      number,
      ...orderColumns(order),
      stock_taken: null,
      stock_returned: null,
      email: customer?.email ?? null,
      discount_id: usedDiscount?.id ?? null,
      search,
      created_at: tx.now,
    },
  ]);
  await tx.engine.storage.orderSearch.putNew(tx.db, tx.store, [{ number, texts: [search] }]);
  await writeLabels(tx, 'orders', [{ after: order }]);
  pendingCounts(tx).move('orders.status', undefined, orderCountValue(order));
  countOrder(tx, { ...order, placedAt: null }, order);
  audit(tx, {
    action: 'order.created',
    resourceType: 'order',
    resourceId: id,
    changes: { orderNumber: order.orderNumber, total: order.total, currency },
  });
  return { order, priced };
}

/** Milliseconds after which an unpaid order expires; null for never. */
function holdOf(method: PaymentMethod | null, { reserveMinutes }: OrderDraft): number | null {
  if (method?.kind === 'transfer') return method.holdDays * 24 * 3_600_000;
  if (method && factsOfKind(method.kind).shipsUnpaid) return null;
  return reserveMinutes === undefined ? null : reserveMinutes * 60_000;
}

function toOrderItem(
  tx: TxContext,
  orderId: string,
  line: OrderDraft['items'][number],
  { product, unitPrice, discount, taxRate }: PricedLine,
): OrderItem {
  if (!product || taxRate === null) throw new Error('a line without a product was not refused');
  const format = (amount: Minor) => formatMoney(amount, tx.store.decimals);
  return {
    id: tx.engine.ids.next(tx.now),
    orderId,
    productId: product.id,
    titleSnapshot: product.title,
    skuSnapshot: product.sku,
    quantity: line.quantity,
    unitPrice: format(unitPrice),
    variantTitle: line.variantTitle,
    attributesSnapshot: product.attributes,
    lineDiscount: format(discount),
    primaryImageId: product.primaryMediaId,
    withdrawalExempt: product.withdrawalExempt,
    taxRate,
    taxClass: product.taxClass,
    requiresShipping: product.requiresShipping,
    options: line.options ?? {},
  };
}

async function customerOf(tx: TxContext, draft: OrderDraft): Promise<Customer | null> {
  if (draft.customer) return findOrCreateCustomer(tx, draft.customer);
  if (!draft.customerId) return null;
  const customer = await findCustomer(tx, draft.customerId);
  if (customer) return customer;
  throw invalid('customerId', `no customer ${quote(draft.customerId)} in this store`, { code: 'NOT_FOUND' });
}
