export interface CategoryTable {
  store_id: string;
  id: string;
  status: string;
  slug: string;
  parent_id: string | null;
  /** Folded name and description, for searching. */
  search: string;
  created_at: number;
  json: string;
  /** Number of the fields that `json` was printed with; see `EntityOf.shapeNumber`. */
  shape: number;
}

/** A deleted category that products still name. */
export interface CategoryRemovalTable {
  store_id: string;
  category_id: string;
  deleted_at: number;
}
