import type { IncomingHttpHeaders } from 'node:http';
import { isId } from '../ids.ts';
import type { OrderInput } from '../orders/fields.ts';

export const providerNames = ['stripe'] as const;
export type ProviderName = (typeof providerNames)[number];

/** A notification as it arrived: what is signed is these bytes, not what they parse to. */
export interface RawNotification {
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/** What a notification means for a payment, the same for every provider. */
export interface PaymentNotice {
  eventId: string;
  /** The provider's own name of the event. */
  eventType: string;
  /**
   * `succeeded`: the money is there. `processing`: the provider still decides. `failed`, `cancelled`: this attempt brought
   * nothing, another may. `unrelated`: nothing that an order has to know.
   */
  kind: 'succeeded' | 'processing' | 'failed' | 'cancelled' | 'unrelated';
  /** The order that the payment names, as it names it. */
  orderId: string | null;
  /** The provider's id of the payment, the same in each of its events. */
  paymentId: string | null;
  /** What was paid: a decimal string, exact, and an ISO 4217 code. */
  amount: string | null;
  currency: string | null;
  /** The provider's type of payment method in lower case. */
  method: string | null;
  details: Record<string, string | number> | null;
  /** The order to make when the named one does not exist and the payment says what was bought. */
  draft: OrderInput | null;
  /** Why what was bought cannot be read. */
  draftProblem: string | null;
}

/** The order id that the payment names, if it is one. */
export function orderIdOf(notice: PaymentNotice): string | null {
  const id = notice.orderId?.toLowerCase() ?? null;
  return id !== null && isId(id) ? id : null;
}

/**
 * What one provider does its own way. Both steps may ask the provider (one verifies by a call, another looks items up),
 * so both may wait, and neither runs inside a transaction.
 */
export interface Provider<Settings> {
  readonly name: ProviderName;
  /** True when the notification was signed with these settings' secret and is recent. Compares in constant time. */
  verify(notification: RawNotification, settings: Settings, now: number): Promise<boolean>;
  /** Reads a verified notification. @throws CommerceError `validation` when it is not an event of this provider. */
  read(event: unknown, settings: Settings): Promise<PaymentNotice>;
}
