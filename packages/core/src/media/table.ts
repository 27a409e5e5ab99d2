export interface MediaTable {
  store_id: string;
  id: string;
  mime_type: string;
  created_at: number;
  json: string;
}
