import { addToSet, perTransaction } from '../engine/per-transaction.ts';

/** Subscriptions that a transaction deleted or switched off; the outbox cancels their waiting deliveries. */
export const endedSubscriptions = perTransaction(() => new Set<string>(), addToSet);
