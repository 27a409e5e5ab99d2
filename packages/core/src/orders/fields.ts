import * as z from 'zod';
import { paymentKinds } from '../engine/settings/payments.ts';
import { shippingKinds } from '../engine/settings/shipping.ts';
import { standardClass } from '../engine/settings/taxes.ts';
import { once, optionalWords, words } from '../fields/answers.ts';
import { type Entity, entity, made } from '../fields/entity.ts';
import { exampleIds } from '../fields/example-ids.ts';
import {
  type MadeKind,
  madeAmount,
  madeCount,
  madeFlag,
  madeId,
  madeIdOrNone,
  madeText,
  madeTextOrNone,
  madeTexts,
  madeTimeOrNone,
} from '../fields/kinds.ts';
import { stampsOf } from '../fields/stamps.ts';
import { fulfilmentEntity, fulfilmentShape, trackingOrNone } from './fulfilment-fields.ts';

/** A fraction from 0 to 1. */
const rate = { pattern: '^[01](\\.\\d{1,6})?$' } as const;

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

export const fulfilmentStatuses = ['unfulfilled', 'partial', 'fulfilled'] as const;
export type FulfilmentStatus = (typeof fulfilmentStatuses)[number];

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

const orderItemShape = {
  id: made(madeId, { words: 'The id of the line.', example: exampleIds.orderItem }),
  orderId: made(madeId, { words: 'The order of this line.', example: exampleIds.order }),
  productId: made(madeId, {
    words: 'The product; it can have been deleted since.',
    example: exampleIds.product,
  }),
  titleSnapshot: made(madeText, { words: 'The title of the product at that time.', example: 'Blue mug' }),
  skuSnapshot: made(madeTextOrNone, { words: 'The SKU of the product at that time.', example: 'MUG' }),
  quantity: made(madeCount, { words: 'Pieces.', example: 2 }),
  unitPrice: made(madeAmount, { words: 'The price of one piece at that time.', example: '12.50' }),
  variantTitle: made(madeTextOrNone, { words: "The shop's name of the variant." }),
  attributesSnapshot: made(madeTexts, {
    words: 'The attributes of the product at that time.',
    example: { color: 'blue' },
  }),
  lineDiscount: made(madeAmount, { words: 'The discount on this line as a whole.', example: '0.00' }),
  primaryImageId: made(madeIdOrNone, {
    words: 'The main image of the product at that time.',
    example: exampleIds.media,
  }),
  /** Why a buyer cannot withdraw from buying it; null if a buyer can. */
  withdrawalExempt: made(madeTextOrNone, { words: 'Why a buyer cannot withdraw from buying it; null if a buyer can.' }),
  /** The rate of tax that it was sold at, a fraction. */
  taxRate: made(
    { answer: () => z.string().meta(rate), cell: 'decimal' },
    { words: 'The rate of tax that it was sold at, a fraction.', example: '0.08', initial: '0' },
  ),
  /** The class of goods for tax at that time. */
  taxClass: made(madeText, {
    words: 'The class of goods for tax at that time.',
    example: 'standard',
    initial: standardClass,
  }),
  /** False for goods that are not sent. */
  requiresShipping: made(madeFlag, { words: 'False for goods that are not sent.', example: true, initial: true }),
  /** What the buyer chose, by name, such as an engraving. */
  options: made(madeTexts, {
    words: 'What the buyer chose, by name, such as an engraving.',
    example: {},
    initial: {},
  }),
};

export const orderItemEntity = entity(orderItemShape, {
  words: 'A line of an order, with the product as it was when the order was created.',
});

/** A line of an order, with the product as of the order's creation. Amounts are decimal strings. */
export type OrderItem = Entity<typeof orderItemShape>;

const addressOrNone: MadeKind<z.ZodNullable<ReturnType<typeof addressSnapshotAnswer>>> = {
  answer: () => addressSnapshotAnswer().nullable(),
  cell: 'json',
};

export const orderTaxShape = {
  country: made(madeTextOrNone, {
    words: 'Whose tax it is, ISO 3166-1 alpha-2; null for the one rate of the store.',
    example: 'DE',
  }),
  region: made(madeTextOrNone, { words: 'The part of the country, ISO 3166-2 without the country.' }),
  rate: made(
    { answer: () => z.string().meta(rate), cell: 'decimal' },
    { words: 'A fraction: "0.08" is 8 %.', example: '0.08' },
  ),
  name: made(madeTextOrNone, { words: 'The name of the tax.', example: 'VAT' }),
  base: made(madeAmount, { words: 'The amount without tax that it falls on.', example: '25.00' }),
  amount: made(madeAmount, { words: 'The tax, rounded half up once.', example: '2.00' }),
};

export const orderTaxEntity = entity(orderTaxShape, { words: 'The tax of one rate.' });

/** The tax of one rate of an order. */
export type OrderTax = Entity<typeof orderTaxShape>;

/** Reasons for which no tax falls on an order: Art. 138, 196 and 146 of Directive 2006/112/EC, or another one. */
export const exemptionReasons = ['intraCommunity', 'reverseCharge', 'export', 'other'] as const;
export type ExemptionReason = (typeof exemptionReasons)[number];

