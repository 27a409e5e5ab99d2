import type { Flag } from '../flag.ts';

/** Columns for filters and guards; the order itself, including its items, is in `json`. */
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
   * Time until which its stock is reserved. If that has passed and money holds the pending order, the time at which to check its expiry
   * again. Null if it does not expire by itself, and once it is paid or cancelled.
   */
  reserved_until: number | null;
  /** The e-mail that its buyer had then; null without a buyer. */
  email: string | null;
  /** The discount that counts the order as a use, except while it is cancelled without having been paid. */
  discount_id: string | null;
  /** Minor units, for sorting. */
  total: number;
  /** Time of the first confirmation of a payment; null before that. */
  placed_at: number | null;
  /** The folded text by which it is found, as in the index. */
  search: string;
  created_at: number;
  /** 1 while it is cancelled and the shop holds money of the payment that paid it. */
  to_refund: Flag;
  /** Of an unpaid order to pay without a provider: 1 until something of it was shipped, then 2. 0 for all others. */
  unpaid_offline: 0 | 1 | 2;
  /** 1 if none of its lines requires shipping. */
  no_shipping: Flag;
  json: string;
  /** Number of the fields that `json` was printed with; see `EntityOf.shapeNumber`. */
  shape: number;
}

/** An invoice or a credit note. It is never changed. */
export interface InvoiceTable {
  store_id: string;
  id: string;
  kind: 'invoice' | 'credit_note';
  /** As it is printed: the series and the number in it. */
  number: string;
  /** The beginning of its number. */
  series: string;
  /** Its number in the series, from 1. */
  n: number;
  /** The order, which can have been erased since. */
  order_id: string;
  /** Minor units. */
  total: number;
  created_at: number;
  json: string;
  /** Number of the fields that `json` was printed with. */
  shape: number;
}
