import type { Schemas } from '../../api/types.ts';
import { t } from '../../words/words.ts';

export type ProviderName = Schemas['PaymentProvider']['provider'];

/** A setting of a provider: its name on the pages of the provider, and where to find it there. */
export interface Setting {
  name: SettingName;
  label: string;
  where: string;
  isSecret?: boolean;
  isRequired?: boolean;
  placeholder?: string;
}

export type SettingName =
  | 'webhookSecret'
  | 'secretKey'
  | 'clientId'
  | 'clientSecret'
  | 'webhookId'
  | 'merchantId'
  | 'signatureKey'
  | 'notificationUrl'
  | 'accessToken'
  | 'locationId'
  | 'apiBase';

export interface Setup {
  settings: readonly Setting[];
  /** Addresses of the provider's API, the production one first; empty if the key determines the address. */
  modes: readonly (readonly [apiBase: string, label: string])[];
  /** Where to paste the address of notifications. */
  place: string;
  events: readonly string[];
}

const words = t.payments.setup;

/** Settings of each provider, in the words of its own pages. */
export const setups: Record<ProviderName, Setup> = {
  stripe: {
    settings: [
      {
        name: 'webhookSecret',
        ...words.stripe.webhookSecret,
        isSecret: true,
        isRequired: true,
      },
      {
        name: 'secretKey',
        ...words.stripe.secretKey,
        isSecret: true,
      },
    ],
    modes: [],
    place: words.stripe.place('2026-10-28.endive'),
    events: [
      'payment_intent.succeeded',
      'payment_intent.processing',
      'payment_intent.payment_failed',
      'payment_intent.canceled',
      'charge.succeeded',
      'charge.captured',
      'charge.updated',
      'charge.failed',
      'charge.refunded',
      'charge.refund.updated',
      'refund.created',
      'refund.updated',
      'refund.failed',
      'charge.dispute.created',
      'charge.dispute.updated',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.funds_reinstated',
      'charge.dispute.closed',
      'checkout.session.completed',
      'checkout.session.async_payment_succeeded',
      'checkout.session.async_payment_failed',
      'checkout.session.expired',
    ],
  },
  paypal: {
    settings: [
      {
        name: 'clientId',
        ...words.paypal.clientId,
        isSecret: true,
        isRequired: true,
      },
      {
        name: 'clientSecret',
        ...words.paypal.clientSecret,
        isSecret: true,
        isRequired: true,
      },
      {
        name: 'webhookId',
        ...words.paypal.webhookId,
        isRequired: true,
      },
      {
        name: 'merchantId',
        ...words.paypal.merchantId,
      },
    ],
    modes: [
      ['https://api-m.paypal.com', t.payments.providers.live],
      ['https://api-m.sandbox.paypal.com', t.payments.providers.sandbox],
    ],
    place: words.paypal.place,
    events: [
      'PAYMENT.CAPTURE.COMPLETED',
      'PAYMENT.CAPTURE.PENDING',
      'PAYMENT.CAPTURE.DENIED',
      'PAYMENT.CAPTURE.DECLINED',
      'PAYMENT.CAPTURE.REVERSED',
      'PAYMENT.CAPTURE.REFUNDED',
      'CUSTOMER.DISPUTE.CREATED',
      'CUSTOMER.DISPUTE.UPDATED',
      'CUSTOMER.DISPUTE.RESOLVED',
      'CHECKOUT.ORDER.APPROVED',
      'CHECKOUT.ORDER.COMPLETED',
    ],
  },
  square: {
    settings: [
      {
        name: 'signatureKey',
        ...words.square.signatureKey,
        isSecret: true,
        isRequired: true,
      },
      {
        name: 'notificationUrl',
        ...words.square.notificationUrl,
        isRequired: true,
        placeholder: 'https://',
      },
      {
        name: 'accessToken',
        ...words.square.accessToken,
        isSecret: true,
      },
      { name: 'locationId', ...words.square.locationId },
    ],
    modes: [
      ['https://connect.squareup.com', t.payments.providers.live],
      ['https://connect.squareupsandbox.com', t.payments.providers.sandbox],
    ],
    place: words.square.place('2026-05-20'),
    events: [
      'payment.created',
      'payment.updated',
      'refund.created',
      'refund.updated',
      'dispute.created',
      'dispute.state.updated',
    ],
  },
};

/** The modes, including an address that was set by a command. */
export function withStored(modes: Setup['modes'], stored = ''): Setup['modes'] {
  return stored === '' || modes.some(([address]) => address === stored) ? modes : [...modes, [stored, stored]];
}
