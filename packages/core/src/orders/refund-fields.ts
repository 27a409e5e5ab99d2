import * as z from 'zod';
import { amount, once, optionalWords, time, words, yesOrNo } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { money } from '../fields/money.ts';
import { noted } from '../fields/notes.ts';
import { isId } from '../kernel/ids.ts';
import { strictly } from '../kernel/known-fields.ts';
import { maxOrderItems } from '../kernel/limits.ts';
import { paging } from '../kernel/paging.ts';
import { fields, flag, integer, oneOf, ruled, text } from '../kernel/parse.ts';

/** Products returned to the stock with a refund: true for everything not yet returned, or quantities per product. */
const Restock = z.union(
  [
    z.boolean(),
    z
      .array(fields({ productId: text(64, 1), quantity: integer(1, 1_000_000) }))
      .max(maxOrderItems, `must have at most ${maxOrderItems} entries`),
  ],
  'must be true, or a list of {productId, quantity}',
);

/** `dispute`: the provider took the money back for the buyer's bank. */
export const refundKinds = ['refund', 'dispute'] as const;
export type RefundKind = (typeof refundKinds)[number];

/** States of a refund: asked for at the provider, made, or not made after all. */
export const refundStatuses = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

const refundShape = () => ({
  /** The provider's id of the refund, or one of our own. */
  refundId: words(
    "The id: the provider's, or a generated one if the service asked for the refund or the provider's is unknown.",
    're_3QNd2eLkdIwHu7ix',
  ),
  /** A decimal string in the order's currency. */
  amount: amount("In the order's currency.", '5.00'),
  /** `pending` counts only once it succeeds. */
  status: z.enum(refundStatuses).meta({
    description: 'A pending refund reduces what can still be refunded, and counts once it succeeds.',
    examples: ['succeeded'],
  }),
  kind: z.enum(refundKinds).meta({
    description: 'Whether the shop gave the money back, or the provider took it back after a dispute.',
    examples: ['refund'],
  }),
  providerRefundId: optionalWords("The provider's id of the refund; null until it is known.", 're_3QNd2eLkdIwHu7ix'),
  error: optionalWords('Why it failed.'),
  reason: optionalWords("The shop's reason.", 'One mug was chipped.'),
  lines: z
    .array(
      z.object({
        itemId: z
          .string()
          .meta({ format: 'uuid', description: 'The line of the order.', examples: [exampleIds.orderItem] }),
        quantity: z.int().meta({ description: 'Pieces.', examples: [1] }),
      }),
    )
    .nullable()
    .meta({ description: 'The pieces that it is for; null when none were named.' }),
  shipping: yesOrNo('Whether it is also for the shipping.', false),
  /** They stay there, also if the refund fails. */
  restocked: yesOrNo('Whether goods returned to the stock with it. They stay there, also if it fails.', false),
  recordedAt: time('Time of recording, UTC.', '2026-11-21T09:00:00.000Z'),
});

/** A refund, as it is answered. */
export const refundAnswer = once(() => z.object(refundShape()).meta({ description: 'A refund of a payment.' }));

/** A refund that failed, as the event tells of it. */
export const failedRefundAnswer = once(() =>
  z
    .object({
      ...refundShape(),
      orderId: z
        .string()
        .meta({ format: 'uuid' })
        .nullable()
        .meta({ description: 'The order; null for money that came for none.', examples: [exampleIds.order] }),
      orderNumber: optionalWords('The number of the order.', 'ORD-1001'),
    })
    .meta({ description: 'A refund that failed, with its order.' }),
);

/** A refund as all interfaces answer it. */
export type RefundRecord = z.output<ReturnType<typeof refundAnswer>>;
export type FailedRefund = z.output<ReturnType<typeof failedRefundAnswer>>;

const amountWords =
  "More than 0, and at most the rest of the total. A decimal string with at most the currency's decimals.";
const executedId = text(255, 1).nullable().optional();

