import * as z from 'zod';
import { CustomerContact } from '../customers/fields.ts';
import {
  amount,
  count,
  id,
  once,
  optionalId,
  optionalTime,
  optionalWords,
  time,
  words,
  yesOrNo,
} from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { money, taxRate } from '../fields/money.ts';
import { dateOrTime } from '../kernel/calendar.ts';
import { isId } from '../kernel/ids.ts';
import { maxOrderItems, maxReserveMinutes, maxSearch } from '../kernel/limits.ts';
import { paging } from '../kernel/paging.ts';
import { fields, integer, oneOf, text } from '../kernel/parse.ts';
import { parseWebAddress } from '../kernel/url.ts';

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

/** Reasons for a cancellation: it was requested, or no payment came in time. */
export const cancelReasons = ['requested', 'expired'] as const;
export type CancelReason = (typeof cancelReasons)[number];

export const addressSnapshotAnswer = once(() =>
  z
    .object({
      firstName: optionalWords('The given name.', 'Ada'),
      lastName: optionalWords('The family name.', 'Lovelace'),
      address1: optionalWords('Street and number.', '12 St James Square'),
      address2: optionalWords('The second line.'),
      city: optionalWords('The city.', 'London'),
      region: optionalWords('State, province or county.'),
      postalCode: optionalWords('The postal code.', 'SW1Y 4JH'),
      country: optionalWords('A country code or name.', 'GB'),
      company: optionalWords('The company.'),
      phone: optionalWords('A telephone number, in any form.'),
    })
    .meta({ description: 'An address as it was when the order was created.' }),
);

/** An address as of the order's creation. */
export type AddressSnapshot = z.output<ReturnType<typeof addressSnapshotAnswer>>;

export const orderItemAnswer = once(() =>
  z
    .object({
      id: id('The id of the line.', exampleIds.orderItem),
      orderId: id('The order of this line.', exampleIds.order),
      productId: id('The product; it may have been deleted since.', exampleIds.product),
      titleSnapshot: words('The title of the product at that time.', 'Blue mug'),
      skuSnapshot: optionalWords('The SKU of the product at that time.', 'MUG'),
      quantity: count('Pieces.', 2),
      unitPrice: amount('The price of one piece at that time.', '12.50'),
      variantTitle: optionalWords("The shop's name of the variant."),
      attributesSnapshot: z
        .record(z.string(), z.string())
        .meta({ description: 'The attributes of the product at that time.', examples: [{ color: 'blue' }] }),
      lineDiscount: amount('The discount on this line as a whole.', '0.00'),
      primaryImageId: optionalId('The main image of the product at that time.', exampleIds.media),
    })
    .meta({ description: 'A line of an order, with the product as it was when the order was created.' }),
);

/** A line of an order, with the product as of the order's creation. Amounts are decimal strings. */
export type OrderItem = z.output<ReturnType<typeof orderItemAnswer>>;

