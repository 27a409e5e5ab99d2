export interface CustomerTable {
  store_id: string;
  id: string;
  /** Trimmed and in lower case, for comparing. */
  email: string;
  /** Folded e-mail, name and phone, for searching. */
  search: string;
  /** Folded name, or e-mail if there is none, for sorting; its beginning only. */
  name_key: string;
  /** Placed orders. */
  order_count: number;
  /** Paid minus refunded, in minor units. */
  total_spent: number;
  created_at: number;
  json: string;
  /** Number of the fields that `json` was printed with; see `EntityOf.shapeNumber`. */
  shape: number;
}
