import { createProduct, deleteProduct, readProduct, readProducts, updateProduct } from '@commerce/core';
import { type Route, route } from '../router.ts';
import { item, list, nothing } from './answers.ts';

export const productRoutes: readonly Route[] = [
  route('GET', '/products', 'product.read', (ctx, { query }) => readProducts(ctx, query).then(list)),
  route('POST', '/products', 'product.write', (ctx, { body }) => createProduct(ctx, body).then(item), 201),
  route('GET', '/products/{id}', 'product.read', (ctx, { params }) => readProduct(ctx, params.id).then(item)),
  route('PUT', '/products/{id}', 'product.write', (ctx, { params, body }) =>
    updateProduct(ctx, params.id, body).then(item),
  ),
  route(
    'DELETE',
    '/products/{id}',
    'product.delete',
    (ctx, { params }) => deleteProduct(ctx, params.id).then(nothing),
    204,
  ),
];
