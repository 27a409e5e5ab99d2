import { attributeColumnNames } from '../engine/settings/feed-columns.ts';

/** The columns of a feed in Google's names, in the order of the file. */
export const feedColumns = [
  'id',
  'title',
  'description',
  'link',
  'image_link',
  'additional_image_link',
  'availability',
  'price',
  'sale_price',
  ...attributeColumnNames,
  'gtin',
  'identifier_exists',
  'item_group_id',
  'product_type',
  'shipping',
  'shipping_weight',
  'unit_pricing_measure',
  'unit_pricing_base_measure',
] as const;

export type FeedColumn = (typeof feedColumns)[number];

/** Columns that OpenAI asks for, and that Google ignores in tables and warns of in XML. */
export const marketColumns = [
  'target_countries',
  'store_country',
  'is_eligible_search',
  'is_eligible_checkout',
] as const;

/** Parts of a value, by Google's names. In a table they are separated by colons. */
export type Parts = Readonly<Record<string, string>>;

/** A value, or several of a column that can be repeated. */
export type FeedValue = string | readonly string[] | readonly Parts[];

/** The values of a product; columns without one are left out. */
export type FeedRow = Readonly<Partial<Record<FeedColumn, FeedValue>>>;
