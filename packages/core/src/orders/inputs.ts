import * as z from 'zod';
import { addressEntity, CustomerContact } from '../customers/fields.ts';
import { localeRule } from '../engine/settings/pages.ts';
import { metadataRule, optionsRule, tagsRule } from '../fields/metadata.ts';
import { money, taxRate } from '../fields/money.ts';
import { noted } from '../fields/notes.ts';
import { dateOrTime } from '../kernel/calendar.ts';
import { isId } from '../kernel/ids.ts';
import { passing, takingNames } from '../kernel/known-fields.ts';
import { maxBuyersWords, maxOrderItems, maxReserveMinutes, maxSearch } from '../kernel/limits.ts';
import { paging } from '../kernel/paging.ts';
import { fields, integer, oneOf, queryFlag, ruled, text } from '../kernel/parse.ts';
import { metadataFilter, metadataPrefix, tagFilter } from '../labels/query.ts';
import { exemptionReasons, orderStatuses, paymentStatuses } from './fields.ts';
import { trackingFields } from './fulfilment-fields.ts';

const addressField = text(255).nullable().default(null);

/** An address of an order. A saved address of a customer passes as it was answered. */
export const Address = passing(
  fields({
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
  }),
  () => addressEntity.answer(),
);

/** Message of the buyer to the person who gets the gift. */
export const giftNoteRule = text(1000, 1).nullable().default(null);

/** True if what a buyer wrote is not too much: everything of it stands in mails and on slips. */
export function hasFewWords({
  items,
  giftNote,
}: {
  items: readonly { options?: Record<string, string> | undefined }[];
  giftNote?: string | null | undefined;
}): boolean {
  const words = items.flatMap(({ options = {} }) => Object.entries(options).flat());
  return [...words, giftNote ?? ''].reduce((sum, { length }) => sum + length, 0) <= maxBuyersWords;
}

export const manyWords = {
  ...ruled(`and giftNote must have at most ${maxBuyersWords} characters of options and note together`, 'TOO_LONG'),
  path: ['items'],
};

/** Why no tax falls on an order. */
export const taxExemptRule = fields({
  /** `intraCommunity`, `reverseCharge` and `export` are those of Art. 138, 196 and 146 of Directive 2006/112/EC. */
  reason: oneOf(exemptionReasons).describe(
    '`intraCommunity`, `reverseCharge` and `export` are those of Art. 138, 196 and 146 of Directive 2006/112/EC.',
  ),
  /** What else an invoice says about it. Required for `other`. */
  note: text(500, 1).nullable().default(null).describe('What else an invoice says about it. Required for `other`.'),
}).refine(({ reason, note }) => reason !== 'other' || note !== null, {
  ...ruled('is required for the reason "other": the invoice has to say why', 'REQUIRED'),
  path: ['note'],
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
    /** What the buyer chose, by name, such as an engraving. */
    options: optionsRule.optional().describe('What the buyer chose, by name, such as an engraving.'),
    /** Which variant it is, as the buyer is to read it. At most 255 characters. */
    variantTitle: text(255).nullable().default(null),
  }).refine(
    (line) => (line.productId === undefined) !== (line.sku === undefined),
    ruled('must name its product by either productId or sku', 'CONFLICTING'),
  );
  return noted(
    fields({
      /** An id chosen by the caller; created when absent. */
      id: text(64)
        .transform((id) => id.toLowerCase())
        .refine(isId, ruled('must be a UUID', 'WRONG_TYPE'))
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
      /** Why no tax falls on it: every rate is 0, and prices that include tax cost less by it. */
      taxExempt: taxExemptRule
        .nullable()
        .optional()
        .describe('Why no tax falls on it: every rate is 0, and prices that include tax cost less by it.'),
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
      /** Message of the buyer to the person who gets the gift. */
      giftNote: giftNoteRule.describe('Message of the buyer to the person who gets the gift.'),
      /** Texts of your own by key, for other programs. */
      metadata: metadataRule.optional().describe('Texts of your own by key, for other programs.'),
      /** Words by which lists are filtered. */
      tags: tagsRule.optional().describe('Words by which lists are filtered.'),
      /** Language of the buyer, a tag of BCP 47, for mails; that of the shop when absent. */
      locale: localeRule
        .nullable()
        .optional()
        .describe('Language of the buyer, a tag of BCP 47, for mails; that of the shop when absent.'),
    })
      .refine((order) => !(order.customerId && order.customer), {
        ...ruled('must not be given together with customerId', 'CONFLICTING'),
        path: ['customer'],
      })
      .refine((order) => order.shipping === undefined || order.shippingMethodId === undefined, {
        ...ruled('must not be given together with shipping', 'CONFLICTING'),
        path: ['shippingMethodId'],
      })
      .refine(hasFewWords, manyWords),
    {
      description:
        'A new pending order: its lines and charges. Prices, titles, SKUs, attributes and images come from the catalogue.',
      like: 'Order',
      fields: {
        id: { format: 'uuid', description: 'An id chosen by the caller; created when absent.' },
        'customer.email': { format: 'email', description: 'The e-mail that identifies the customer.' },
        'customer.name': { description: 'The name of a new customer.' },
        'customer.phone': { description: 'The telephone number of a new customer.' },
        taxRate: {
          description:
            'A fraction from "0" to "1" with at most six decimals: "0.08" is 8 %. That of the settings when absent.',
          pattern: '^[01](\\.\\d{1,6})?$',
        },
      },
      example: {
        customer: { email: 'ada@shop.test', name: 'Ada Lovelace' },
        items: [{ sku: 'MUG', quantity: 2 }],
        taxRate: '0.08',
        shipping: '5.00',
      },
    },
  );
}