export const orderAnswer = once(() =>
  z
    .object({
      id: id('The id, which payments name; a UUIDv7 unless the caller chose it.', exampleIds.order),
      /** `ORD-<n>`, counted per store from 1001. */
      orderNumber: words('`ORD-<n>`, counted per store from 1001.', 'ORD-1001'),
      storeId: id('The store it belongs to.', exampleIds.store),
      /** Null when neither the order's input nor the payment that created it named a customer. */
      customerId: optionalId('The buyer; null when none was named.', exampleIds.customer),
      subtotal: amount('The sum of unit price × quantity − line discount.', '25.00'),
      tax: amount('(subtotal − discount) × tax rate, rounded half up.', '2.00'),
      /** A fraction: "0.08" is 8 %. */
      taxRate: words('A fraction: "0.08" is 8 %.', '0.08').meta({ pattern: '^[01](\\.\\d{1,6})?$' }),
      shipping: amount('The cost of shipping.', '5.00'),
      discount: amount('The discount on the subtotal.', '0.00'),
      discountCode: optionalWords('The code of the discount.'),
      total: amount('subtotal − discount + tax + shipping; a payment must equal it.', '32.00'),
      refundedAmount: amount('The amount refunded so far, at most the total.', '0.00'),
      currency: words("The store's currency, ISO 4217.", 'EUR').meta({ pattern: '^[A-Z]{3}$' }),
      status: z.enum(orderStatuses).meta({
        description:
          'pending → paid by a payment alone; pending → cancelled; paid → fulfilled or cancelled; → refunded when the whole total was refunded, then → cancelled unless it was fulfilled. An expired order becomes paid after all when its money comes.',
        examples: ['paid'],
      }),
      paymentStatus: z
        .enum(paymentStatuses)
        .meta({ description: 'The combined state of all its payments.', examples: ['succeeded'] }),
      paymentProvider: optionalWords(
        '`stripe`, `paypal`, `square`, `manual` for a payment recorded by the shop, or `none` for an order that costs nothing.',
        'stripe',
      ),
      paymentId: optionalWords("The provider's id of the payment.", 'pi_3QNd2eLkdIwHu7ix0Xy1ZaBc'),
      paymentMethod: optionalWords("The provider's type of payment method in lower case.", 'card'),
      paymentDetails: z
        .record(z.string(), z.union([z.string(), z.number()]))
        .nullable()
        .meta({
          description:
            'For a card `last4`, `brand`, `expMonth`, `expYear` (no expiry at a point of sale); for a wallet `payerEmail`, `payerStatus`.',
          examples: [{ last4: '4242', brand: 'visa', expMonth: 12, expYear: 2030 }],
        }),
      shippingAddress: addressSnapshotAnswer().nullable().meta({ description: 'The address of the goods.' }),
      billingAddress: addressSnapshotAnswer().nullable().meta({ description: 'The address of the invoice.' }),
      /** Time of the first confirmation of a payment, at which the order became final. */
      placedAt: optionalTime('Time of the first confirmation of a payment.', '2026-11-20T12:05:00.000Z'),
      paidAt: optionalTime('Time of the confirmation of its payment.', '2026-11-20T12:05:00.000Z'),
      fulfilledAt: optionalTime('Time of fulfilment.'),
      cancelledAt: optionalTime('Time of cancellation.'),
      createdAt: time('Time of creation, UTC.'),
      updatedAt: time('Time of the last change, UTC.', '2026-11-20T12:05:00.000Z'),
      customerNote: optionalWords("The customer's note.", 'Please ring twice.'),
      merchantNote: optionalWords("The shop's own note."),
      items: z.array(orderItemAnswer()).meta({ description: 'Its lines.' }),
      /** Null while the order is not cancelled. An `expired` order becomes paid after all when its money comes. */
      cancelReason: z
        .enum(cancelReasons)
        .nullable()
        .meta({
          description:
            '`requested` by somebody, or `expired` because no payment came in time; null while not cancelled.',
          examples: [null],
        }),
      /** Whether prices and shipping hold the tax, so that `tax` is a part of them. */
      taxIncluded: yesOrNo('Whether prices and shipping hold the tax, so that `tax` is a part of them.', false),
      /** The shop's shipping method that `shipping` is the price of. */
      shippingMethod: z
        .object({
          id: words('The id of the method among the settings.', 'standard'),
          name: words('Its name at that time.', 'Standard'),
        })
        .nullable()
        .meta({ description: 'The shipping method that `shipping` is the price of; null when none was chosen.' }),
      /** Time to which its stock is reserved and at which it expires unpaid; null when none is, and once it is paid or cancelled. */
      reservedUntil: optionalTime(
        'Time to which its stock is reserved, and at which it expires unpaid; null when none is, and once it is paid or cancelled.',
      ),
      /** Given with its fulfilment. */
      tracking: z
        .object({
          carrier: optionalWords('The carrier.', 'DHL'),
          number: optionalWords("The carrier's number.", '00340434161094042557'),
          url: optionalWords('Where the buyer can follow it.', 'https://carrier.test/00340434161094042557'),
        })
        .nullable()
        .meta({ description: 'Where the parcel is; given with the fulfilment.' }),
    })
    .meta({ description: "An order. Amounts are decimal strings in the order's currency." }),
);