/** The input of a refund in a currency with that many decimals. */
export function refundFields(decimals: number) {
  return noted(
    strictly(
      fields({
        /** More than 0, and at most the rest of the total. A decimal string with at most the currency's decimals. */
        amount: money(decimals).optional().describe(amountWords),
        /** Pieces of the order's lines: instead of `amount`, their share of the total is refunded; with it, they say what it is for. */
        lines: z
          .array(
            fields({ itemId: text(64, 1), quantity: integer(1, 1_000_000) }),
            'must be a list of {itemId, quantity}',
          )
          .min(1, 'must have at least one line')
          .max(maxOrderItems, `must have at most ${maxOrderItems} lines`)
          .nullable()
          .optional()
          .describe(
            "Pieces of the order's lines: instead of `amount`, their share of the total is refunded; with it, they say what it is for.",
          ),
        /** Whether the shipping is refunded, too; once for an order. */
        shipping: flag.optional().describe('Whether the shipping is refunded, too; once for an order.'),
        /** Asks the provider for the refund, which moves the money; requires `payment.write`, too. Otherwise, it only records a refund made there. */
        execute: flag
          .optional()
          .describe(
            'Asks the provider for the refund, which moves the money; requires `payment.write`, too. Otherwise, it only records a refund made there.',
          ),
        /** The shop's reason, kept with the refund and in the audit log. */
        reason: text(1000)
          .nullable()
          .optional()
          .describe("The shop's reason, kept with the refund and in the audit log."),
        /** The provider's id of the refund, which prevents counting its notification again; with `execute`, a UUID of the caller's. */
        refundId: executedId.describe(
          "The provider's id of the refund, which prevents counting its notification again; with `execute`, a UUID of the caller's.",
        ),
        /** Stock to return: `true` for the pieces of `lines`, or, with a refund that completes the total, for everything that the order took and has not returned; or a list of `{productId, quantity}`. */
        restock: Restock.nullable()
          .optional()
          .describe(
            'Stock to return: `true` for the pieces of `lines`, or, with a refund that completes the total, for everything that the order took and has not returned; or a list of `{productId, quantity}`.',
          ),
      })
        .refine((given) => given.amount !== undefined || given.lines || given.shipping, {
          ...ruled('must be given unless lines or shipping are', 'REQUIRED'),
          path: ['amount'],
        })
        .refine((given) => !given.execute || !given.refundId || isId(given.refundId.toLowerCase()), {
          ...ruled('must be a UUID with execute', 'WRONG_TYPE'),
          path: ['refundId'],
        }),
      refundAnswer,
    ),
    {
      description: 'A refund to make, or one that was made at the provider.',
      like: 'Refund',
      fields: {
        amount: { description: amountWords, examples: ['5.00'] },
        refundId: {
          description:
            "The provider's id of the refund, which prevents counting its notification again; with `execute`, a UUID of the caller's.",
        },
      },
      example: { amount: '5.00', execute: true, reason: 'One mug was chipped.' },
    },
  );
}
export type RefundInput = z.input<ReturnType<typeof refundFields>>;
export type RefundDraft = z.output<ReturnType<typeof refundFields>>;

/** The input of a refund of money that paid no order. */
export const PaymentRefundFields = noted(
  strictly(
    fields({
      /** All that is left of the payment when absent. A decimal string in its currency. */
      amount: text(20)
        .optional()
        .describe('All that is left of the payment when absent. A decimal string in its currency.'),
      /** The shop's reason, kept with the refund and in the audit log. */
      reason: text(1000)
        .nullable()
        .optional()
        .describe("The shop's reason, kept with the refund and in the audit log."),
      /** An id chosen by the caller; created when absent. */
      refundId: text(64)
        .transform((id) => id.toLowerCase())
        .refine(isId, ruled('must be a UUID', 'WRONG_TYPE'))
        .optional()
        .describe('An id chosen by the caller; created when absent.'),
    }),
    refundAnswer,
  ),
  {
    description: 'A refund of money that paid no order.',
    fields: {
      amount: {
        description: 'All that is left of the payment when absent. A decimal string in its currency.',
        examples: ['5.00'],
      },
      refundId: { format: 'uuid', description: 'An id chosen by the caller; created when absent.' },
    },
    example: { amount: '5.00', reason: 'Paid twice.' },
  },
);
export type PaymentRefundInput = z.input<typeof PaymentRefundFields>;

export const RefundQuery = noted(
  fields({
    ...paging,
    /** Refunds of this status; failed ones are listed only with `failed`. */
    status: oneOf(refundStatuses)
      .optional()
      .describe('Refunds of this status; failed ones are listed only with `failed`.'),
  }),
  { description: 'Filters of the refunds of an order.' },
);
export type RefundQueryInput = z.input<typeof RefundQuery>;
