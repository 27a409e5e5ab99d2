import type { Schemas } from '../../api/types.ts';

export type ProviderName = Schemas['PaymentProvider']['provider'];

/** A setting of a provider: its name there, and where to find it. */
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

/** Settings of each provider, in the words of its own pages. */
export const setups: Record<ProviderName, Setup> = {
  stripe: {
    settings: [
      {
        name: 'webhookSecret',
        label: 'Signing secret',
        where: 'Workbench, Webhooks, your endpoint: begins with whsec_',
        isSecret: true,
        isRequired: true,
      },
      {
        name: 'secretKey',
        label: 'Secret key',
        where: 'Developers, API keys: sk_live_…, or sk_test_… to try it. Required for Stripe payment pages',
        isSecret: true,
      },
    ],
    modes: [],
    place: 'Workbench, Webhooks, Add destination; API version 2026-10-28.endive',
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
      'refund.created',
      'refund.updated',
      'refund.failed',
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
        label: 'Client id',
        where: 'At developer.paypal.com, Apps & Credentials, your app',
        isSecret: true,
        isRequired: true,
      },
      {
        name: 'clientSecret',
        label: 'Client secret',
        where: 'Next to the client id',
        isSecret: true,
        isRequired: true,
      },
      {
        name: 'webhookId',
        label: 'Webhook id',
        where: 'Your app, Webhooks: the id that PayPal shows after you register the address below',
        isRequired: true,
      },
      {
        name: 'merchantId',
        label: 'Merchant id',
        where: 'Account settings, Business information. If set, payments to other accounts do not count',
      },
    ],
    modes: [
      ['https://api-m.paypal.com', 'Real money'],
      ['https://api-m.sandbox.paypal.com', 'Sandbox'],
    ],
    place: 'developer.paypal.com, your app, Webhooks',
    events: [
      'PAYMENT.CAPTURE.COMPLETED',
      'PAYMENT.CAPTURE.PENDING',
      'PAYMENT.CAPTURE.DENIED',
      'PAYMENT.CAPTURE.DECLINED',
      'PAYMENT.CAPTURE.REVERSED',
      'PAYMENT.CAPTURE.REFUNDED',
      'CHECKOUT.ORDER.APPROVED',
      'CHECKOUT.ORDER.COMPLETED',
    ],
  },
  square: {
    settings: [
      {
        name: 'signatureKey',
        label: 'Signature key',
        where: 'At developer.squareup.com, your application, Webhooks, the subscription',
        isSecret: true,
        isRequired: true,
      },
      {
        name: 'notificationUrl',
        label: 'Address registered at Square',
        where: 'The notification address, exactly as you pasted it there; Square signs it',
        isRequired: true,
        placeholder: 'https://',
      },
      {
        name: 'accessToken',
        label: 'Access token',
        where:
          'Your application, Credentials, with ORDERS_READ, ORDERS_WRITE, PAYMENTS_READ and PAYMENTS_WRITE. Required for Square payment pages',
        isSecret: true,
      },
      { name: 'locationId', label: 'Location', where: 'Your application, Locations: the id of your selling location' },
    ],
    modes: [
      ['https://connect.squareup.com', 'Real money'],
      ['https://connect.squareupsandbox.com', 'Sandbox'],
    ],
    place: 'developer.squareup.com, your application, Webhooks; API version 2026-05-20',
    events: ['payment.created', 'payment.updated', 'refund.created', 'refund.updated'],
  },
};
