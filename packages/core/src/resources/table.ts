/**
 * How many living rows of a list have one value of what the list filters by, so that `total` never scans. And, as
 * `products.version` and `media.version`, how often what is in the lists of a store's products, and in those of the media that a public
 * actor sees, may have changed.
 */
export interface ListCountTable {
  store_id: string;
  list: CountedList;
  value: string;
  n: number;
}

export type CountedList =
  | 'products.status'
  | 'products.facets'
  | 'products.publishedFacets'
  | 'products.version'
  | 'orders.status'
  | 'payments'
  | 'categories.status'
  | 'pages.status'
  | 'discounts'
  | 'customers'
  | 'media.mimeType'
  | 'media.version'
  | 'auditLogs'
  | SalesList;

/**
 * Sums of what was sold: of a quarter of an hour, by its beginning in UTC (`2026-11-01T10:15`), the orders that were paid, their totals and
 * what was refunded, in minor units; of a day of UTC and a product (`2026-11-01 <id>`), pieces and amounts.
 */
export type SalesList =
  | 'sales.orders'
  | 'sales.gross'
  | 'sales.refunded'
  | 'sales.productQuantity'
  | 'sales.productGross';

/** The last number given out of a per-store sequence (`orders`, `products`). */
export interface SequenceTable {
  store_id: string;
  name: string;
  last: number;
}
