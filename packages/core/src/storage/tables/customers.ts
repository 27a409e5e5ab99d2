export interface CustomerTable {
  store_id: string;
  id: string;
  /** Trimmed and in lower case, for comparing. */
  email: string;
  /** Folded e-mail, name and phone, for searching. */
  search: string;
  created_at: number;
  json: string;
  /** Number of the fields that `json` was printed with; see `EntityOf.shapeNumber`. */
  shape: number;
}
