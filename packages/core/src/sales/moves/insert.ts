import { audit } from '../../audit/entry.ts';
import { findCustomer, findOrCreateCustomer } from '../../customers/customers.ts';
import type { Customer } from '../../customers/fields.ts';
import type { TxContext } from '../../engine/context.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { CommerceError, type ErrorDetail, invalid, quote } from '../../kernel/errors.ts';
import { formatMoney, maxAmount, parseMoney } from '../../kernel/money.ts';
import type { Order, OrderItem } from '../../orders/fields.ts';
import type { OrderDraft } from '../../orders/inputs.ts';
import { orderColumns, orderCountValue } from '../../orders/orders.ts';
import { orderSearchText } from '../../orders/search.ts';
import { orderTotals } from '../../orders/totals.ts';
import { type Product, productEntity } from '../../products/fields.ts';
import { pendingCounts } from '../../resources/counts.ts';
import { nextNumber } from '../../resources/sequences.ts';
import { preparedInsert } from '../../storage/prepared.ts';
import type { OrderTable } from '../../storage/tables/orders.ts';
import { type ChargeOptions, chargesOf } from './charges.ts';

const firstOrderNumber = 1001;

const insertOrderRow = preparedInsert<OrderTable>('orders');

export interface InsertOptions extends ChargeOptions {
  /** Treats unpublished products as if they did not exist. */
  publishedOnly?: boolean;
}

/**
 * Writes a pending order with the catalogue's current prices and titles, and the charges of its input and the store's settings.
 * @throws CommerceError `validation` for a product or customer that does not exist and for a discount above the price; also like
 * `chargesOf`
 */
export async function insertOrder(
  tx: TxContext,
  draft: OrderDraft,
  { publishedOnly = false, ...options }: InsertOptions = {},
): Promise<Order> {
  const { decimals, currency } = tx.store;
  const minor = (amount: string) => parseMoney(amount, decimals) ?? 0n;
  const format = (amount: bigint) => formatMoney(amount, decimals);
  const zero = format(0n);

  const products = await findProducts(tx, draft.items, publishedOnly);
  const lines = draft.items.map((line, i) => ({
    unitPrice: minor(products[i]?.price ?? zero),
    quantity: line.quantity,
    lineDiscount: minor(line.lineDiscount ?? zero),
  }));
  const { charges, taxRate, shippingMethod, discountUse } = await chargesOf(tx, draft, lines, options);
  const totals = orderTotals(lines, charges, maxAmount(decimals));
  const customer = await customerOf(tx, draft);
  const id = draft.id ?? tx.engine.ids.next(tx.now);
  const number = await nextNumber(tx.db, { storeId: tx.store.id, name: 'orders', first: firstOrderNumber });
  const now = toTimestamp(tx.now);
  const order: Order = {
    id,
    orderNumber: `ORD-${number}`,
    storeId: tx.store.id,
    customerId: customer?.id ?? null,
    subtotal: format(totals.subtotal),
    tax: format(totals.tax),
    taxRate,
    shipping: format(charges.shipping),
    discount: format(charges.discount),
    discountCode: discountUse?.code ?? draft.discountCode,
    total: format(totals.total),
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
    placedAt: null,
    paidAt: null,
    fulfilledAt: null,
    cancelledAt: null,
    createdAt: now,
    updatedAt: now,
    customerNote: draft.customerNote,
    merchantNote: null,
    items: draft.items.map((line, i) => toOrderItem(tx, id, line, products[i] as Product, zero)),
    cancelReason: null,
    taxIncluded: charges.taxIncluded,
    shippingMethod: shippingMethod && { id: shippingMethod.id, name: shippingMethod.name },
    reservedUntil: draft.reserveMinutes === undefined ? null : toTimestamp(tx.now + draft.reserveMinutes * 60_000),
    tracking: null,
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
      discount_id: discountUse?.discountId ?? null,
      search,
      created_at: tx.now,
    },
  ]);
  await tx.engine.storage.orderSearch.putNew(tx.db, tx.store, [{ number, texts: [search] }]);
  pendingCounts(tx).move('orders.status', undefined, orderCountValue(order));
  audit(tx, {
    action: 'order.created',
    resourceType: 'order',
    resourceId: id,
    changes: { orderNumber: order.orderNumber, total: order.total, currency },
  });
  return order;
}

function toOrderItem(
  tx: TxContext,
  orderId: string,
  line: OrderDraft['items'][number],
  product: Product,
  zero: string,
): OrderItem {
  return {
    id: tx.engine.ids.next(tx.now),
    orderId,
    productId: product.id,
    titleSnapshot: product.title,
    skuSnapshot: product.sku,
    quantity: line.quantity,
    unitPrice: product.price,
    variantTitle: line.variantTitle,
    attributesSnapshot: product.attributes,
    lineDiscount: line.lineDiscount ?? zero,
    primaryImageId: product.primaryMediaId,
  };
}

/** The product of each line, in the order of the lines. */
async function findProducts(tx: TxContext, lines: OrderDraft['items'], publishedOnly: boolean): Promise<Product[]> {
  const ids = lines.flatMap((line) => line.productId ?? []);
  const skus = lines.flatMap((line) => line.sku ?? []);
  const rows = await tx.db
    .selectFrom('products')
    .select('json')
    .where('store_id', '=', tx.store.id)
    .where('status', '<>', 'deleted')
    .where((eb) =>
      eb.or([...(ids.length > 0 ? [eb('id', 'in', ids)] : []), ...(skus.length > 0 ? [eb('sku', 'in', skus)] : [])]),
    )
    .execute();
  const products = rows
    .map((row) => productEntity.read(row.json))
    .filter(({ status }) => !publishedOnly || status === 'published');
  const byId = new Map(products.map((product) => [product.id, product]));
  const bySku = new Map(products.map((product) => [product.sku, product]));
  const details: ErrorDetail[] = [];
  const ofLines = lines.flatMap((line, i) => {
    const product = line.productId !== undefined ? byId.get(line.productId) : bySku.get(line.sku ?? null);
    if (product) return [product];
    const [field, value] = line.productId !== undefined ? ['productId', line.productId] : ['sku', line.sku];
    details.push({
      field: `items.${i}.${field}`,
      reason: `no product ${quote(value)} in this store`,
      code: 'NOT_FOUND',
    });
    return [];
  });
  const [first] = details;
  if (first) throw new CommerceError('validation', `${first.field}: ${first.reason}`, { details });
  return ofLines;
}

async function customerOf(tx: TxContext, draft: OrderDraft): Promise<Customer | null> {
  if (draft.customer) return findOrCreateCustomer(tx, draft.customer);
  if (!draft.customerId) return null;
  const customer = await findCustomer(tx, draft.customerId);
  if (customer) return customer;
  throw invalid('customerId', `no customer ${quote(draft.customerId)} in this store`, { code: 'NOT_FOUND' });
}
