import * as z from 'zod';
import { amount, id, once, optionalId, optionalTime, optionalWords, time, words, yesOrNo } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { instant } from '../fields/instant.ts';
import { money } from '../fields/money.ts';
import { noted } from '../fields/notes.ts';
import { strictly } from '../kernel/known-fields.ts';
import { paging } from '../kernel/paging.ts';
import { fields, flag, oneOf, queryFlag, ruled, secretOf, text } from '../kernel/parse.ts';
import type { OrderStatus } from '../orders/fields.ts';
import { stripeMethodNames } from '../providers/stripe/methods.ts';
import {
  disputeStatuses,
  type Matched,
  matchedValues,
  paymentStates,
  providerNames,
} from '../storage/tables/payments.ts';

/** Values of `matched` that need attention. */
export const unmatchedValues = [
  'second',
  'mismatch',
  'wrongPayee',
  'cancelledOrder',
  'insufficientStock',
  'none',
] as const satisfies readonly Matched[];

/** Sources of payments: a provider's notifications, or the shop itself (`manual`). */
export const paymentSources = [...providerNames, 'manual'] as const;
export type PaymentSource = (typeof paymentSources)[number];

export const disputeAnswer = once(() =>
  z
    .object({
      id: words("The provider's id of the dispute.", 'du_1QNd2eLkdIwHu7ixD4Z8pQvT'),
      amount: amount('The disputed amount.', '32.00'),
      reason: optionalWords("The provider's word for the reason, in lower case.", 'product_not_received'),
      status: z.enum(disputeStatuses).meta({
        description:
          '`open`; `won`: closed, and the shop keeps the money; `lost`: closed, and the buyer has the money. Early warnings are `open`.',
        examples: ['open'],
      }),
      dueAt: optionalTime(
        'Time until which the shop can answer at the provider; null if no answer is expected.',
        '2026-12-04T23:59:59.000Z',
      ),
      updatedAt: time("The provider's time of the last change, UTC."),
    })
    .meta({ description: 'A dispute of a payment: the buyer wants the money back from the bank or the provider.' }),
);

export const paymentAnswer = once(() =>
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.payment),
      storeId: id('The store it belongs to.', exampleIds.store),
      provider: z.enum(paymentSources).meta({
        description: 'The source of the payment; `manual` for one recorded by the shop.',
        examples: ['stripe'],
      }),
      providerPaymentId: words("The provider's id of the payment.", 'pi_3QNd2eLkdIwHu7ix0Xy1ZaBc'),
      relatedIds: z
        .object({
          intent: z.exactOptional(words('The payment intent.', 'pi_3QNd2eLkdIwHu7ix0Xy1ZaBc')),
          charge: z.exactOptional(words('The charge.', 'ch_3QNd2eLkdIwHu7ix0Xy1ZaBc')),
          session: z.exactOptional(words('The checkout session.', 'cs_test_a1b2c3')),
          capture: z.exactOptional(words('The capture.', '3C679366HH908993F')),
          order: z.exactOptional(words("The provider's own order.", '5O190127TN364715T')),
        })
        .meta({ description: 'Further ids of the payment at the provider.' }),
      /** The order to be paid, which need not exist yet; null while none is named. */
      orderId: optionalId(
        'The order to be paid, whether it exists yet or not; null while none is named.',
        exampleIds.order,
      ),
      status: z.enum(paymentStates).meta({ description: 'State at the provider.', examples: ['succeeded'] }),
      /** Last reported amount: due or, after success, captured. Null when it cannot be read. */
      amount: amount('Amount due or, after success, captured; null when it cannot be read.', '32.00').nullable(),
      currency: words('ISO 4217; null when none was named.', 'EUR').nullable(),
      capturedAmount: amount('The captured amount.', '32.00'),
      refundedAmount: amount('The refunded amount, with money that disputes have taken.', '0.00'),
      disputes: z.array(disputeAnswer()).meta({ description: 'Disputes of the buyer, oldest first.', examples: [[]] }),
      /** Null until it succeeds. */
      matched: z
        .enum(matchedValues)
        .nullable()
        .meta({
          description:
            'Result of the money; null until it succeeds. `paid`: it paid its order; `none`: no order is known for it; `second`: another payment has paid the order; `mismatch`: amount or currency differ; `wrongPayee`: it went to another account; `cancelledOrder`: a person cancelled the order; `insufficientStock`: the order waits for stock; `refunded`: refunded before it could pay; `dismissed`: somebody decided that it needs no order.',
          examples: ['paid'],
        }),
      /** The provider's type of payment method or, for a payment recorded by the shop, the shop's own word. */
      method: optionalWords("The provider's type of payment method, or the shop's own word.", 'card'),
      /** The shop's note on a payment that it recorded, such as the number of a bank statement. */
      reference: optionalWords("The shop's note on a payment that it recorded."),
      dismissedAt: optionalTime('Time of the dismissal.'),
      /** Time of the success. */
      paidAt: optionalTime('Time of the success.', '2026-11-20T12:05:00.000Z'),
      createdAt: time('Time of the first report, UTC.'),
      updatedAt: time('Time of the last change, UTC.', '2026-11-20T12:05:00.000Z'),
    })
    .meta({ description: 'An attempt to pay reported by a provider, or a payment recorded by the shop.' }),
);

