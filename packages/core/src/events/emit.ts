import type { TxContext } from '../engine/context.ts';
import { addToMap, perTransaction } from '../engine/per-transaction.ts';
import type { EventType } from './events.ts';

/** An event collected by a transaction, written when it ends. */
export interface PendingEvent {
  type: EventType;
  resourceId: string;
  /** The resource as GET answers it. */
  json: string;
}

/** Events of a transaction by type and resource. */
export const pendingEvents = perTransaction(() => new Map<string, PendingEvent>(), addToMap);

/**
 * Emits an event about a resource, delivered once the transaction has committed. `json` is the resource as GET answers it. A
 * transaction sends one event per type and resource: a later one replaces the earlier.
 */
export function emit(tx: TxContext, type: EventType, resourceId: string, json: string): void {
  pendingEvents(tx).set(`${type} ${resourceId}`, { type, resourceId, json });
}
