import type { EventType } from '../events/events.ts';
import type { SignatureFormat } from '../webhooks/formats.ts';

/** An event as stored in the outbox. */
export interface StoredEvent {
  id: string;
  type: string;
  storeId: string;
  createdAt: number;
  /** The resource, JSON. */
  data: string;
}

/** An event as a subscriber of the application receives it, equal to the body of a webhook. */
export interface CommerceEvent<Type extends string = EventType> {
  /** The same on every copy of the event. */
  id: string;
  type: Type;
  timestamp: string;
  storeId: string;
  /** The resource as GET answers it; a deleted one in its last state. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape follows from the event type
  data: any;
}

/** Handler of an application; when it throws or rejects, it receives the event again. `attempt` counts from 1. */
export type EventHandler = (event: CommerceEvent, delivery: { attempt: number }) => unknown;

/** Receiver of a delivery. */
export type Subscriber =
  | {
      kind: 'webhook';
      url: string;
      /** The current secret, followed by the one it replaced within the last 24 hours. */
      secrets: readonly string[];
      signatureFormat: SignatureFormat;
      retries: number;
      /** Start of the current run of failures; null when the last delivery succeeded. */
      failingSince: number | null;
    }
  | { kind: 'app'; name: string; handler: EventHandler };

/** One attempt in the log of a delivery. */
export interface DeliveryAttempt {
  at: string;
  responseCode: number | null;
  latencyMs: number;
  error: string | null;
  /** The first 1 KiB of the answer. */
  responseBody: string | null;
}
