import type { TxContext } from '../context.ts';
import { perTransaction } from '../per-transaction.ts';
import type { EventType } from './events.ts';

/** Event that waits for the end of its transaction. */
export interface PendingEvent {
  type: EventType;
  resourceId: string;
  /** The resource as GET answers it. */
  json: string;
}

/** Events of a transaction by type and resource. */
export const pendingEvents = perTransaction(() => new Map<string, PendingEvent>());

/**
 * Emits an event about a resource, delivered once the transaction has committed. `json` is the resource as GET answers it; a later
 * event of the same type replaces it, so that a transaction sends one of a type for a resource.
 */
export function emit(tx: TxContext, type: EventType, resourceId: string, json: string): void {
  pendingEvents(tx).set(`${type} ${resourceId}`, { type, resourceId, json });
}
