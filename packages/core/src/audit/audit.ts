import type { TxContext } from '../context.ts';
import { preparedInsert } from '../storage/prepared.ts';
import type { AuditLogTable } from './table.ts';

const insertAudit = preparedInsert<AuditLogTable>('audit_logs');

/** Writes the entries that the transaction collected. */
export async function writeAudit(tx: TxContext): Promise<void> {
  await insertAudit(
    tx.db,
    tx.pending.audit.map((entry) => ({
      store_id: tx.store.id,
      id: tx.engine.ids.next(tx.now),
      actor_type: tx.actor.type,
      actor_id: tx.actor.id,
      action: entry.action,
      resource_type: entry.resourceType,
      resource_id: entry.resourceId,
      changes: JSON.stringify(entry.changes ?? {}),
      request_id: tx.requestId,
      created_at: tx.now,
    })),
  );
}

/** The fields of an entity that differ between two states, as `{ field: { from, to } }`; empty when none does. */
export function changedFields(before: object, after: object): Record<string, { from: unknown; to: unknown }> {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const [field, to] of Object.entries(after)) {
    const from = (before as Record<string, unknown>)[field];
    if (field !== 'updatedAt' && JSON.stringify(from) !== JSON.stringify(to)) changes[field] = { from, to };
  }
  return changes;
}
