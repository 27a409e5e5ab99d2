import { headerKey } from '../files/rows.ts';
import { metadataKey } from './metadata.ts';

/** The headers of a product export, in the folded spelling of `headerKey`. */
export const names = {
  id: ['id'],
  type: ['type'],
  sku: ['sku'],
  barcode: ['gtin, upc, ean, or isbn'],
  name: ['name'],
  published: ['published'],
  visibility: ['visibility in catalog'],
  shortDescription: ['short description'],
  description: ['description'],
  saleStarts: ['date sale price starts'],
  saleEnds: ['date sale price ends'],
  inStock: ['in stock?'],
  stock: ['stock'],
  lowStock: ['low stock amount'],
  backorders: ['backorders allowed?'],
  salePrice: ['sale price'],
  regularPrice: ['regular price'],
  categories: ['categories'],
  tags: ['tags'],
  images: ['images'],
  parent: ['parent'],
  weight: ['weight (kg)', 'weight (g)', 'weight (lbs)', 'weight (oz)'],
  taxStatus: ['tax status'],
  taxClass: ['tax class'],
  brands: ['brands'],
  // Fields of extensions, for products whose own column is blank.
  otherBarcode: [
    'meta: _global_unique_id',
    'meta: _ts_gtin',
    'meta: _wpm_gtin_code',
    'meta: _alg_ean',
    'meta: hwp_product_gtin',
  ],
  seoTitle: ['meta: _yoast_wpseo_title', 'meta: rank_math_title'],
  seoDescription: ['meta: _yoast_wpseo_metadesc', 'meta: rank_math_description'],
} as const;
export type Name = keyof typeof names;

const known = new Set<string>(Object.values(names).flat());
export const attributeName = /^attribute (\d+) name$/;
export const attributeValues = /^attribute (\d+) value\(s\)$/;

/** The name of a field that an extension has added; undefined for another column, and for a hidden field. */
function metaName(header: string): string | undefined {
  const name = /^meta: /i.test(header) ? header.slice('meta: '.length).trim() : '';
  return name === '' || name.startsWith('_') ? undefined : name;
}

/** The key of the metadata that a column such as `Meta: supplier` becomes; undefined for another column, and for a hidden field. */
export function metaKey(header: string): string | undefined {
  const name = known.has(headerKey(header)) ? undefined : metaName(header.trim());
  return name === undefined ? undefined : metadataKey(name);
}

/** True if a header is one of WooCommerce's. */
export function isWooHeader(header: string): boolean {
  return (
    known.has(header) || attributeName.test(header) || attributeValues.test(header) || metaName(header) !== undefined
  );
}
