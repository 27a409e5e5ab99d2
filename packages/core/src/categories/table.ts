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

/** A category that was deleted and is still to be taken from products. */
export interface CategoryRemovalTable {
  store_id: string;
  category_id: string;
  deleted_at: number;
}
