import {
  type AttributeQueryInput,
  adjustStock,
  changeProducts,
  getProductAttributes,
  listProductsByAttributesJson,
  listVariantGroupJson,
} from '@commerce/core';
import { item, list, plain } from './answers.ts';
import { type Route, route } from './router.ts';

/** Parameters of the list itself, which name no attribute. */
const windowParameters = { limit: true, offset: true, after: true, status: true } satisfies Record<
  Exclude<keyof AttributeQueryInput, 'attributes'>,
  true
>;

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
    answer: plain('ProductAttributes'),
    run: getProductAttributes,
  }),
  route('GET', '/products/by-attributes', 'product.read', {
    name: 'listProductsByAttributes',
    summary: 'List the products that have all attributes of the query',
    mayLag: true,
    description: `Every parameter except ${Object.keys(windowParameters)
      .map((name) => `\`${name}\``)
      .join(
        ', ',
      )} names an attribute, as in \`?color=red&size=L\`. \`attr.<key>\` names an attribute with one of those keys.`,
    query: 'AttributeQuery',
    answer: list('Product'),
    run: (ctx, query: Record<string, string>) => listProductsByAttributesJson(ctx, attributeQuery(query)),
  }),
  route('GET', '/products/by-variant-group', 'product.read', {
    name: 'listVariantGroup',
    summary: 'List the variants of a product',
    mayLag: true,
    query: 'VariantGroupQuery',
    answer: list('Product'),
    run: listVariantGroupJson,
  }),
];

/** Every parameter other than a list's own names an attribute; `attr.<key>` names an attribute whose key is such a parameter. */
function attributeQuery(query: Record<string, string>): AttributeQueryInput {
  const window: Record<string, string> = {};
  const attributes: [string, string][] = [];
  for (const [name, value] of Object.entries(query)) {
    if (Object.hasOwn(windowParameters, name)) window[name] = value;
    else attributes.push([name.replace(/^attr\./, ''), value]);
  }
  return { ...window, attributes: Object.fromEntries(attributes) } as AttributeQueryInput;
}
