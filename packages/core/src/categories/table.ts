export interface CategoryTable {
  store_id: string;
  id: string;
  status: string;
  slug: string;
  parent_id: string | null;
  created_at: number;
  json: string;
}
