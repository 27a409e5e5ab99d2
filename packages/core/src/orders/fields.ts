import * as z from 'zod';
import { dateOrTime } from '../calendar.ts';
import { CustomerContact } from '../customers/fields.ts';
import { isId } from '../ids.ts';
import { maxOrderItems, maxReserveMinutes, maxSearch } from '../limits.ts';
import { paging } from '../paging.ts';
import { fields, integer, oneOf, text } from '../parse.ts';
import { money, taxRate } from '../resources/money.ts';
import type * as described from '../schemas/described.ts';
import { parseWebAddress } from '../url.ts';

export const orderStatuses = ['pending', 'paid', 'fulfilled', 'cancelled', 'refunded'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const paymentStatuses = [
  'pending',
  'processing',
  'succeeded',
  'failed',
  'refunded',
  'partially_refunded',
  'cancelled',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** Reasons of a cancellation: somebody requested it, or no payment came in time. */
export const cancelReasons = ['requested', 'expired'] as const;
export type CancelReason = (typeof cancelReasons)[number];

/** An address as it was when the order was created. */
export interface AddressSnapshot {
  firstName: string | null;
  lastName: string | null;
  address1: string | null;
  address2: string | null;
  city: string | null;
  region: string | null;
  postalCode: string | null;
  country: string | null;
  company: string | null;
  phone: string | null;
}

/** A line of an order, with the product as it was when the order was created. Amounts are decimal strings. */
export interface OrderItem {
  id: string;
  orderId: string;
  productId: string;
  titleSnapshot: string;
  skuSnapshot: string | null;
  quantity: number;
  unitPrice: string;
  variantTitle: string | null;
  attributesSnapshot: Record<string, string>;
  lineDiscount: string;
  primaryImageId: string | null;
}

/** An order as every interface answers it. Amounts are decimal strings in the order's currency. */
export interface Order {
  id: string;
  /** `ORD-<n>`, counted per store from 1001. */
  orderNumber: string;
  storeId: string;
  /** Null when neither the order's input nor the payment that created it named a customer. */
  customerId: string | null;
  subtotal: string;
  tax: string;
  /** A fraction: "0.08" is 8 %. */
  taxRate: string;
  shipping: string;
  discount: string;
  discountCode: string | null;
  total: string;
  refundedAmount: string;
  currency: string;
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  paymentProvider: string | null;
  paymentId: string | null;
  paymentMethod: string | null;
  paymentDetails: Record<string, string | number> | null;
  shippingAddress: AddressSnapshot | null;
  billingAddress: AddressSnapshot | null;
  /** Time of the first confirmation of a payment, at which the order became final. */
  placedAt: string | null;
  paidAt: string | null;
  fulfilledAt: string | null;
  cancelledAt: string | null;
  createdAt: string;
  updatedAt: string;
  customerNote: string | null;
  merchantNote: string | null;
  items: OrderItem[];
  /** Null while the order is not cancelled. An `expired` order becomes paid after all when its money comes. */
  cancelReason: CancelReason | null;
  /** Whether prices and shipping hold the tax, so that `tax` is a part of them. */
  taxIncluded: boolean;
  /** The shop's shipping method that `shipping` is the price of. */
  shippingMethod: { id: string; name: string } | null;
  /** Time to which its stock is reserved and at which it expires unpaid; null when none is, and once it is paid or cancelled. */
  reservedUntil: string | null;
  /** Given with its fulfilment. */
  tracking: Tracking | null;
}

/** Where a parcel is. */
export interface Tracking {
  carrier: string | null;
  number: string | null;
  url: string | null;
}

const addressField = text(255).nullable().default(null);

export const Address = fields({
  firstName: addressField,
  lastName: addressField,
  address1: addressField,
  address2: addressField,
  city: addressField,
  region: addressField,
  postalCode: addressField,
  country: addressField,
  company: addressField,
  phone: addressField,
});

function schemaFor(decimals: number) {
  const item = fields({
    /** The product, by its id; or `sku`. */
    productId: text(64, 1).optional(),
    /** The product, by its SKU; or `productId`. */
    sku: text(255, 1).trim().optional(),
    /** Pieces. 1 to 1,000,000. */
    quantity: integer(1, 1_000_000),
    /** What is taken off the line: a decimal string in the store's currency, at most its price times its quantity. */
    lineDiscount: money(decimals).optional(),
    /** Which variant it is, as the buyer is to read it. At most 255 characters. */
    variantTitle: text(255).nullable().default(null),
  }).refine((line) => (line.productId === undefined) !== (line.sku === undefined), {
    error: 'must name its product by either productId or sku',
  });
  return fields({
    id: text(64)
      .transform((id) => id.toLowerCase())
      .refine(isId, 'must be a UUID')
      .optional(),
    customerId: text(64, 1).nullable().optional(),
    customer: CustomerContact.nullable().optional(),
    items: z
      .array(item, 'must be a list of items')
      .min(1, 'must have at least one item')
      .max(maxOrderItems, `must have at most ${maxOrderItems} items`),
    taxRate: taxRate.optional(),
    shipping: money(decimals).optional(),
    /** One of the store's, instead of a price in `shipping`. */
    shippingMethodId: text(64, 1).optional(),
    /** Minutes for which the order holds its stock; unpaid, it expires then. */
    reserveMinutes: integer(1, maxReserveMinutes).optional(),
    discount: money(decimals).optional(),
    discountCode: text(255).nullable().default(null),
    shippingAddress: Address.nullable().default(null),
    billingAddress: Address.nullable().default(null),
    customerNote: text(5000).nullable().default(null),
  })
    .refine((order) => !(order.customerId && order.customer), {
      error: 'must not be given together with customerId',
      path: ['customer'],
    })
    .refine((order) => order.shipping === undefined || order.shippingMethodId === undefined, {
      error: 'must not be given together with shipping',
      path: ['shippingMethodId'],
    });
}

const schemas = new Map<number, ReturnType<typeof schemaFor>>();

/** The input of a new order in a currency with that many decimals. */
export function orderFields(decimals: number): ReturnType<typeof schemaFor> {
  const schema = schemas.get(decimals) ?? schemaFor(decimals);
  schemas.set(decimals, schema);
  return schema;
}

/**
 * A new order: its lines and charges. Prices, titles, SKUs, attributes and images come from the catalogue, never from the
 * caller.
 */
export type OrderInput = described.OrderInput & z.input<ReturnType<typeof schemaFor>>;
export type OrderDraft = z.output<ReturnType<typeof schemaFor>>;

export const OrderQuery = fields({
  ...paging,
  status: oneOf(orderStatuses).optional(),
  paymentStatus: oneOf(paymentStatuses).optional(),
  customerId: text(255).optional(),
  orderNumber: text(255).optional(),
  /**
   * A part of the order's number, of the buyer's e-mail or of a name, in any case; of one or two characters, the beginning of one. E-mail and
   * name are those of the customer when the order was made.
   */
  search: text(maxSearch).optional(),
  /** Time of creation, included. A date begins in the store's time zone. */
  from: dateOrTime.optional(),
  /** Time of creation, not included. */
  to: dateOrTime.optional(),
});
export type OrderQueryInput = described.OrderQueryInput & z.input<typeof OrderQuery>;

export const OrderChangeFields = fields({
  merchantNote: text(5000).nullable(),
  status: oneOf(orderStatuses),
  /** Given with the fulfilment, or corrected after it. */
  tracking: fields({
    carrier: text(100).nullable().default(null),
    number: text(255).nullable().default(null),
    url: text(2048)
      .refine((address) => parseWebAddress(address) !== undefined, 'must be an https:// or http:// address')
      .nullable()
      .default(null),
  }).nullable(),
}).partial();
export type OrderChanges = described.OrderChanges & z.input<typeof OrderChangeFields>;

/** Products returned to the stock with a refund: true for everything not yet returned, or quantities per product. */
const Restock = z.union(
  [
    z.boolean(),
    z
      .array(fields({ productId: text(64, 1), quantity: integer(1, 1_000_000) }))
      .max(500, 'must have at most 500 entries'),
  ],
  'must be true, or a list of {productId, quantity}',
);

/** The input of a refund in a currency with that many decimals. */
export function refundFields(decimals: number) {
  return fields({
    amount: money(decimals),
    reason: text(1000).nullable().optional(),
    refundId: text(255, 1).nullable().optional(),
    restock: Restock.nullable().optional(),
  });
}
export type RefundInput = described.RefundInput & z.input<ReturnType<typeof refundFields>>;
