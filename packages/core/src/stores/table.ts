import type { Flag } from '../storage/schema.ts';

export interface StoreTable {
  id: string;
  /** Small and dense: names the store's range in the search index. */
  number: number;
  name: string;
  currency: string;
  strict_category_depth: Flag;
  created_at: number;
  updated_at: number;
}
