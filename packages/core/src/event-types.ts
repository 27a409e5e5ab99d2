import type { ExpiredCheckout } from './checkouts/fields.ts';
import type { ItemOf } from './collections.ts';
import type { EventType } from './events/events.ts';
import type { Invoice } from './invoices/fields.ts';
import type { Noun } from './kernel/nouns.ts';
import type { Media } from './media/fields.ts';
import type { Order } from './orders/fields.ts';
import type { FailedRefund } from './orders/refund-fields.ts';
import type { Payment } from './payments/fields.ts';
import type { Withdrawal } from './withdrawals/fields.ts';

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
