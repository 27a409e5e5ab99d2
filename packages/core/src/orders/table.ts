/** What lists filter by and payments are guarded by; the snapshot itself, items included, is in `json`. */
export interface OrderTable {
  store_id: string;
  id: string;
  number: number;
  customer_id: string | null;
  status: string;
  payment_status: string;
  payment_provider: string | null;
  payment_id: string | null;
  created_at: number;
  json: string;
}