/** An order as all interfaces answer it. Amounts are decimal strings in the order's currency. */
export type Order = z.output<ReturnType<typeof orderAnswer>>;

/** Tracking of a parcel. */
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
    productId: text(64, 1)
      .optional()
      .describe('The product, by its id; drafts and archived products can be ordered, too.'),
    /** The product, by its SKU; or `productId`. */
    sku: text(255, 1)
      .trim()
      .optional()
      .describe('The product, by its SKU; drafts and archived products can be ordered, too.'),
    /** Pieces. 1 to 1,000,000. */
    quantity: integer(1, 1_000_000).describe('Pieces.'),
    /** What is taken off the line: a decimal string in the store's currency, at most its price times its quantity. */
    lineDiscount: money(decimals)
      .optional()
      .describe("The discount on this line as a whole. A decimal string with at most the currency's decimals."),
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
    customerId: text(64, 1).nullable().optional().describe('The buyer, if they are a known customer.'),
    /** The buyer: the customer with that e-mail, created if necessary. Not together with `customerId`. */
    customer: CustomerContact.nullable()
      .optional()
      .describe('The buyer: the customer with that e-mail, created if necessary. Not together with `customerId`.'),
    /** The lines. Each names its product by either `productId` or `sku`. */
    items: z
      .array(item, 'must be a list of items')
      .min(1, 'must have at least one item')
      .max(maxOrderItems, `must have at most ${maxOrderItems} items`)
      .describe('The lines. Each names its product by either `productId` or `sku`.'),
    /** A fraction from "0" to "1" with at most six decimals: "0.08" is 8 %. That of the settings when absent. */
    taxRate: taxRate.optional(),
    /** The cost of shipping. A decimal string with at most the currency's decimals. */
    shipping: money(decimals)
      .optional()
      .describe("The cost of shipping. A decimal string with at most the currency's decimals."),
    /** One of the shipping methods of the settings, instead of a price in `shipping`. */
    shippingMethodId: text(64, 1)
      .optional()
      .meta({
        description: 'One of the shipping methods of the settings, instead of a price in `shipping`.',
        examples: ['standard'],
      }),
    /** Minutes for which the order holds its stock; unpaid, it expires then. */
    reserveMinutes: integer(1, maxReserveMinutes)
      .optional()
      .describe('Minutes for which the order holds its stock; unpaid, it expires then.'),
    /** The discount on the subtotal. A decimal string with at most the currency's decimals. */
    discount: money(decimals)
      .optional()
      .describe("The discount on the subtotal. A decimal string with at most the currency's decimals."),
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

/** A new order: its lines and charges. Prices, titles, SKUs, attributes and images come from the catalogue, never from the caller. */
export type OrderInput = z.input<ReturnType<typeof schemaFor>>;
export type OrderDraft = z.output<ReturnType<typeof schemaFor>>;

export const OrderQuery = fields({
  ...paging,
  /** Orders of this status. */
  status: oneOf(orderStatuses).optional().describe('Orders of this status.'),
  /** Orders of this payment status. */
  paymentStatus: oneOf(paymentStatuses).optional().describe('Orders of this payment status.'),
  /** The orders of a customer. */
  customerId: text(255).optional().describe('The orders of a customer.'),
  /** Exact, such as `ORD-1001`. */
  orderNumber: text(255).optional().describe('Exact, such as `ORD-1001`.'),
  /** A part of the order number, of the e-mail or name of the buyer when the order was made, or of a name in its addresses, in any case; of one or two characters, the beginning of one of these. */
  search: text(maxSearch)
    .optional()
    .describe(
      'A part of the order number, of the e-mail or name of the buyer when the order was made, or of a name in its addresses, in any case; of one or two characters, the beginning of one of these.',
    ),
  /** Orders created from then on. A date begins in the shop's time zone. */
  from: dateOrTime.optional().describe("Orders created from then on. A date begins in the shop's time zone."),
  /** Orders created before. A date begins in the shop's time zone. */
  to: dateOrTime.optional().describe("Orders created before. A date begins in the shop's time zone."),
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
  })
    .nullable()
    .describe('Where the parcel is: given with the status `fulfilled`, or corrected after it.'),
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
