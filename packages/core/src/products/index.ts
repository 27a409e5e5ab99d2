// The functions and types of products that the package exports.
export { adjustStock, type StockAdjustment } from './adjust-stock.ts';
export { changeProducts, type ProductsChanges } from './change-many.ts';
export type { ProductAttributes } from './facets.ts';
export type { Product, ProductChanges, ProductInput } from './fields.ts';
export {
  type IncludeWord,
  includeWords,
  type ProductDetails,
  type ProductDetailsQueryInput,
  type Variant,
} from './include.ts';
export type { Facets, Group, ListedProduct, ValueCount } from './list/answer.ts';
export {
  type AttributeQueryInput,
  attributePrefix,
  type ProductQueryInput,
  type ProductSort,
  productQueryOf,
  productSorts,
  type VariantGroupQueryInput,
} from './list/query.ts';
export {
  getProductAttributes,
  listProducts,
  listProductsByAttributes,
  listProductsByAttributesJson,
  listProductsJson,
  listVariantGroup,
  listVariantGroupJson,
  type ProductList,
} from './list.ts';
export {
  createProduct,
  deleteProduct,
  getProduct,
  getProductJson,
  type UpsertOptions,
  updateProduct,
  upsertProduct,
} from './products.ts';
