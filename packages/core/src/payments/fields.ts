import * as z from 'zod';
import type { OrderStatus } from '../orders/fields.ts';
import { paging } from '../paging.ts';
import { documented, fields, flag, oneOf, queryFlag, secretOf, text } from '../parse.ts';
import { money } from '../resources/money.ts';
import type * as described from '../schemas/described.ts';
import { providerNames } from './provider.ts';

/** State of a payment at its provider. */
export const paymentStates = ['processing', 'succeeded', 'failed', 'cancelled'] as const;
export type PaymentState = (typeof paymentStates)[number];

/**
 * Result of received money. `paid`: it paid its order. `none`: no order of this store is known for it. `second`: another
 * payment paid the order. `mismatch`: amount or currency differ from the order's. `wrongPayee`: the money went to another
 * account than the shop's. `cancelledOrder`: a person cancelled the order. `insufficientStock`: the order waits for stock.
 * `refunded`: all of it was refunded before it could pay. `dismissed`: a person decided that it needs no order.
 */
export const matchedValues = [
  'paid',
  'second',
  'mismatch',
  'wrongPayee',
  'cancelledOrder',
  'insufficientStock',
  'refunded',
  'none',
  'dismissed',
] as const;
export type Matched = (typeof matchedValues)[number];

/** Values of `matched` that need somebody's attention. */
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

/** Further ids of the payment at its provider. `order` is the provider's own order, which may have several payments. */
export interface RelatedIds {
  intent?: string;
  charge?: string;
  session?: string;
  capture?: string;
  order?: string;
}

/** A payment as every interface answers it. Amounts are decimal strings in `currency`. */
export interface Payment {
  id: string;
  storeId: string;
  provider: PaymentSource;
  providerPaymentId: string;
  relatedIds: RelatedIds;
  /** The order to be paid, which need not exist yet; null while none is named. */
  orderId: string | null;
  status: PaymentState;
  /** Last reported amount: due or, after success, captured. Null when it cannot be read. */
  amount: string | null;
  currency: string | null;
  capturedAmount: string;
  refundedAmount: string;
  /** Null until it succeeds. */
  matched: Matched | null;
  /** The provider's type of payment method or, for a payment recorded by the shop, the shop's own word. */
  method: string | null;
  /** The shop's note on a payment that it recorded, such as the number of a bank statement. */
  reference: string | null;
  dismissedAt: string | null;
  /** Time of the success. */
  paidAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export const PaymentQuery = fields({
  ...paging,
  matched: oneOf(matchedValues).optional(),
  status: oneOf(paymentStates).optional(),
  provider: oneOf(paymentSources).optional(),
  orderId: text(64, 1).optional(),
  /** Only payments with one of `unmatchedValues`. */
  unmatched: queryFlag.optional(),
});
export type PaymentQueryInput = described.PaymentQueryInput & z.input<typeof PaymentQuery>;

export const ApplyFields = fields({ orderId: text(64, 1) });
export type ApplyInput = described.ApplyInput & z.input<typeof ApplyFields>;

export const DismissFields = fields({ reason: text(1000).nullable().optional() });
export type DismissInput = described.DismissInput & z.input<typeof DismissFields>;

/** An instant such as `2026-11-20T12:00:00Z`, in milliseconds. */
const instant = documented(
  z.iso
    .datetime({ offset: true, error: 'must be an instant such as "2026-11-20T12:00:00Z"' })
    .transform((value) => Date.parse(value)),
  { type: 'string', format: 'date-time' },
);

/** The input of a payment recorded by the shop, in a currency with that many decimals. */
export function manualPaymentFields(decimals: number) {
  return fields({
    method: text(40, 1).refine((method) => /^[a-z_]+$/.test(method), 'must consist of a-z and _, such as "transfer"'),
    amount: money(decimals),
    reference: text(255).nullable().optional(),
    paidAt: instant.nullable().optional(),
  });
}
export type ManualPaymentInput = described.ManualPaymentInput & z.input<ReturnType<typeof manualPaymentFields>>;

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

/** Settings of all providers; which of them one takes is checked with its own. No message repeats one but those known to be no secret. */
export const PaymentProviderFields = fields({
  makeOrders: flag.optional(),
  webhookSecret: setting,
  secretKey: setting,
  clientId: plainSetting,
  clientSecret: setting,
  webhookId: plainSetting,
  merchantId: plainSetting,
  signatureKey: setting,
  notificationUrl: plainSetting,
  accessToken: setting,
  locationId: plainSetting,
  apiBase: plainSetting,
});
export type PaymentProviderInput = described.PaymentProviderInput & z.input<typeof PaymentProviderFields>;
