import type { Flag } from '../flag.ts';

/** Columns that filter lists and guard the stock. Everything else is in `json`, the product's answer to clients. */
export interface ProductTable {
  store_id: string;
  id: string;
  /** Identifies the product in the search index. */
  number: number;
  status: string;
  slug: string;
  sku: string | null;
  variant_group_id: string | null;
  track_stock: Flag;
  stock: number;
  /** Whether an order took or returned stock since a client last changed the product. */
  stock_moved: Flag;
  allow_backorder: Flag;
  /** Whether its stock is low; never set for archived or deleted products. */
  low_stock: Flag;
  barcode: string | null;
  /** In minor units. */
  price: number;
  /** Whether its price is below `compareAtPrice`. Never set for deleted products. */
  on_sale: Flag;
  /** Whether its stock allows a purchase, leaving reservations aside. Never set for deleted products. */
  can_buy: Flag;
  /** The beginning of the folded title, by which lists are sorted. */
  title_key: string;
  /** The SKU and the barcode, folded and without blanks and dashes. */
  sku_key: string | null;
  barcode_key: string | null;
  /** The history of its price, as `printHistory` prints it; empty before its first change. */
  prices: string;
  manufacturer_id: string | null;
  responsible_person_id: string | null;
  created_at: number;
  json: string;
  /** Number of the fields that `json` was printed with; see `EntityOf.shapeNumber`. */
  shape: number;
}

/** The facets of a living product: one row for each attribute and category. */
export interface ProductFacetTable {
  store_id: string;
  /** `attr.<key>` or `category`. */
  facet: string;
  value: string;
  /** The product's creation time, for the order of lists. */
  created_at: number;
  product_id: string;
}

/** Pieces of a product that an unpaid order holds until a time. */
export interface ReservationTable {
  store_id: string;
  order_id: string;
  product_id: string;
  quantity: number;
  /** Afterwards the reservation no longer counts. */
  expires_at: number;
}

/** The best-selling products of a store, reckoned at most once an hour. */
export interface BestSellersTable {
  store_id: string;
  /** JSON array of ids of products, best first. */
  ids: string;
  reckoned_at: number;
}
