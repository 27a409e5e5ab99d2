import type { BlockedQueue } from './deliveries/blocked.ts';
import type { Outcome } from './payments/inbox.ts';
import type { ProviderName } from './payments/provider.ts';
import { perEngine } from './per-engine.ts';

/** One attempt to deliver a webhook: it succeeded, it will be tried again, or it was the last one. */
export interface DeliveryAttempted {
  outcome: 'succeeded' | 'retrying' | 'failed';
}

/** A subscription that was switched off because nothing could be delivered to it. */
export interface WebhookDisabled {
  storeId: string;
  webhookId: string;
  reason: string;
}

/**
 * One notification of a payment provider and what became of it: an outcome of the inbox, `refused` where it was none of
 * ours (a wrong signature, an unknown store, nothing configured), or `error` where it could not be worked on.
 */
export interface NotificationReceived {
  provider: ProviderName;
  outcome: Outcome | 'refused' | 'error';
}

/**
 * Told of what happens in this process, after it has happened and outside of any transaction, in order to count it. Nothing
 * personal or secret is told.
 */
export interface Observer {
  deliveryAttempted?(attempt: DeliveryAttempted): void;
  notificationReceived?(notification: NotificationReceived): void;
  webhookDisabled?(webhook: WebhookDisabled): void;
  /** Nothing can be sent to a subscription, for a reason that is not its subscriber's; told once for each reason. */
  deliveryBlocked?(queue: BlockedQueue): void;
}

/** Observers of an open database. */
class Observers {
  readonly #watching = new Set<Observer>();

  /** @returns what ends it */
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
        // Money that was taken stays taken, whatever its spectators do.
      }
    }
  }
}

/** Observers of an open database in this process. */
export const observers = perEngine(() => new Observers());
