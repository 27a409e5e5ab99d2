import type { BlockedQueue } from '../deliveries/blocked.ts';
import type { Outcome } from '../payments/inbox.ts';
import type { ProviderName } from '../providers/provider.ts';
import { perEngine } from './per-engine.ts';

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

/**
 * One notification of a payment provider and its outcome: an outcome of the inbox, `refused` or `error`. `refused` means that it was not
 * ours (a wrong signature, an unknown store, nothing configured). `error` means that it could not be processed.
 */
export interface NotificationReceived {
  provider: ProviderName;
  outcome: Outcome | 'refused' | 'error';
}

/**
 * Called after something has happened in this process, outside of any transaction, in order to count it. Receives nothing personal or
 * secret.
 */
export interface Observer {
  deliveryAttempted?(attempt: DeliveryAttempted): void;
  notificationReceived?(notification: NotificationReceived): void;
  webhookDisabled?(webhook: WebhookDisabled): void;
  /** Nothing can be sent to a subscription, for a reason that is not its subscriber's; called once for each reason. */
  deliveryBlocked?(queue: BlockedQueue): void;
}

/** Observers of an open database. */
class Observers {
  readonly #watching = new Set<Observer>();

  /** @returns ends the observation */
  watch(observer: Observer): () => void {
    this.#watching.add(observer);
    return () => this.#watching.delete(observer);
  }

  deliveryAttempted(attempt: DeliveryAttempted): void {
    this.#tell((observer) => observer.deliveryAttempted?.(attempt));
  }

  notificationReceived(notification: NotificationReceived): void {
    this.#tell((observer) => observer.notificationReceived?.(notification));
  }

  webhookDisabled(webhook: WebhookDisabled): void {
    this.#tell((observer) => observer.webhookDisabled?.(webhook));
  }

  deliveryBlocked(queue: BlockedQueue): void {
    this.#tell((observer) => observer.deliveryBlocked?.(queue));
  }

  #tell(about: (observer: Observer) => void): void {
    for (const observer of this.#watching) {
      try {
        about(observer);
      } catch {
        // An observer's error must not undo a payment.
      }
    }
  }
}

/** Observers of an open database in this process. */
export const observers = perEngine(() => new Observers());
