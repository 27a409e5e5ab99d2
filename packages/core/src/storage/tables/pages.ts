export interface PageTable {
  store_id: string;
  id: string;
  status: string;
  slug: string;
  /** Folded title and content, for searching. */
  search: string;
  created_at: number;
  json: string;
  /** Number of the fields that `json` was printed with; see `EntityOf.shapeNumber`. */
  shape: number;
}
