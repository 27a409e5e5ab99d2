import * as z from 'zod';
import { id, once, time } from '../fields/answers.ts';
import { type Changes, type Entity, entity, made, written } from '../fields/entity.ts';
import { exampleIds } from '../fields/example-ids.ts';
import {
  choice,
  madeCount,
  madeIdOrNone,
  madeText,
  madeTextOrNone,
  madeTime,
  nullable,
  reference,
  text,
} from '../fields/kinds.ts';
import { noted } from '../fields/notes.ts';
import { identity } from '../fields/stamps.ts';
import { isId } from '../kernel/ids.ts';
import { strictly } from '../kernel/known-fields.ts';
import { maxCheckoutItems } from '../kernel/limits.ts';
import { paging } from '../kernel/paging.ts';
import { emailAddress, fields, integer, oneOf, ruled, text as textRule } from '../kernel/parse.ts';

export const withdrawalStatuses = ['received', 'matched', 'closed'] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

/** Days within which the shop has to give the money back, counted from the statement. */
export const daysToRefund = 14;

const goodsShape = {
  productId: made(madeIdOrNone, {
    words: 'The product, if the buyer named it by its id.',
    example: exampleIds.product,
  }),
  sku: made(madeTextOrNone, { words: 'Its SKU, if the buyer named it by that.' }),
  quantity: made(madeCount, { words: 'Pieces.', example: 1 }),
};

const goodsEntity = entity(goodsShape, { words: 'Goods that a buyer withdraws from.' });

const received = '2026-11-20T12:00:00.000Z';

const shape = {
  ...identity(exampleIds.withdrawal),
  /** `received` until an order is known, then `matched`; `closed` once the shop is done with it. */
  status: written(choice(withdrawalStatuses), {
    words: '`received` until an order is known, then `matched`; `closed` once the shop is done with it.',
    example: 'matched',
    initial: 'received',
  }),
  name: made(madeText, { words: 'The name of the buyer; empty once anonymised.', example: 'Ada Lovelace' }),
  email: made(madeText, {
    words: 'Where the acknowledgement goes; empty once anonymised.',
    example: 'ada@shop.test',
  }),
  orderNumber: made(madeText, { words: 'The order, as the buyer wrote it.', example: '#1001' }),
  /** The order that it is about; null while none is known. */
  orderId: written(nullable(reference()), {
    words: 'The order that it is about; null while none is known.',
    example: exampleIds.order,
    input: { words: 'The order that it is about. It must exist in the store.' },
  }),
  items: made(
    { answer: () => z.array(goodsEntity.answer()), cell: 'json' },
    {
      words: 'The goods, if it is not the whole order. They are not checked.',
      example: [],
      initial: [],
      entries: goodsShape,
    },
  ),
  note: made(madeTextOrNone, { words: "The buyer's note; null once anonymised." }),
  /** The shop's own note. */
  merchantNote: written(nullable(text(5000)), { words: "The shop's own note." }),
  receivedAt: made(madeTime, {
    words: 'Time at which the statement was sent; it counts for the period.',
    example: received,
  }),
  dueAt: made(madeTime, {
    words: 'Time until which the money has to be given back: 14 days after `receivedAt`.',
    example: '2026-12-04T12:00:00.000Z',
  }),
  updatedAt: made(madeTime, { words: 'Time of the last change, UTC.', example: '2026-11-20T12:30:00.000Z' }),
};

export const withdrawalEntity = entity(shape, {
  words: 'A statement of a buyer that a contract is withdrawn from.',
  strict: true,
  update: {
    words: 'Changes of a withdrawal: absent fields keep their values.',
    example: { status: 'closed', merchantNote: 'The parcel is back.' },
  },
});

/** A statement of a buyer that a contract is withdrawn from, as every interface answers it. */
export type Withdrawal = Entity<typeof shape>;
export type WithdrawalChanges = Changes<typeof shape>;

export const receivedWithdrawalAnswer = once(() =>
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.withdrawal),
      receivedAt: time('Time at which the statement was received, UTC. It confirms the receipt only.', received),
    })
    .meta({ description: 'The receipt of a withdrawal. It is the same whether or not there is such an order.' }),
);

/** The receipt of a withdrawal, the same whether or not there is such an order. */
export type ReceivedWithdrawal = z.output<ReturnType<typeof receivedWithdrawalAnswer>>;

/** A text in one line, because it is quoted in mails: a stranger must not be able to write paragraphs there. */
const line = (max: number) =>
  textRule(max, 1)
    .transform((value) => value.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim())
    .refine((value) => value !== '', ruled('must not be blank', 'REQUIRED'));

const goods = fields({
  /** The product, by its id; or `sku`. */
  productId: textRule(64, 1)
    .refine(isId, ruled('must be the id of a product', 'WRONG_TYPE'))
    .optional()
    .describe('The product, by its id; or `sku`.'),
  /** The product, by its SKU; or `productId`. */
  sku: line(255).optional().describe('The product, by its SKU; or `productId`.'),
  /** Pieces. 1 to 1,000,000. */
  quantity: integer(1, 1_000_000).describe('Pieces.'),
}).refine(
  (one) => (one.productId === undefined) !== (one.sku === undefined),
  ruled('must name its product by either productId or sku', 'CONFLICTING'),
);

export const WithdrawalFields = noted(
  strictly(
    fields({
      /** The name of the buyer; empty once anonymised. */
      name: line(100).optional().describe('The name of the buyer. Required, unless the request has an `Order-Token`.'),
      /** Where the acknowledgement goes; empty once anonymised. */
      email: emailAddress
        .optional()
        .describe('Where the acknowledgement goes. Required, unless the request has an `Order-Token`.'),
      /** The order, as the buyer wrote it. */
      orderNumber: line(64)
        .optional()
        .describe('The order, as the buyer writes it. Required, unless the request has an `Order-Token`.'),
      /** The goods, if it is not the whole order. They are not checked. */
      items: z
        .array(goods, 'must be a list of {sku, quantity}')
        .max(maxCheckoutItems, `must have at most ${maxCheckoutItems} entries`)
        .default([])
        .describe('The goods, if it is not the whole order. At most 100.'),
      /** The buyer's note; null once anonymised. */
      note: textRule(1000)
        .nullable()
        .default(null)
        .describe('What else the buyer wants to say. No reason is required.'),
    }),
    receivedWithdrawalAnswer,
  ),
  {
    description: 'A statement of a buyer that a contract is withdrawn from.',
    fields: { email: { format: 'email' } },
    example: { name: 'Ada Lovelace', email: 'ada@shop.test', orderNumber: '1001' },
  },
);
export type WithdrawalInput = z.input<typeof WithdrawalFields>;
export type WithdrawalDraft = z.output<typeof WithdrawalFields>;

export const WithdrawalQuery = noted(
  fields({
    ...paging,
    /** Withdrawals of this status. */
    status: oneOf(withdrawalStatuses).optional().describe('Withdrawals of this status.'),
    /** Those of an order. */
    orderId: textRule(64, 1).optional().describe('Those of an order.'),
  }),
  { description: 'Filters of a list of withdrawals.' },
);
export type WithdrawalQueryInput = z.input<typeof WithdrawalQuery>;