/** A payment as every interface answers it. Amounts are decimal strings in `currency`. */
export type Payment = z.output<ReturnType<typeof paymentAnswer>>;

export const PaymentQuery = noted(
  fields({
    ...paging,
    /** Payments with this `matched`. */
    matched: oneOf(matchedValues).optional().describe('Payments with this `matched`.'),
    /** Payments with this status at their provider. */
    status: oneOf(paymentStates).optional().describe('Payments with this status at their provider.'),
    /** Payments of this provider, or `manual`. */
    provider: oneOf(paymentSources).optional().describe('Payments of this provider, or `manual`.'),
    /** The payments of an order, whether it exists yet or not. */
    orderId: text(64, 1).optional().describe('The payments of an order, whether it exists yet or not.'),
    /** With `true`, only money that needs attention: not paid, refunded or dismissed. */
    unmatched: queryFlag
      .optional()
      .describe('With `true`, only money that needs attention: not paid, refunded or dismissed.'),
    /** With `true`, only payments with an open dispute. */
    disputed: queryFlag.optional().describe('With `true`, only payments with an open dispute.'),
  }),
  {
    description: 'Filters of a list of payments.',
  },
);
export type PaymentQueryInput = z.input<typeof PaymentQuery>;

export const ApplyFields = noted(
  fields({
    /** An order that is pending, expired or shipped unpaid. */
    orderId: text(64, 1).meta({
      format: 'uuid',
      description: 'An order that is pending, expired or shipped unpaid.',
      examples: [exampleIds.order],
    }),
  }),
  {
    description: 'The order that a payment is to pay.',
    example: { orderId: '0193d3f0-4bb8-7168-ba4b-50d273910fcc' },
  },
);
export type ApplyInput = z.input<typeof ApplyFields>;

export const DismissFields = noted(
  fields({
    /** For the audit log. */
    reason: text(1000).nullable().optional().describe('For the audit log.'),
  }),
  {
    description: 'The dismissal of a payment that needs no order.',
    example: { reason: 'Sent back by bank transfer.' },
  },
);
export type DismissInput = z.input<typeof DismissFields>;

