import * as z from 'zod';
import { sellerEntity, sellerShape } from '../engine/settings/pages.ts';
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
  madeTime,
} from '../fields/kinds.ts';
import { noted } from '../fields/notes.ts';
import { identity } from '../fields/stamps.ts';
import { dateOrTime } from '../kernel/calendar.ts';
import { paging } from '../kernel/paging.ts';
import { fields, oneOf, text } from '../kernel/parse.ts';
import { addressSnapshotAnswer, exemptionReasons, orderTaxEntity, orderTaxShape } from '../orders/fields.ts';

export const invoiceKinds = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

/** Why a document was written: for the order, for a refund, for a cancellation, or because a refund failed after its credit note. */
export const invoiceCauses = ['order', 'refund', 'cancellation', 'refund_failed'] as const;
export type InvoiceCause = (typeof invoiceCauses)[number];

const date: MadeKind<z.ZodString> = { answer: () => z.string().meta({ format: 'date' }), cell: 'text' };

const rateOrNone: MadeKind<z.ZodNullable<z.ZodString>> = {
  answer: () => z.string().meta({ pattern: '^[01](\\.\\d{1,6})?$' }).nullable(),
  cell: 'decimal',
};

const netPrice: MadeKind<z.ZodNullable<z.ZodString>> = {
  answer: () => z.string().meta({ pattern: '^\\d+\\.\\d{4}$' }).nullable(),
  cell: 'decimal',
};

const lineShape = {
  itemId: made(madeIdOrNone, {
    words: 'The line of the order; null for an amount that is no line of it.',
    example: exampleIds.orderItem,
  }),
  title: made(madeText, { words: 'The title of the product.', example: 'Blue mug' }),
  variant: made(madeTextOrNone, { words: "The shop's name of the variant." }),
  sku: made(madeTextOrNone, { words: 'The SKU.', example: 'MUG' }),
  /** What the buyer chose, by name, such as an engraving. */
  options: made(madeTexts, {
    words: 'What the buyer chose, by name, such as an engraving.',
    example: {},
    initial: {},
  }),
  quantity: made(madeCount, { words: 'Pieces.', example: 2 }),
  /** The price of one piece without tax, to four decimals; null for an amount that is no line of the order. */
  netUnitPrice: made(netPrice, {
    words: 'The price of one piece without tax, to four decimals; null for an amount that is no line of the order.',
    example: '12.5000',
  }),
  taxRate: made(rateOrNone, {
    words: 'The rate of tax, a fraction; null for an amount of several rates.',
    example: '0.08',
  }),
  discount: made(madeAmount, { words: 'The discount on this line, contained in `total`.', example: '0.00' }),
  /** The amount of the line, with tax if `taxIncluded`. */
  total: made(madeAmount, { words: 'The amount of the line, with tax if `taxIncluded`.', example: '25.00' }),
};

const lineEntity = entity(lineShape, { words: 'A line of an invoice or a credit note.' });

/** A line of an invoice or a credit note. */
export type InvoiceLine = Entity<typeof lineShape>;

const buyerShape = {
  name: made(madeTextOrNone, { words: 'The name of the buyer.', example: 'Ada Lovelace' }),
  email: made(madeTextOrNone, { words: 'The e-mail that the buyer had with the order.', example: 'ada@shop.test' }),
  vatId: made(madeTextOrNone, { words: 'The VAT identification number of the buyer.' }),
  /** The billing address, else the shipping address. */
  address: made(
    { answer: () => addressSnapshotAnswer().nullable(), cell: 'json' },
    { words: 'The billing address, else the shipping address.' },
  ),
};

const buyerEntity = entity(buyerShape, { words: 'Whom an invoice is for.' });

const namedShape = {
  id: made(madeId, { words: 'The id.', example: exampleIds.invoice }),
  number: made(madeText, { words: 'The number.', example: 'INV-2026-0001' }),
  date: made(date, { words: 'The date of issue.', example: '2026-11-20' }),
};

const namedEntity = entity(namedShape, { words: 'An earlier document.' });

