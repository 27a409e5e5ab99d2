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
  /** What its payment took off the stock, as JSON of `Quantity[]`; null before that. */
  stock_taken: string | null;
  /** What of it went back to the stock so far, as JSON of `Quantity[]`; null for nothing. */
  stock_returned: string | null;
  created_at: number;
  json: string;
}
