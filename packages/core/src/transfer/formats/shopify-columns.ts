import { metadataKey } from './metadata.ts';

/** Headers of both generations; a file can have either or a mixture. */
export const names = {
  handle: ['handle', 'url handle'],
  title: ['title'],
  body: ['body (html)', 'description'],
  vendor: ['vendor'],
  type: ['type'],
  category: ['product category'],
  tags: ['tags'],
  published: ['published', 'published on online store'],
  status: ['status'],
  name1: ['option1 name'],
  value1: ['option1 value'],
  name2: ['option2 name'],
  value2: ['option2 value'],
  name3: ['option3 name'],
  value3: ['option3 value'],
  sku: ['variant sku', 'sku'],
  tracker: ['variant inventory tracker', 'inventory tracker'],
  quantity: ['variant inventory qty', 'inventory quantity'],
  policy: ['variant inventory policy', 'continue selling when out of stock'],
  price: ['variant price', 'price'],
  compareAtPrice: ['variant compare at price', 'compare-at price'],
  barcode: ['variant barcode', 'barcode'],
  image: ['image src', 'product image url'],
  imagePosition: ['image position'],
  imageAlt: ['image alt text'],
  variantImage: ['variant image', 'variant image url'],
  seoTitle: ['seo title'],
  seoDescription: ['seo description'],
  giftCard: ['gift card'],
  grams: ['variant grams', 'weight value (grams)'],
  requiresShipping: ['variant requires shipping', 'requires shipping'],
  taxable: ['variant taxable', 'charge tax'],
  measure: ['unit price total measure'],
  measureUnit: ['unit price total measure unit'],
  base: ['unit price base measure'],
  baseUnit: ['unit price base measure unit'],
} as const;
export type Name = keyof typeof names;

const known = new Set<string>(Object.values(names).flat());

const metafield = /\(product\.metafields\.([^.()]+\.[^()]+)\)$/i;

/** The key of the metadata that a column such as `Care (product.metafields.custom.care)` becomes; undefined for another column. */
export function metafieldKey(header: string): string | undefined {
  const name = metafield.exec(header)?.[1];
  return name === undefined ? undefined : metadataKey(name);
}

/** True if a header is one of Shopify's. */
export function isShopifyHeader(header: string): boolean {
  return known.has(header) || metafield.test(header);
}
