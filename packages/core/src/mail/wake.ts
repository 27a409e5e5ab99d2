import type { Engine, TxContext } from '../engine/context.ts';
import { perEngine } from '../engine/per-engine.ts';
import { addToSet, perTransaction } from '../engine/per-transaction.ts';

/** What sends the mails of this process, as seen by code that wakes it. */
interface Sender {
  wake(storeId: string): void;
}

/** Senders of this process that have not been stopped. */
export const mailSenders = perEngine((_: Engine) => new Set<Sender>());

const grown = perTransaction(() => new Set<string>(), addToSet);

/** Says that the transaction has queued mail. */
export function mailQueued(tx: TxContext): void {
  grown(tx).add(tx.store.id);
}

/** Wakes the senders after a commit that queued mail. */
export function wakeMailSenders(tx: TxContext): void {
  for (const storeId of grown(tx)) for (const sender of mailSenders(tx.engine)) sender.wake(storeId);
}
