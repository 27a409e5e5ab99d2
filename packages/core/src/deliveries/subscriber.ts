import * as z from 'zod';
import type { ExpiredCheckout } from '../checkouts/fields.ts';
import type { ItemOf } from '../collections.ts';
import type { EventType } from '../events/events.ts';
import { count, once, optionalWords, time } from '../fields/answers.ts';
import type { Invoice } from '../invoices/fields.ts';
import type { Noun } from '../kernel/nouns.ts';
import type { Media } from '../media/fields.ts';
import type { Order } from '../orders/fields.ts';
import type { FailedRefund } from '../orders/refund-fields.ts';
import type { Payment } from '../payments/fields.ts';
import type { SignatureFormat } from '../storage/tables/webhooks.ts';
import type { Withdrawal } from '../withdrawals/fields.ts';

/** The resource of an event, by the first word of its type. */
type ResourceOf = { [N in Noun]: ItemOf<N> } & {
  order: Order;
  media: Media;
  payment: Payment;
  checkout: ExpiredCheckout;
  refund: FailedRefund;
  withdrawal: Withdrawal;
  invoice: Invoice;
};

/** The resource that events of a type are about. */
export type EventData<Type extends EventType> = Type extends `${infer Resource extends keyof ResourceOf}.${string}`
  ? ResourceOf[Resource]
  : never;

interface EventOfType<Type extends EventType> {
  /** The same on every copy of the event. */
  id: string;
  type: Type;
  /** Time of the event: ISO 8601, UTC. */
  timestamp: string;
  storeId: string;
  /** The resource as GET answers it; a deleted one in its last state, and a checkout with its customer. */
  data: EventData<Type>;
}

/** An event as a subscriber of the application receives it, equal to the body of a webhook. Its `type` determines the type of `data`. */
export type CommerceEvent<Type extends EventType = EventType> = { [One in Type]: EventOfType<One> }[Type];

/** An entry of a subscription: an event, or `<resource>.*` for every event of a resource. */
export type EventPattern = EventType | `${keyof ResourceOf}.*`;

/** The event types that a pattern selects; all of them if the pattern is known only at run time. */
export type EventsOf<Pattern extends string> = string extends Pattern
  ? EventType
  : Pattern extends `${infer Resource}.*`
    ? Extract<EventType, `${Resource}.${string}`>
    : Extract<EventType, Pattern>;

/** Handler of an application; if it throws or rejects, it receives the event again. `attempt` counts from 1. */
export type EventHandler<Type extends EventType = EventType> = (
  event: CommerceEvent<Type>,
  delivery: { attempt: number },
) => unknown;

/** Receiver of a delivery. */
export type Subscriber =
  | {
      kind: 'webhook';
      url: string;
      /** The current secret, followed by the one it replaced within the last 24 hours. */
      secrets: readonly string[];
      signatureFormat: SignatureFormat;
      retries: number;
      /** Start of the current run of failures; null if the last delivery succeeded. */
      failingSince: number | null;
    }
  | { kind: 'app'; name: string; handler: EventHandler };

export const attemptAnswer = once(() =>
  z
    .object({
      at: time('Time of the attempt, UTC.'),
      responseCode: z
        .int()
        .nullable()
        .meta({ description: 'The status of the answer; null without an answer.', examples: [500] }),
      latencyMs: count('Duration in milliseconds.', 38),
      error: optionalWords('The reason of the failure; null after a success.', 'answered 500'),
      responseBody: optionalWords('The first 1 KiB of the answer.', 'out of order'),
    })
    .meta({ description: 'One attempt to send an event.' }),
);

/** One attempt in the log of a delivery. */
export type DeliveryAttempt = z.output<ReturnType<typeof attemptAnswer>>;
