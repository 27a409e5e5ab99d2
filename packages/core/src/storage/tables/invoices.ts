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
