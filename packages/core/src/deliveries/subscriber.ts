import type { EventType } from '../events/events.ts';
import type { SignatureFormat } from '../webhooks/formats.ts';

/** An event as it is stored. */
export interface StoredEvent {
  id: string;
  type: string;
  storeId: string;
  createdAt: number;
  /** The resource, JSON. */
  data: string;
}

/** An event as a subscriber of the application gets it: what a webhook has as its body. */
export interface CommerceEvent<Type extends string = EventType> {
  /** The same on every copy of it. */
  id: string;
  type: Type;
  timestamp: string;
  storeId: string;
  /** The resource as GET answers it; a deleted one in its last state. */
  // biome-ignore lint/suspicious/noExplicitAny: which resource it is follows from the type
  data: any;
}

/** What an application does with an event; when it throws or rejects, it gets the event again. */
export type EventHandler = (event: CommerceEvent, delivery: { attempt: number }) => unknown;

/** Who gets a delivery. */
export type Subscriber =
  | {
      kind: 'webhook';
      url: string;
      /** The one that holds, and behind it the one that it replaced a short time ago. */
      secrets: readonly string[];
      signatureFormat: SignatureFormat;
      retries: number;
      /** Since when nothing has succeeded; null where the last one did. */
      failingSince: number | null;
    }
  | { kind: 'app'; name: string; handler: EventHandler };

/** One attempt as the delivery's log keeps it. */
export interface DeliveryAttempt {
  at: string;
  responseCode: number | null;
  latencyMs: number;
  error: string | null;
  /** The first 1 KiB of the answer. */
  responseBody: string | null;
}
