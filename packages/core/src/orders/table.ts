import type { Flag } from '../storage/schema.ts';

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
  /** While it is pending: the latest version seen of each payment that was tried, as JSON by payment id. */
  attempts: string | null;
  created_at: number;
  json: string;
}

/** What is known of an order's refunds; see `refund-ledger.ts`. */
export interface OrderRefundTable {
  store_id: string;
  order_id: string;
  refund_id: string;
  origin: 'shop' | 'provider' | 'total';
  named: Flag;
  /** In minor units. */
  amount: number;
  status: 'pending' | 'completed' | 'failed';
  recorded_at: number;
  /** Which of the order's refunds was said first. */
  position: number;
}
