/** Columns for filters and guards; the order itself, items included, is in `json`. */
export interface OrderTable {
  store_id: string;
  id: string;
  number: number;
  customer_id: string | null;
  status: string;
  payment_status: string;
  payment_provider: string | null;
  payment_id: string | null;
  /** Quantities taken from the stock at payment, as JSON of `Quantity[]`; null before that. */
  stock_taken: string | null;
  /** Quantities returned to the stock so far, as JSON of `Quantity[]`; null for none. */
  stock_returned: string | null;
  /**
   * Time to which its stock is reserved. When that is over and money holds the pending order: time at which to look again whether it
   * expires. Null if it does not expire by itself, and once it is paid or cancelled.
   */
  reserved_until: number | null;
  /** The discount whose uses it counts among; while it is cancelled without having been paid, it does not. */
  discount_id: string | null;
  /** The folded text by which it is found, as in the index. */
  search: string;
  created_at: number;
  json: string;
}