const shape = {
  id: made(madeId, {
    words: 'The id, which payments name; a UUIDv7 unless the caller chose it.',
    example: exampleIds.order,
  }),
  /** `ORD-<n>`, counted per store from 1001. */
  orderNumber: made(madeText, { words: '`ORD-<n>`, counted per store from 1001.', example: 'ORD-1001' }),
  storeId: made(madeId, { words: 'The store it belongs to.', example: exampleIds.store }),
  /** Null when neither the order's input nor the payment that created it named a customer. */
  customerId: made(madeIdOrNone, { words: 'The buyer; null when none was named.', example: exampleIds.customer }),
  subtotal: made(madeAmount, { words: 'The sum of unit price × quantity − line discount.', example: '25.00' }),
  tax: made(madeAmount, { words: 'The sum of `taxes`.', example: '2.00' }),
  /** A fraction: "0.08" is 8 %. Of several rates their mean to four decimals, for display. */
  taxRate: made(
    { answer: () => z.string().meta(rate), cell: 'decimal' },
    { words: 'A fraction: "0.08" is 8 %. Of several rates their mean to four decimals, for display.', example: '0.08' },
  ),
  shipping: made(madeAmount, { words: 'The cost of shipping.', example: '5.00' }),
  discount: made(madeAmount, { words: 'The discount on the subtotal.', example: '0.00' }),
  discountCode: made(madeTextOrNone, { words: 'The code of the discount.' }),
  total: made(madeAmount, {
    words: 'subtotal − discount + tax + shipping; a payment must equal it.',
    example: '32.00',
  }),
  refundedAmount: made(madeAmount, { words: 'The amount refunded so far, at most the total.', example: '0.00' }),
  currency: made(
    { answer: () => z.string().meta({ pattern: '^[A-Z]{3}$' }), cell: 'word' },
    { words: "The store's currency, ISO 4217.", example: 'EUR' },
  ),
  status: made(
    { answer: () => z.enum(orderStatuses), cell: 'word' },
    {
      words:
        'pending → paid only by a payment; pending → cancelled; paid → fulfilled with its last parcel, or cancelled; → refunded when the whole total was refunded, then → cancelled unless it was fulfilled. An order to be paid on delivery, on pick-up or by invoice can be fulfilled unpaid. An expired order becomes paid after all when its money comes.',
      example: 'paid',
    },
  ),
  paymentStatus: made(
    { answer: () => z.enum(paymentStatuses), cell: 'word' },
    { words: 'The combined state of all its payments.', example: 'succeeded' },
  ),
  paymentProvider: made(madeTextOrNone, {
    words:
      '`stripe`, `paypal`, `square`, `manual` for a payment recorded by the shop, or `none` for an order that costs nothing.',
    example: 'stripe',
  }),
  paymentId: made(madeTextOrNone, {
    words: "The provider's id of the payment.",
    example: 'pi_3QNd2eLkdIwHu7ix0Xy1ZaBc',
  }),
  paymentMethod: made(madeTextOrNone, {
    words: "The provider's type of payment method in lower case.",
    example: 'card',
  }),
  paymentDetails: made(
    { answer: () => z.record(z.string(), z.union([z.string(), z.number()])).nullable(), cell: 'json' },
    {
      words:
        'For a card `last4`, `brand`, `expMonth`, `expYear` (no expiry at a point of sale); for a wallet `payerEmail`, `payerStatus`.',
      example: { last4: '4242', brand: 'visa', expMonth: 12, expYear: 2030 },
    },
  ),
  shippingAddress: made(addressOrNone, { words: 'The address of the goods.' }),
  billingAddress: made(addressOrNone, { words: 'The address of the invoice.' }),
  /** Time at which the order became final: of the first confirmation of a payment, or of an order to pay without a provider. */
  placedAt: made(madeTimeOrNone, {
    words: 'Time of the first confirmation of a payment, or of an order to pay without a provider.',
    example: '2026-11-20T12:05:00.000Z',
  }),
  paidAt: made(madeTimeOrNone, {
    words: 'Time of the confirmation of its payment.',
    example: '2026-11-20T12:05:00.000Z',
  }),
  fulfilledAt: made(madeTimeOrNone, { words: 'Time at which its last parcel left.' }),
  cancelledAt: made(madeTimeOrNone, { words: 'Time of cancellation.' }),
  ...stampsOf('Time of the last change, UTC.', '2026-11-20T12:05:00.000Z'),
  customerNote: made(madeTextOrNone, { words: "The customer's note.", example: 'Please ring twice.' }),
  merchantNote: made(madeTextOrNone, { words: "The shop's own note." }),
  items: made(
    { answer: () => z.array(orderItemEntity.answer()), cell: 'json' },
    { words: 'Its lines.', entries: orderItemShape },
  ),
  /** Null while the order is not cancelled. An `expired` order becomes paid after all when its money comes. */
  cancelReason: made(
    { answer: () => z.enum(cancelReasons).nullable(), cell: 'word' },
    {
      words: '`requested`, or `expired` because no payment came in time; null unless cancelled.',
      example: null,
    },
  ),
  /** Whether prices and shipping include the tax; `tax` is then a part of them. */
  taxIncluded: made(madeFlag, {
    words: 'Whether prices and shipping include the tax; `tax` is then a part of them.',
    example: false,
  }),
  /** The shop's shipping method that `shipping` is the price of. */
  shippingMethod: made(
    {
      answer: () =>
        z
          .object({
            id: words('The id of the method among the settings.', 'standard'),
            name: words('Its name at that time.', 'Standard'),
            kind: z
              .enum(shippingKinds)
              .meta({ description: '`pickup`: the buyer fetches the goods.', examples: ['ship'] }),
          })
          .nullable(),
      cell: 'json',
    },
    { words: 'The shipping method that `shipping` is the price of; null when none was chosen.' },
  ),
  /** Time to which its stock is reserved and at which it expires unpaid; null when none is, and once it is paid or cancelled. */
  reservedUntil: made(madeTimeOrNone, {
    words:
      'Time to which its stock is reserved, and at which it expires unpaid; null when none is, and once it is paid or cancelled.',
  }),
  /** Given with its fulfilment. */
  tracking: made(trackingOrNone, { words: 'Where the newest parcel is; null if it is not tracked.' }),
  /** The way to pay that its checkout chose. */
  paymentOption: made(
    {
      answer: () =>
        z
          .object({
            id: words('The id of the way to pay among the settings.', 'transfer'),
            name: words('Its name at that time.', 'Bank transfer'),
            kind: z.enum(paymentKinds).meta({ description: 'Its kind.', examples: ['transfer'] }),
          })
          .nullable(),
      cell: 'json',
    },
    { words: 'The way to pay that its checkout chose; null for other orders.' },
  ),
  /** Its parcels, in the order in which they were recorded. */
  fulfilments: made(
    { answer: () => z.array(fulfilmentEntity.answer()), cell: 'json' },
    {
      words: 'Its parcels, in the order in which they were recorded.',
      example: [],
      initial: [],
      entries: fulfilmentShape,
    },
  ),
  /** How much of it was shipped. */
  fulfilmentStatus: made(
    { answer: () => z.enum(fulfilmentStatuses), cell: 'word' },
    {
      words: '`partial` once something was shipped, `fulfilled` once nothing is left to ship.',
      example: 'unfulfilled',
      initial: 'unfulfilled',
    },
  ),
  /** Time of the last delivery, once all parcels of a fulfilled order are delivered; else null. */
  deliveredAt: made(madeTimeOrNone, {
    words: 'Time of the last delivery, once all parcels of a fulfilled order are delivered; else null.',
  }),
  /** Language of the buyer, a tag of BCP 47; null for the language of the shop. */
  locale: made(madeTextOrNone, {
    words: 'Language of the buyer, a tag of BCP 47; null for the language of the shop.',
    example: 'de',
  }),
  /** The taxes, one for each country, region, rate and name. Base and tax of all, and untaxed shipping, are the total. */
  taxes: made(
    { answer: () => z.array(orderTaxEntity.answer()), cell: 'json' },
    {
      words:
        'The taxes, one for each country, region, rate and name. Base and tax of all, and untaxed shipping, are the total.',
      initial: [],
      entries: orderTaxShape,
    },
  ),
  /** Why no tax falls on it; null if it is taxed as usual. */
  taxExempt: made(
    {
      answer: () =>
        z
          .object({
            reason: z.enum(exemptionReasons).meta({ description: 'The reason.', examples: ['intraCommunity'] }),
            note: optionalWords('What else an invoice says about it.'),
          })
          .nullable(),
      cell: 'json',
    },
    { words: 'Why no tax falls on it; null if it is taxed as usual.' },
  ),
  /** The VAT identification number of the buyer. It changes no tax. */
  vatId: made(madeTextOrNone, {
    words: 'The VAT identification number of the buyer. It changes no tax.',
    example: 'ATU12345675',
  }),
  /** Texts of the shop's own by key, for other programs. */
  metadata: made(
    { answer: () => z.record(z.string(), z.string()), cell: 'json' },
    { words: "Texts of the shop's own by key, for other programs.", example: { 'erp.id': '4711' }, initial: {} },
  ),
  /** Words by which lists are filtered. */
  tags: made(
    { answer: () => z.array(z.string()), cell: 'json' },
    { words: 'Words by which lists are filtered.', example: ['wholesale'], initial: [] },
  ),
  /** Message of the buyer to the person who gets the gift. */
  giftNote: made(madeTextOrNone, {
    words: 'Message of the buyer to the person who gets the gift.',
    example: 'All the best!',
  }),
};

export const orderEntity = entity(shape, {
  words: "An order. Amounts are decimal strings in the order's currency.",
});

/** An order as all interfaces answer it. Amounts are decimal strings in the order's currency. */
export type Order = Entity<typeof shape>;

/** The taxes of an order that a buyer pays: those above 0. */
export function chargedTaxes({ taxes }: Pick<Order, 'taxes'>): OrderTax[] {
  return taxes.filter(({ amount }) => /[1-9]/.test(amount));
}
