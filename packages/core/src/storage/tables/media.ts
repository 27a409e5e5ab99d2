export interface MediaTable {
  store_id: string;
  id: string;
  mime_type: string;
  created_at: number;
  json: string;
  /** Number of the fields that `json` was printed with; see `EntityOf.shapeNumber`. */
  shape: number;
}

/** One row for each media that something published names. The media might have been deleted since. */
export interface MediaUseTable {
  store_id: string;
  media_id: string;
  /** Id of the product, category or page. */
  used_by: string;
}
