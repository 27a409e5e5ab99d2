import type { IncomingHttpHeaders } from 'node:http';
import type { AttemptNotice, PaymentNotice } from './notice.ts';

export const providerNames = ['stripe', 'paypal', 'square'] as const;
export type ProviderName = (typeof providerNames)[number];

/** A notification as it arrived: what is signed is these bytes, not what they parse to. */
export interface RawNotification {
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/** What is known when a provider is asked for more. */
export interface Lookup {
  /** The payment names an order that does not exist yet and may be made, so what was bought has to be found out. */
  makeOrder: boolean;
  now: number;
}

/**
 * What one provider does its own way. Verifying and completing may ask the provider, so both may wait, and neither runs inside a
 * transaction.
 */
export interface Provider<Settings> {
  readonly name: ProviderName;
  /**
   * True when the notification was signed with these settings' secret and, where the provider signs the time, is recent.
   * Compares in constant time.
   * @throws CommerceError `unavailable` when the provider has to be asked and could not be.
   */
  verify(notification: RawNotification, settings: Settings, now: number): Promise<boolean>;
  /**
   * False when headers and clock alone show that the notification is not genuine: found out at no cost, before a secret is tried
   * or the provider asked.
   */
  plausible(notification: RawNotification, settings: Settings, now: number): boolean;
  /** Equal for settings of two stores for which one verdict holds, so that it is found out once. */
  account(settings: Settings): string;
  /** Whether verifying asks the provider, which costs a call. */
  readonly asks: boolean;
  /** Reads a verified notification. @throws CommerceError `validation` when it is not an event of this provider. */
  read(event: unknown): Promise<PaymentNotice>;
  /**
   * The notice of a payment that succeeded, with what the provider tells only when asked.
   * @throws CommerceError `unavailable` when it is needed and the provider could not be asked.
   */
  complete?(notice: AttemptNotice, event: unknown, settings: Settings, lookup: Lookup): Promise<AttemptNotice>;
}
