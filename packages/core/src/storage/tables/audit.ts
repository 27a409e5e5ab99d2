export interface AuditLogTable {
  store_id: string;
  id: string;
  actor_type: string;
  actor_id: string | null;
  action: string;
  resource_type: string;
  resource_id: string;
  /** JSON object, like `AuditLog.changes`. */
  changes: string;
  request_id: string | null;
  created_at: number;
}
