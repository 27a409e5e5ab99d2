import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderName } from '../storage/tables/payments.ts';
import type { AttemptNotice, PaymentNotice } from './notice.ts';

/** A notification as received. The signature covers these bytes, not the parsed JSON. */
export interface RawNotification {
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/** Facts for completing a notice. */
export interface Lookup {
  /** True when the named order does not exist and this payment can create it, which requires its items. */
  makeOrder: boolean;
  now: number;
}

/** Adapter of one provider. Verifying and completing can call the provider, so neither runs inside a transaction. */
export interface Provider<Settings> {
  readonly name: ProviderName;
  /**
   * True when the notification was signed with these settings' secret and, if the provider signs the time, is recent. Compares in constant
   * time.
   * @throws CommerceError `unavailable` when the provider must be called and cannot be reached
   */
  verify(notification: RawNotification, settings: Settings, now: number): Promise<boolean>;
  /**
   * False when headers and clock already show that the notification is not genuine. Costs nothing, so it is checked before a secret is
   * tried or the provider called.
   */
  plausible(notification: RawNotification, settings: Settings, now: number): boolean;
  /** Key of the account. Settings of two stores with the same key verify the same notifications, so one check serves both. */
  account(settings: Settings): string;
  /** True when verifying calls the provider. */
  readonly asks: boolean;
  /** The types of events that `read` understands, which the provider has to send. */
  readonly events: readonly string[];
  /** Reads a verified notification. @throws CommerceError `validation` when it is not an event of this provider */
  read(event: unknown): Promise<PaymentNotice>;
  /**
   * Completes the notice of a success with facts that only the provider's API has.
   * @throws CommerceError `unavailable` when these are needed and the provider cannot be reached
   */
  complete?(notice: AttemptNotice, event: unknown, settings: Settings, lookup: Lookup): Promise<AttemptNotice>;
}
