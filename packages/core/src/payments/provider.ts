import type { IncomingHttpHeaders } from 'node:http';
import { isId } from '../ids.ts';
import type { OrderInput } from '../orders/fields.ts';

export const providerNames = ['stripe', 'paypal', 'square'] as const;
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
   * nothing, another may. `refund`: money of the payment goes back; what `amount` says of it is in `refund`. `unrelated`:
   * nothing that an order has to know.
   */
  kind: 'succeeded' | 'processing' | 'failed' | 'cancelled' | 'refund' | 'unrelated';
  /** The order that the payment names, as it names it. */
  orderId: string | null;
  /** The provider's id of the payment, the same in each of its events. */
  paymentId: string | null;
  /** What was paid: a decimal string, exact, and an ISO 4217 code. */
  amount: string | null;
  currency: string | null;
  /**
   * Which of two notifications of one payment is the later one, where the provider says so: an earlier one does not undo what
   * a later one said.
   */
  version: number | null;
  /** Set for the kind `refund` alone. */
  refund: RefundNotice | null;
  /** The provider's type of payment method in lower case. */
  method: string | null;
  details: Record<string, string | number> | null;
  /** The order to make when the named one does not exist and the payment says what was bought. */
  draft: OrderInput | null;
  /** Why what was bought cannot be read. */
  draftProblem: string | null;
}

/** Which refund a notification is about; without an id the amount is the running total of all refunds of the payment. */
export interface RefundNotice {
  id: string | null;
  status: 'pending' | 'completed' | 'failed';
}

/** What a notification says of which nothing is known. */
export const emptyNotice: Omit<PaymentNotice, 'eventId' | 'eventType'> = {
  kind: 'unrelated',
  orderId: null,
  paymentId: null,
  amount: null,
  currency: null,
  version: null,
  refund: null,
  method: null,
  details: null,
  draft: null,
  draftProblem: null,
};

/** The order id that the payment names, if it is one. */
export function orderIdOf(notice: PaymentNotice): string | null {
  const id = notice.orderId?.toLowerCase() ?? null;
  return id !== null && isId(id) ? id : null;
}

/** What is known when a provider is asked for more. */
export interface Lookup {
  /** The payment names an order that does not exist yet, so what was bought has to be found out. */
  unknownOrder: boolean;
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
  /** Reads a verified notification. @throws CommerceError `validation` when it is not an event of this provider. */
  read(event: unknown): Promise<PaymentNotice>;
  /**
   * The notice of a payment that succeeded, with what the provider tells only when asked.
   * @throws CommerceError `unavailable` when it is needed and the provider could not be asked.
   */
  complete?(notice: PaymentNotice, event: unknown, settings: Settings, lookup: Lookup): Promise<PaymentNotice>;
}
