/** A row of a resource with a slug and a status, such as a page. */
export interface PublishedRow {
  store_id: string;
  id: string;
  status: string;
  slug: string;
  /** Folded texts of the item, for searching. */
  search: string;
  created_at: number;
  json: string;
  /** Number of the fields that `json` was printed with; see `EntityOf.shapeNumber`. */
  shape: number;
}
