import type { TxContext } from '../context.ts';
import { perTransaction } from '../per-transaction.ts';

/** What happened to which resource; who, when and with which request come from the context. */
export interface AuditEntry {
  /** `<resource>.<what happened>`, such as `product.updated`. */
  action: string;
  resourceType: string;
  resourceId: string;
  /** The fields that changed, each with the value before and after, or facts about the action. Never a secret. */
  changes?: Readonly<Record<string, unknown>>;
}

/** Entries of a transaction, in the order in which they were made. */
export const pendingEntries = perTransaction<AuditEntry[]>(() => []);

/** Records who did what to which resource, with the transaction. `changes` never holds a secret. */
export function audit(tx: TxContext, entry: AuditEntry): void {
  pendingEntries(tx).push(entry);
}
