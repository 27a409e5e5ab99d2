import type { PublishedTable } from '../../kernel/nouns.ts';

/**
 * The number of living rows of a list for each value that the list filters by, so that `total` never scans. The lists `products.version`,
 * `media.version` and `feeds.version` note possible changes instead: of the store's product lists, of the media lists that a public actor
 * sees, and of what is published in a table, in steps of any size.
 */
export interface ListCountTable {
  store_id: string;
  list: CountedList;
  value: string;
  n: number;
}

export type CountedList =
  | 'products.facets'
  | 'products.publishedFacets'
  | 'products.inStock'
  | 'products.version'
  | 'orders.status'
  | 'payments'
  | `${PublishedTable}.status`
  | 'discounts'
  | 'customers'
  | 'media.mimeType'
  | 'media.version'
  | 'feeds.version'
  | 'auditLogs'
  | SalesList;

/**
 * Sums of sales, for a quarter of an hour that is named by its beginning in UTC (`2026-11-01T10:15`): the paid orders, their totals and the
 * refunds, in minor units. The same with a country (`2026-11-01T10:15 DE`); and pieces and amounts with a product (`2026-11-01T10:15 <id>`).
 * And orders, bases and taxes with a country and a rate (`2026-11-01T10:15 DE 0.19`), at the time when an order is paid or fulfilled.
 */
export type SalesList =
  | 'sales.orders'
  | 'sales.gross'
  | 'sales.refunded'
  | 'sales.productQuantity'
  | 'sales.productGross'
  | 'sales.countryOrders'
  | 'sales.countryGross'
  | 'sales.countryRefunded'
  | 'taxes.orders'
  | 'taxes.base'
  | 'taxes.tax'
  | 'taxes.refundedBase'
  | 'taxes.refundedTax';

/** The last number given out of a per-store sequence (`orders`, `products`, `invoices INV-2026-`). */
export interface SequenceTable {
  store_id: string;
  name: string;
  last: number;
}

/** Tables whose items have metadata or tags by which lists are filtered. */
export type LabelledTable = 'products' | 'customers' | 'orders';

/** The labels of a living item: one row for each key of its metadata and each of its tags. */
export interface LabelTable {
  store_id: string;
  resource: LabelledTable;
  /** `meta.<key>` or `tag`. */
  label: string;
  /** As `storedValue` stores it. */
  value: string;
  /** The item's creation time, for the order of lists. Not called `created_at`, so that it can be joined with items. */
  made_at: number;
  item_id: string;
}
