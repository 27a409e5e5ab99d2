import type { Flag } from '../storage/flag.ts';

/** What lists filter by and stock is guarded by; everything else of a product is in `json`, its answer to clients. */
export interface ProductTable {
  store_id: string;
  id: string;
  /** Names the product in the search index. */
  number: number;
  status: string;
  slug: string;
  sku: string | null;
  variant_group_id: string | null;
  track_stock: Flag;
  stock: number;
  /** Whether an order took or returned stock since the product was last changed by hand. */
  stock_moved: Flag;
  allow_backorder: Flag;
  /** Whether its stock is low; never that of what is archived or deleted. */
  low_stock: Flag;
  created_at: number;
  json: string;
}

/** What a living product is listed by beside its own columns: one row for each attribute and category. */
export interface ProductFacetTable {
  store_id: string;
  /** `attr.<key>` or `category`. */
  facet: string;
  value: string;
  /** The product's, for the order of lists. */
  created_at: number;
  product_id: string;
}

/** Pieces of a product that an unpaid order holds until a time. */
export interface ReservationTable {
  store_id: string;
  order_id: string;
  product_id: string;
  quantity: number;
  /** From then on it counts for nothing. */
  expires_at: number;
}
