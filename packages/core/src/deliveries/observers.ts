import { Observers } from '../engine/observers.ts';
import { perEngine } from '../engine/per-engine.ts';
import type { BlockedQueue } from './blocked.ts';

/** One attempt to deliver a webhook: it succeeded, it will be retried, or it was the last one. */
export interface DeliveryAttempted {
  outcome: 'succeeded' | 'retrying' | 'failed';
}

/** A subscription that was switched off because no delivery to it succeeded. */
export interface WebhookDisabled {
  storeId: string;
  webhookId: string;
  reason: string;
}

/** The part of `Observer` about deliveries. */
export interface DeliveryObserver {
  deliveryAttempted?(attempt: DeliveryAttempted): void;
  webhookDisabled?(webhook: WebhookDisabled): void;
  /** Nothing can be sent to a subscription, for a reason that is not its subscriber's; called once for each reason. */
  deliveryBlocked?(queue: BlockedQueue): void;
}

export const deliveryObservers = perEngine(() => new Observers<DeliveryObserver>());
