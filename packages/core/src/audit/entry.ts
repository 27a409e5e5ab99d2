import type { TxContext } from '../engine/context.ts';
import { perTransaction } from '../engine/per-transaction.ts';

/** An action on a resource; the context adds actor, time and request. */
export interface AuditEntry {
  /** `<resource>.<what happened>`, such as `product.updated`. */
  action: string;
  resourceType: string;
  resourceId: string;
  /** The fields that changed, each with the value before and after, or facts about the action. Never a secret. */
  changes?: Readonly<Record<string, unknown>>;
}

/** Entries of a transaction, in the order of `audit` calls. */
export const pendingEntries = perTransaction<AuditEntry[]>(
  () => [],
  (all, collected) => {
    for (const entry of collected) all.push(entry);
  },
);

/** Adds an entry to the audit log, written when the transaction ends. */
export function audit(tx: TxContext, entry: AuditEntry): void {
  pendingEntries(tx).push(entry);
}
