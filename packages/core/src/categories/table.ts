export interface CategoryTable {
  store_id: string;
  id: string;
  status: string;
  slug: string;
  parent_id: string | null;
  /** What a search looks through, folded. */
  search: string;
  created_at: number;
  json: string;
}