/** The input of a payment recorded by the shop, in a currency with that many decimals. */
export function manualPaymentFields(decimals: number) {
  return noted(
    strictly(
      fields({
        /** The way of payment, in a-z and _. */
        method: text(40, 1).refine(
          (method) => /^[a-z_]+$/.test(method),
          ruled('must consist of a-z and _, such as "transfer"', 'NOT_A_SLUG'),
        ),
        /** The total of the order. A decimal string with at most the currency's decimals. */
        amount: money(decimals).describe(
          "The total of the order. A decimal string with at most the currency's decimals.",
        ),
        /** A reference for finding it, such as the number of a bank statement. */
        reference: text(255)
          .nullable()
          .optional()
          .describe('A reference for finding it, such as the number of a bank statement.'),
        /** Time of the payment, not in the future; now when absent. */
        paidAt: instant.nullable().optional().describe('Time of the payment, not in the future; now when absent.'),
      }),
      paymentAnswer,
    ),
    {
      description: 'A payment that did not come through a provider.',
      fields: {
        method: { description: 'The way of payment, in a-z and _.', examples: ['transfer'], pattern: '^[a-z_]+$' },
        amount: { examples: ['32.00'] },
        // Zod's pattern adds nothing to the format, at ten times its length.
        paidAt: { pattern: undefined },
      },
      example: { method: 'transfer', amount: '32.00', reference: 'statement 117' },
    },
  );
}
export type ManualPaymentInput = z.input<ReturnType<typeof manualPaymentFields>>;

/** The facts of an order that a decision needs. */
export interface OrderFacts {
  status: OrderStatus;
  /** True when it was cancelled because no payment came in time, not by a person. */
  expired: boolean;
  /** True once a payment has paid it, whatever happened since. */
  paid: boolean;
  /** In minor units. */
  total: number;
  currency: string;
}

const setting = secretOf(text(2048)).nullable().optional();
const plainSetting = text(2048).nullable().optional();

export const paymentProviderAnswer = once(() =>
  z
    .object({
      storeId: id('The store it belongs to.', exampleIds.store),
      provider: z.enum(providerNames).meta({ description: 'The provider.', examples: ['stripe'] }),
      /** True when a payment that describes its items creates the order that it names. */
      makeOrders: yesOrNo('Whether a payment that describes its items creates the order that it names.', false),
      /** Its settings by their names; of a secret its last four characters alone, and none of a short one. Null when they are encrypted with another key than the service has. */
      settings: z
        .record(
          z.string(),
          z.union([z.string(), z.boolean(), z.array(z.string()), z.object({ lastFour: z.string().nullable() })]),
        )
        .nullable()
        .meta({
          description:
            'Its settings; of a secret only the last four characters, and null for a short one. Null if they are encrypted with a key that the service does not have.',
          examples: [{ webhookSecret: { lastFour: '9xYz' }, secretKey: { lastFour: 'kL2m' } }],
        }),
      /** Whether buyers can be sent to a page of the provider. */
      hasPages: yesOrNo('Whether buyers can be sent to a page of the provider.', true),
      /** Whether the settings are of the provider's test mode; null if unknown. */
      testMode: z
        .boolean()
        .nullable()
        .meta({
          description: "Whether the settings are of the provider's test mode; null if unknown.",
          examples: [true],
        }),
      updatedAt: time('Time of the last change, UTC.'),
    })
    .meta({ description: 'A payment provider as the store has configured it. Secrets are never answered.' }),
);

/** A provider as a store has configured it. Secrets are never answered. */
export type PaymentProvider = z.output<ReturnType<typeof paymentProviderAnswer>>;

const endpointStatuses = [
  'ok',
  'missing',
  'off',
  'incomplete',
  'refused',
  'unreachable',
  'unknown',
  'noKey',
  'unreadable',
] as const;

