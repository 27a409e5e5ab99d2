import type { Minor } from '../kernel/money.ts';
import type { AddressSnapshot } from '../orders/fields.ts';
import type { AttemptNotice } from './notice.ts';

/** A line of the buyer's page. Amounts in minor units. */
export interface PageLine {
  name: string;
  sku: string | null;
  quantity: number;
  unitPrice: Minor;
  /** `unitPrice × quantity` less the discount of the line. */
  total: Minor;
}

/** The amount a buyer pays, in the form sent to a provider. Amounts in minor units of `currency`, which has `decimals` decimals. */
export interface PageRequest {
  /**
   * Id of the checkout: the idempotency key of every call about its page. A later request with the same id has to be the same in
   * everything but `now`, or the provider refuses it.
   */
  checkoutId: string;
  orderId: string;
  orderNumber: string;
  storeName: string;
  currency: string;
  decimals: number;
  lines: readonly PageLine[];
  /** The sum of the lines. */
  subtotal: Minor;
  /** Discount of the whole order; at most the subtotal. */
  discount: Minor;
  shipping: Minor;
  shippingName: string | null;
  tax: Minor;
  /** True when prices and shipping contain the tax, which is then not added. */
  taxIncluded: boolean;
  total: Minor;
  customer: { email: string; name: string | null; phone: string | null };
  shippingAddress: AddressSnapshot | null;
  /** The buyer returns here after paying. PayPal takes no money before that, so for PayPal this is our own address that captures. */
  successUrl: string;
  cancelUrl: string;
  /** Time of the checkout's creation, in milliseconds. */
  createdAt: number;
  /** Time at which the page has to end. If the provider cannot end it then, `close` does. */
  expiresAt: number;
  now: number;
}

/** A page at a provider for paying. */
export interface ProviderPage {
  /** The provider's id: Stripe's session, PayPal's order, Square's payment link. */
  id: string;
  /** The provider's own order if it has another id, as at Square. */
  providerOrder: string | null;
  /** Address that the buyer is sent to. */
  url: string;
  /** The amount that the provider says it will charge, in minor units of the order's currency. Null if it is not a whole number. */
  amount: Minor | null;
  currency: string;
}

/** Ids of a page, by which it is found again. */
export type PageIds = Pick<ProviderPage, 'id' | 'providerOrder'>;

/**
 * Result of capturing the money that a buyer approved. `pending`: the provider decides later. `notApproved`: the buyer has not agreed yet.
 * `declined`: the buyer can pay another way on the same page. `expired`: the page is gone. `final`: this page can never take money.
 */
export type Capture =
  | {
      outcome: 'captured' | 'pending';
      /** The notice that the provider's notification of this capture gives. */
      notice: AttemptNotice;
    }
  | { outcome: 'notApproved' | 'declined' | 'expired' | 'final' };

/**
 * The pages of one provider. Every function calls the provider, with 10 s per try and up to two tries, so never call one inside a
 * transaction.
 * @throws CommerceError `unavailable` when the provider cannot be reached, takes too long, fails or limits our calls; `validation`, naming
 * the field of a checkout, when it refuses the buyer's input.
 * @throws ProviderSettingsError when it refuses the settings, or a request that no input of the buyer explains.
 */
export interface CheckoutPages<Settings> {
  /** True when pages can be made with these settings. */
  ready(settings: Settings): boolean;
  /** The decimals of a currency in which the provider charges. A total with more of them cannot be paid there. */
  chargedDecimals(currency: string, decimals: number): number;
  /** Creates the page, or finds the one that an earlier call with the same `checkoutId` created. */
  open(request: PageRequest, settings: Settings): Promise<ProviderPage>;
  /**
   * Ends the page: payment there becomes impossible. PayPal's pages cannot be ended, but without a capture they take no money.
   * @returns `paid` when the provider says that it was paid already
   */
  close(page: PageIds, settings: Settings, now: number): Promise<'closed' | 'paid'>;
  /** True when the buyer has approved the payment, and for a page that is gone. `capture` tells the two apart. */
  isApproved?(page: Pick<ProviderPage, 'id'>, settings: Settings, now: number): Promise<boolean>;
  /**
   * Captures the money that a buyer approved, for providers that do not do so themselves. The same attempt again gives the same result.
   * @param attempt counts from 1; a new one is needed after `declined`
   */
  capture?(page: Pick<ProviderPage, 'id'>, attempt: number, settings: Settings, now: number): Promise<Capture>;
}

/** The provider refuses the settings, or what it was sent because of them. `message` gives its reason, without a secret. */
export class ProviderSettingsError extends Error {
  override readonly name = 'ProviderSettingsError';
}
