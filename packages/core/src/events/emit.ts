import type { TxContext } from '../engine/context.ts';
import { perTransaction } from '../engine/per-transaction.ts';
import type { EventType } from './events.ts';

/** An event collected by a transaction, written when it ends. */
export interface PendingEvent {
  type: EventType;
  resourceId: string;
  /** The resource as GET answers it. */
  json: string;
  /** What in the resource it is about, of all events that this one replaces: parcels, or amounts of refunds. */
  about: readonly string[];
}

/** Events of a transaction by type and resource. */
export const pendingEvents = perTransaction(() => new Map<string, PendingEvent>(), addEvents);

function addEvents(all: Map<string, PendingEvent>, collected: ReadonlyMap<string, PendingEvent>): void {
  for (const [key, event] of collected) {
    all.set(key, { ...event, about: [...(all.get(key)?.about ?? []), ...event.about] });
  }
}

/**
 * Emits an event about a resource, delivered once the transaction has committed. `json` is the resource as GET answers it. A
 * transaction sends one event per type and resource: a later one replaces the earlier.
 * @param about a part of the resource, for the mails that the event causes
 */
export function emit(tx: TxContext, type: EventType, resourceId: string, json: string, about?: string): void {
  const events = pendingEvents(tx);
  const key = `${type} ${resourceId}`;
  const before = events.get(key)?.about ?? [];
  events.set(key, { type, resourceId, json, about: about === undefined ? before : [...before, about] });
}
