import { Observers } from '../../engine/observers.ts';
import { perEngine } from '../../engine/per-engine.ts';
import type { Outcome } from '../../payments/inbox.ts';
import type { ProviderName } from '../../storage/tables/payments.ts';

/**
 * One notification of a payment provider and its outcome: an outcome of the inbox, `refused` or `error`. `refused` means that it was not
 * ours (a wrong signature, an unknown store, nothing configured). `error` means that it could not be processed.
 */
export interface NotificationReceived {
  provider: ProviderName;
  outcome: Outcome | 'refused' | 'error';
}

/** The part of `Observer` about notifications of payment providers. */
export interface NotificationObserver {
  notificationReceived?(notification: NotificationReceived): void;
}

export const notificationObservers = perEngine(() => new Observers<NotificationObserver>());
