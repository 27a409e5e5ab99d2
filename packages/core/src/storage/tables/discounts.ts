export interface DiscountTable {
  store_id: string;
  id: string;
  /** The code in the form in which codes are compared. */
  code_key: string;
  created_at: number;
  json: string;
  /** Number of the fields that `json` was printed with; see `EntityOf.shapeNumber`. */
  shape: number;
}
