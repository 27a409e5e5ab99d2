import {
  type AttributeQueryInput,
  createProduct,
  deleteProduct,
  getProductAttributes,
  readProduct,
  readProducts,
  readProductsByAttributes,
  readVariantGroup,
  updateProduct,
} from '@commerce/core';
import { type Route, route } from '../router.ts';
import { list } from './answers.ts';
import { crudRoutes } from './crud.ts';

export const productRoutes: readonly Route[] = [
  ...crudRoutes('/products', 'product', {
    list: readProducts,
    create: createProduct,
    read: readProduct,
    update: updateProduct,
    delete: deleteProduct,
  }),
  route('GET', '/products/attributes', 'product.read', (ctx) => getProductAttributes(ctx).then(JSON.stringify)),
  route('GET', '/products/by-attributes', 'product.read', (ctx, { query }) =>
    readProductsByAttributes(ctx, attributeQuery(query)).then(list),
  ),
  route('GET', '/products/by-variant-group', 'product.read', (ctx, { query }) =>
    readVariantGroup(ctx, query).then(list),
  ),
];

const windowParameters = new Set(['limit', 'offset', 'status']);

/** Every parameter names an attribute, but for those of lists; `attr.<key>` names one that is called like those. */
function attributeQuery(query: Record<string, string>): AttributeQueryInput {
  const window: Record<string, string> = {};
  const attributes: [string, string][] = [];
  for (const [name, value] of Object.entries(query)) {
    if (windowParameters.has(name)) window[name] = value;
    else attributes.push([name.replace(/^attr\./, ''), value]);
  }
  return { ...window, attributes: Object.fromEntries(attributes) } as AttributeQueryInput;
}