const shape = {
  ...identity(exampleIds.invoice),
  kind: made(
    { answer: () => z.enum(invoiceKinds), cell: 'word' },
    { words: 'An `invoice`, or a `credit_note` that takes an amount of one back.', example: 'invoice' },
  ),
  /** Without gaps or repeats: each beginning counts from 1. */
  number: made(madeText, {
    words: 'The number, without gaps or repeats: each beginning counts from 1.',
    example: 'INV-2026-0001',
  }),
  /** Why it was written. A refund that fails after its credit note is followed by an invoice. */
  cause: made(
    { answer: () => z.enum(invoiceCauses), cell: 'word' },
    {
      words: 'Why it was written. A refund that fails after its credit note is followed by an invoice.',
      example: 'order',
    },
  ),
  orderId: made(madeId, { words: 'The order; it can have been erased since.', example: exampleIds.order }),
  orderNumber: made(madeText, { words: 'The number of the order.', example: 'ORD-1001' }),
  /** The invoice that a credit note takes an amount of back, or the credit note whose refund failed; else null. */
  refersTo: made(
    { answer: () => namedEntity.answer().nullable(), cell: 'json' },
    {
      words:
        'The invoice that a credit note takes an amount of back, or the credit note whose refund failed; else null.',
      entries: namedShape,
    },
  ),
  refundId: made(madeTextOrNone, { words: 'The refund that it was written for.' }),
  reason: made(madeTextOrNone, { words: "The shop's reason of the refund." }),
  /** The date of issue in the shop's time zone. */
  date: made(date, { words: "The date of issue in the shop's time zone.", example: '2026-11-20' }),
  /** The day of the last parcel, else of the payment, else of the issue. */
  supplyDate: made(date, {
    words: 'The date of supply: the day of the last parcel, else of the payment, else of the issue.',
    example: '2026-11-20',
  }),
  locale: made(madeText, { words: 'The language that it is printed in, a tag of BCP 47.', example: 'en' }),
  currency: made(
    { answer: () => z.string().meta({ pattern: '^[A-Z]{3}$' }), cell: 'word' },
    { words: 'The currency, ISO 4217.', example: 'EUR' },
  ),
  decimals: made(madeCount, { words: 'Decimals of the currency.', example: 2 }),
  seller: made(
    { answer: () => sellerEntity.answer(), cell: 'json' },
    { words: 'Who sells, as of the issue.', entries: sellerShape },
  ),
  buyer: made(
    { answer: () => buyerEntity.answer(), cell: 'json' },
    { words: 'Whom it is for, as of the issue.', entries: buyerShape },
  ),
  lines: made(
    { answer: () => z.array(lineEntity.answer()), cell: 'json' },
    { words: 'Its lines.', entries: lineShape },
  ),
  /** Whether lines, subtotal, discount and shipping contain the tax. */
  taxIncluded: made(madeFlag, {
    words: 'Whether lines, subtotal, discount and shipping contain the tax.',
    example: false,
  }),
  subtotal: made(madeAmount, { words: 'The sum of the lines.', example: '25.00' }),
  discount: made(madeAmount, { words: 'The discount on the subtotal.', example: '0.00' }),
  discountCode: made(madeTextOrNone, { words: 'The code of the discount.' }),
  shipping: made(madeAmount, { words: 'The cost of shipping.', example: '5.00' }),
  shippingMethod: made(madeTextOrNone, { words: 'The name of the shipping method.', example: 'Standard' }),
  /** Base and tax of all, and `untaxed`, are the total. */
  taxes: made(
    { answer: () => z.array(orderTaxEntity.answer()), cell: 'json' },
    {
      words: 'The taxes by country, region, rate and name. Base and tax of all, and `untaxed`, are the total.',
      entries: orderTaxShape,
    },
  ),
  tax: made(madeAmount, { words: 'The sum of the taxes.', example: '2.00' }),
  untaxed: made(madeAmount, { words: 'The amount of shipping that no tax falls on.', example: '5.00' }),
  /** What the buyer has to pay, or of a credit note gets back. Never negative. */
  total: made(madeAmount, {
    words: 'What the buyer has to pay, or of a credit note gets back. Never negative.',
    example: '32.00',
  }),
  /** Art. 138, 196 or 146 of Directive 2006/112/EC, or another reason; null if it is taxed as usual. */
  exemption: made(
    { answer: () => z.enum(exemptionReasons).nullable(), cell: 'word' },
    {
      words:
        'Why no tax falls on it: Art. 138 (`intraCommunity`), 196 (`reverseCharge`) or 146 (`export`) of Directive 2006/112/EC, or `other`; null if it is taxed as usual.',
      example: null,
    },
  ),
  notes: made(
    { answer: () => z.array(z.string()), cell: 'json' },
    { words: 'Texts at its end: about an exemption, and of the shop.', example: ['Thank you for your order.'] },
  ),
  createdAt: made(madeTime, { words: 'Time of issue, UTC.', example: '2026-11-20T12:05:00.000Z' }),
};

export const invoiceEntity = entity(shape, {
  words: 'An invoice or a credit note. It is never changed. Amounts are decimal strings.',
});

/** An invoice or a credit note, as every interface answers it. It is never changed. Amounts are decimal strings. */
export type Invoice = Entity<typeof shape>;

/** The answer of an invoice. */
export const invoiceAnswer = invoiceEntity.answer;

export const InvoiceQuery = noted(
  fields({
    ...paging,
    /** Those of an order. */
    orderId: text(64, 1).optional().describe('Those of an order.'),
    /** The one with this number. */
    number: text(64, 1).optional().describe('The one with this number.'),
    /** Invoices or credit notes. */
    kind: oneOf(invoiceKinds).optional().describe('Invoices or credit notes.'),
    /** Issued at that time or later; a date begins in the shop's time zone. */
    from: dateOrTime.optional().describe("Issued at that time or later; a date begins in the shop's time zone."),
    /** Issued before that time. */
    to: dateOrTime.optional().describe('Issued before that time.'),
  }),
  { description: 'Filters of a list of invoices.' },
);
export type InvoiceQueryInput = z.input<typeof InvoiceQuery>;

const keptShape = {
  invoices: made(madeCount, { words: 'Invoices and credit notes that are kept as the law asks.', example: 1 }),
  until: made(
    { answer: () => z.string().meta({ format: 'date-time' }).nullable(), cell: 'time' },
    {
      words: 'Time at which the last of them is removed; null if there are none.',
      example: '2036-11-20T12:05:00.000Z',
    },
  ),
};

export const keptEntity = entity(keptShape, { words: 'What of a person or an order is kept, and how long.' });

/** Invoices that are kept of an erased person or order, and how long. */
export type Kept = Entity<typeof keptShape>;