export const endpointCheckAnswer = once(() =>
  z
    .object({
      /** Address of this service for the provider; null while the public address of the service is not known. */
      url: optionalWords(
        'Address of this service for the provider; null while the public address of the service is not known.',
        'https://shop.example/api/webhooks/stripe/0193d3ef-c080-7057-a93a-4fc162809ebd',
      ),
      status: z.enum(endpointStatuses).meta({
        description:
          '`ok`; `missing`: no endpoint has the address; `off`: the provider sends nothing to it; `incomplete`: it does not send some events; `refused`: the key lacks rights; `unreachable`: the provider gave no answer; `unknown`: the public address of the service is not known; `noKey`: the settings have no key to ask with; `unreadable`: they are encrypted with another key than the service has.',
        examples: ['ok'],
      }),
      /** Events that the service reads and the provider does not send. */
      missingEvents: z.array(z.string()).meta({
        description: 'Events that the service reads and the provider does not send.',
        examples: [['refund.failed']],
      }),
      /** Events that the provider sends and the service does not read. They do no harm. */
      otherEvents: z.array(z.string()).meta({
        description: 'Events that the provider sends and the service does not read. They do no harm.',
        examples: [[]],
      }),
      /** Rights that the key lacks, each with the reason of the provider. */
      missingRights: z
        .array(z.object({ right: z.string(), reason: z.string() }))
        .meta({ description: 'Rights that the key lacks, each with the reason of the provider.', examples: [[]] }),
      message: words('The result in a sentence.', 'the endpoint we_1Q2 sends every event'),
    })
    .meta({ description: "A provider's endpoint of notifications, compared with what the service needs." }),
);

/** A provider's endpoint of notifications, compared with what the service needs. */
export type EndpointCheck = z.output<ReturnType<typeof endpointCheckAnswer>>;

/** The settings of all providers; each provider then checks its own. A message quotes only values known not to be secret. */
export const PaymentProviderFields = noted(
  strictly(
    fields({
      /** Whether a payment that describes its items creates the order that it names. */
      makeOrders: flag
        .optional()
        .describe('Whether a payment that describes its items creates the order that it names.'),
      /** Stripe, required: the signing secret of the endpoint, `whsec_…`. */
      webhookSecret: setting.describe('Stripe, required: the signing secret of the endpoint, `whsec_…`.'),
      /** Stripe: the secret or restricted key, which opens pages to pay at. */
      secretKey: setting.describe('Stripe: the secret or restricted key, which opens pages to pay at.'),
      /** PayPal, required: the client id of the app. */
      clientId: plainSetting.describe('PayPal, required: the client id of the app.'),
      /** PayPal, required: its secret. */
      clientSecret: setting.describe('PayPal, required: its secret.'),
      /** PayPal, required: the id of the webhook as PayPal lists it. */
      webhookId: plainSetting.describe('PayPal, required: the id of the webhook as PayPal lists it.'),
      /** PayPal: the account that has to be paid. */
      merchantId: plainSetting.describe('PayPal: the account that has to be paid.'),
      /** Square, required: the signature key of the webhook subscription. */
      signatureKey: setting.describe('Square, required: the signature key of the webhook subscription.'),
      /** Square, required: its address exactly as registered. */
      notificationUrl: plainSetting.describe('Square, required: its address exactly as registered.'),
      /** Square: opens pages to pay at, with a location. */
      accessToken: setting.describe('Square: opens pages to pay at, with a location.'),
      /** Square: the location that sells. */
      locationId: plainSetting.describe('Square: the location that sells.'),
      /** Origin of the provider's API: its live one when left out, or that of its sandbox. */
      apiBase: plainSetting.describe(
        "Origin of the provider's API: its live one when left out, or that of its sandbox.",
      ),
      /** Stripe: the ways to pay that its pages offer, such as `card`, `link` and `ideal`. Stripe leaves out what does not fit. */
      methods: z
        .array(oneOf(stripeMethodNames), 'must be a list of methods')
        .max(stripeMethodNames.length, `must have at most ${stripeMethodNames.length} methods`)
        .optional()
        .describe(
          'Stripe: the ways to pay that its pages offer, such as `card`, `link` and `ideal`. Stripe leaves out what does not fit.',
        ),
      /** Stripe: allows methods whose money comes, or fails, days later, such as `sepa_debit`. */
      allowDelayed: flag
        .optional()
        .describe('Stripe: allows methods whose money comes, or fails, days later, such as `sepa_debit`.'),
    }),
    paymentProviderAnswer,
  ),
  {
    description:
      'Settings of a provider: absent fields keep their values, null removes an optional one. Each provider has its own.',
    example: { webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  },
);
export type PaymentProviderInput = z.input<typeof PaymentProviderFields>;
