export interface CustomerTable {
  store_id: string;
  id: string;
  /** Trimmed and lower-cased: what is compared. */
  email: string;
  /** What a search looks through, folded. */
  search: string;
  created_at: number;
  json: string;
}
