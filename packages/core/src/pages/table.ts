export interface PageTable {
  store_id: string;
  id: string;
  status: string;
  slug: string;
  /** What a search looks through, folded. */
  search: string;
  created_at: number;
  json: string;
}
