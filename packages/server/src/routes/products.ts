import {
  type AttributeQueryInput,
  adjustStock,
  changeProducts,
  type FeedReportQueryInput,
  getFeedReport,
  getProductAttributes,
  listProductsByAttributesJson,
  listVariantGroupJson,
  productQueryOf,
} from '@commerce/core';
import { item, list, plain, productList } from './answers.ts';
import { type Route, route } from './router.ts';

/** Routes of products in addition to those of every resource. */
export const productRoutes: readonly Route[] = [
  route('POST', '/products/{id}/stock', 'product.write', {
    orRole: 'fulfilment',
    name: 'adjustStock',
    summary: 'Increase or decrease the stock of a product, safe while orders change it',
    body: 'StockAdjustment',
    errors: ['conflict'],
    answer: item('Product'),
    run: adjustStock,
  }),
  route('PUT', '/products/bulk', 'product.write', {
    name: 'changeProducts',
    summary: 'Apply the same changes to many products, to all of them or none',
    description: 'An error names the ids that prevent it.',
    body: 'ProductsChanges',
    answer: list('Product'),
    run: changeProducts,
  }),
  route('GET', '/products/attributes', 'product.read', {
    name: 'getProductAttributes',
    summary: 'List the attribute keys of all products, and the values of each',
    mayLag: true,
    isKept: true,
    answer: plain('ProductAttributes'),
    run: getProductAttributes,
  }),
  route('GET', '/products/feed-report', 'product.read', {
    name: 'getFeedReport',
    summary: 'List the published products that the feeds leave out, with the reasons',
    description:
      'Oldest first. The first page has totals. An answer checks at most 5,000 products: it can have fewer items than `limit`, or none, and `after` for the next page. Works while the feeds are off, too. A storefront key does not have it.',
    query: 'FeedReportQuery',
    mayLag: true,
    answer: plain('FeedReport'),
    run: (ctx, query: FeedReportQueryInput) => getFeedReport(ctx, query),
  }),
  route('GET', '/products/by-attributes', 'product.read', {
    name: 'listProductsByAttributes',
    summary: 'List the products that have the attributes of the query',
    mayLag: true,
    isKept: true,
    description:
      'The list of products by another name, with at least one attribute. A parameter that is not one of the list is an attribute, as in `?color=red&size=L`. `attr.<name>` works for all names. An attribute with the name of a parameter, such as `search`, needs it.',
    query: 'AttributeQuery',
    repeats: true,
    answer: productList,
    run: (ctx, query: Record<string, string | string[]>) =>
      listProductsByAttributesJson(ctx, productQueryOf(query, true) as AttributeQueryInput),
  }),
  route('GET', '/products/by-variant-group', 'product.read', {
    name: 'listVariantGroup',
    summary: 'List the variants of a product',
    description: 'The list of products by another name, with a `variantGroupId`.',
    mayLag: true,
    isKept: true,
    query: 'VariantGroupQuery',
    repeats: true,
    answer: productList,
    run: listVariantGroupJson,
  }),
];
