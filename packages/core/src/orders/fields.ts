import * as z from 'zod';
import { dateOrTime } from '../calendar.ts';
import { CustomerContact } from '../customers/fields.ts';
import { isId } from '../ids.ts';
import { maxOrderItems, maxReserveMinutes, maxSearch } from '../limits.ts';
import { paging } from '../paging.ts';
import { fields, integer, oneOf, text } from '../parse.ts';
import { money, taxRate } from '../resources/money.ts';
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
    /** An id chosen by the caller; created when absent. */
    id: text(64)
      .transform((id) => id.toLowerCase())
      .refine(isId, 'must be a UUID')
      .optional(),
    /** The buyer, if they are a known customer. */
    customerId: text(64, 1).nullable().optional(),
    /** The buyer: the customer with that e-mail, created if necessary. Not together with `customerId`. */
    customer: CustomerContact.nullable().optional(),
    /** The lines. Each names its product by either `productId` or `sku`. */
    items: z
      .array(item, 'must be a list of items')
      .min(1, 'must have at least one item')
      .max(maxOrderItems, `must have at most ${maxOrderItems} items`),
    /** A fraction from "0" to "1" with at most six decimals: "0.08" is 8 %. That of the settings when absent. */
    taxRate: taxRate.optional(),
    /** The cost of shipping. A decimal string with at most the currency's decimals. */
    shipping: money(decimals).optional(),
    /** One of the shipping methods of the settings, instead of a price in `shipping`. */
    shippingMethodId: text(64, 1).optional(),
    /** Minutes for which the order holds its stock; unpaid, it expires then. */
    reserveMinutes: integer(1, maxReserveMinutes).optional(),
    /** The discount on the subtotal. A decimal string with at most the currency's decimals. */
    discount: money(decimals).optional(),
    /** The code of the discount. */
    discountCode: text(255).nullable().default(null),
    /** The address of the goods. */
    shippingAddress: Address.nullable().default(null),
    /** The address of the invoice. */
    billingAddress: Address.nullable().default(null),
    /** The customer's note. */
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
export type OrderInput = z.input<ReturnType<typeof schemaFor>>;
export type OrderDraft = z.output<ReturnType<typeof schemaFor>>;

export const OrderQuery = fields({
  ...paging,
  /** Orders of this status. */
  status: oneOf(orderStatuses).optional(),
  /** Orders of this payment status. */
  paymentStatus: oneOf(paymentStatuses).optional(),
  /** The orders of a customer. */
  customerId: text(255).optional(),
  /** Exact, such as `ORD-1001`. */
  orderNumber: text(255).optional(),
  /** A part of the order number, of the e-mail or name of the buyer when the order was made, or of a name in its addresses, in any case; of one or two characters, the beginning of one of these. */
  search: text(maxSearch).optional(),
  /** Orders created from then on. A date begins in the shop's time zone. */
  from: dateOrTime.optional(),
  /** Orders created before. A date begins in the shop's time zone. */
  to: dateOrTime.optional(),
});
export type OrderQueryInput = z.input<typeof OrderQuery>;

export const OrderChangeFields = fields({
  /** The shop's own note. */
  merchantNote: text(5000).nullable(),
  /** pending → paid by a payment alone; pending → cancelled; paid → fulfilled or cancelled; → refunded when the whole total was refunded, then → cancelled unless it was fulfilled. An expired order becomes paid after all when its money comes. */
  status: oneOf(orderStatuses),
  /** Where the parcel is: given with the status `fulfilled`, or corrected after it. */
  tracking: fields({
    carrier: text(100).nullable().default(null),
    number: text(255).nullable().default(null),
    url: text(2048)
      .refine((address) => parseWebAddress(address) !== undefined, 'must be an https:// or http:// address')
      .nullable()
      .default(null),
  }).nullable(),
}).partial();
export type OrderChanges = z.input<typeof OrderChangeFields>;

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
    /** More than 0, and at most the rest of the total. A decimal string with at most the currency's decimals. */
    amount: money(decimals),
    /** For the audit log. */
    reason: text(1000).nullable().optional(),
    /** The provider's id of the refund, so that the provider's own notification of it is not counted again. */
    refundId: text(255, 1).nullable().optional(),
    /** Stock to return: `true` for everything that the order took and has not returned, with a refund that completes the total; or a list of `{productId, quantity}`. */
    restock: Restock.nullable().optional(),
  });
}
export type RefundInput = z.input<ReturnType<typeof refundFields>>;
