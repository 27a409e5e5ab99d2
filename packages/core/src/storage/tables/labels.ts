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
