/** The outbox: one row per event, written in the transaction of its change. */
export interface EventTable {
  store_id: string;
  id: string;
  type: string;
  resource_id: string;
  created_at: number;
  /** The resource as GET answers it, JSON. */
  data: string;
}
