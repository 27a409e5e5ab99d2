import type { Engine, TxContext } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import { addToSet, perTransaction } from '../engine/per-transaction.ts';

/** Waiting deliveries of one subscriber, in the order in which they are due. */
export interface Queue {
  storeId: string;
  /** The webhook's id, or `app:` and the name of a subscriber of the application. */
  subscriberId: string;
}

/** A deliverer of this process, as seen by code that wakes it. */
interface Sleeper {
  wake(queues?: readonly Queue[]): void;
  stop(): Promise<void>;
}

/** Deliverers of this process that have not been stopped. */
export const deliverers = perEngine(() => new Set<Sleeper>());

/** Subscribers for which the transaction has queued deliveries. */
export const grownQueues = perTransaction(() => new Set<string>(), addToSet);

/** Wakes the deliverers for queues to which a committed transaction added deliveries. */
export function wakeDeliverers(tx: TxContext): void {
  const subscribers = grownQueues(tx);
  if (subscribers.size === 0) return;
  const queues = [...subscribers].map((subscriberId) => ({ storeId: tx.store.id, subscriberId }));
  for (const deliverer of deliverers(tx.engine)) deliverer.wake(queues);
}

/** Wakes the deliverers for every queue. */
export function wakeForAll(engine: Engine): void {
  for (const deliverer of deliverers(engine)) deliverer.wake();
}
