import type * as z from 'zod';
import { fields, text } from '../../kernel/parse.ts';
import { apiBase, credential, secret } from '../credentials.ts';

export const PayPalSettings = fields({
  /** The client id of the app, from its page at developer.paypal.com. */
  clientId: credential,
  /** The secret of the same app. */
  clientSecret: secret,
  /** The webhook's id as PayPal lists it; never taken from a notification. */
  webhookId: text(255, 1),
  /** The account that must be paid; when absent, money to any account counts. */
  merchantId: text(64, 1).optional(),
  /** Address of PayPal's API, without a path: `https://api-m.paypal.com` by default, `https://api-m.sandbox.paypal.com` for tests. */
  apiBase: apiBase.default('https://api-m.paypal.com'),
});
export type PayPalSettings = z.output<typeof PayPalSettings>;