const schemas = new Map<number, ReturnType<typeof schemaFor>>();

/** The input of a new order in a currency with that many decimals. */
export function orderFields(decimals: number): ReturnType<typeof schemaFor> {
  const schema = schemas.get(decimals) ?? schemaFor(decimals);
  schemas.set(decimals, schema);
  return schema;
}

/** A new order: its lines and charges. Prices, titles, SKUs, attributes and images come from the catalogue, never from the caller. */
export type OrderInput = ItemsNamed<z.input<ReturnType<typeof schemaFor>>>;

/** An input whose lines each name their product, by its id or its SKU. */
export type ItemsNamed<Input extends { items: object[] }> = {
  // Over its keys, so that editors still show the words of each field.
  [Key in keyof Input]: Key extends 'items' ? LineNamed<Input['items'][number]>[] : Input[Key];
};

type LineNamed<Line> = Omit<Line, 'productId' | 'sku'> &
  ({ productId: string; sku?: undefined } | { sku: string; productId?: undefined });

export type OrderDraft = z.output<ReturnType<typeof schemaFor>>;

export const orderSorts = ['newest', 'oldest', 'total', '-total'] as const;
export type OrderSort = (typeof orderSorts)[number];

export const OrderQuery = noted(
  takingNames(
    fields({
      ...paging,
      /** The order; a minus means descending. */
      sort: oneOf(orderSorts).default('newest').describe('The order; a minus means descending.'),
      /** Orders of this status. */
      status: oneOf(orderStatuses).optional().describe('Orders of this status.'),
      /** Orders of this payment status. */
      paymentStatus: oneOf(paymentStatuses).optional().describe('Orders of this payment status.'),
      /** The orders of a customer. */
      customerId: text(255).optional().describe('The orders of a customer.'),
      /** Exact, such as `ORD-1001`. */
      orderNumber: text(255).optional().describe('Exact, such as `ORD-1001`.'),
      /** A part of the order number, of the e-mail or name of the buyer when the order was made, of a name, company or postal code in its addresses, of its tracking number, or of the title or SKU of a line, in any case; of one or two characters, the beginning of one of these. */
      search: text(maxSearch)
        .optional()
        .describe(
          'A part of the order number, of the e-mail or name of the buyer when the order was made, of a name, company or postal code in its addresses, of its tracking number, or of the title or SKU of a line, in any case; of one or two characters, the beginning of one of these.',
        ),
      /** With `true`, only orders with pieces left to ship: paid ones, and unpaid ones to pay on delivery, on pick-up or by invoice. */
      toShip: queryFlag
        .optional()
        .describe(
          'With `true`, only orders with pieces left to ship: paid ones, and unpaid ones to pay on delivery, on pick-up or by invoice.',
        ),
      /** With `true`, only unpaid orders to pay without a provider, shipped or not. */
      unpaidOffline: queryFlag
        .optional()
        .describe('With `true`, only unpaid orders to pay without a provider, shipped or not.'),
      /** With `true`, only cancelled orders whose money was not given back, or only in part. */
      toRefund: queryFlag
        .optional()
        .describe('With `true`, only cancelled orders whose money was not given back, or only in part.'),
      /** Orders created from then on. A date begins in the shop's time zone. */
      from: dateOrTime.optional().describe("Orders created from then on. A date begins in the shop's time zone."),
      /** Orders created before. A date begins in the shop's time zone. */
      to: dateOrTime.optional().describe("Orders created before. A date begins in the shop's time zone."),
      /** Orders created up to then, inclusive. A date is the whole day in the shop's time zone. Not together with `to`. */
      until: dateOrTime
        .optional()
        .describe(
          "Orders created up to then, inclusive. A date is the whole day in the shop's time zone. Not together with `to`.",
        ),
      ...tagFilter,
      ...metadataFilter,
    }),
    metadataPrefix,
  ),
  {
    description: 'Filters of a list of orders.',
  },
);
export type OrderQueryInput = z.input<typeof OrderQuery>;

export const OrderChangeFields = noted(
  fields({
    /** The shop's own note. */
    merchantNote: text(5000).nullable(),
    /** Texts of your own by key, for other programs. Replaced as a whole. */
    metadata: metadataRule.describe('Texts of your own by key, for other programs. Replaced as a whole.'),
    /** Words by which lists are filtered. Replaced as a whole. */
    tags: tagsRule.describe('Words by which lists are filtered. Replaced as a whole.'),
    /** pending → paid only by a payment; pending → cancelled; paid → fulfilled with its last parcel, or cancelled; → refunded when the whole total was refunded, then → cancelled unless it was fulfilled. An order to be paid on delivery, on pick-up or by invoice can be fulfilled unpaid. An expired order becomes paid after all when its money comes. */
    status: oneOf(orderStatuses),
    /** Where the parcel is: given with the status `fulfilled`, which ships all that is left; or that of the newest parcel, corrected. */
    tracking: trackingFields()
      .nullable()
      .describe(
        'Where the parcel is: given with the status `fulfilled`, which ships all that is left; or that of the newest parcel, corrected.',
      ),
  }).partial(),
  {
    description:
      'Changes of an order. Other fields are accepted with their stored values, so an edited answer can be sent back.',
    like: 'Order',
    fields: {
      'tracking.url': { format: 'uri', description: 'Where the buyer can follow it.' },
    },
    example: {
      status: 'fulfilled',
      merchantNote: 'Sent with the morning post.',
      tracking: { carrier: 'DHL', number: '00340434161094042557' },
    },
  },
);
export type OrderChanges = z.input<typeof OrderChangeFields>;
