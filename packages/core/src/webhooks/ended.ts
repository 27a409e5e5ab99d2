import { perTransaction } from '../per-transaction.ts';

/** Subscriptions that a transaction has deleted or switched off: the outbox cancels what waits for them. */
export const endedSubscriptions = perTransaction(() => new Set<string>());
