import { createOrder, listRefunds, readOrder, readOrders, refundOrder, updateOrder } from '@commerce/core';
import { type ClosedRoute, type Route, route } from '../router.ts';
import { item, list } from './answers.ts';

/** Orders are read here; they are made by trusted code or by a payment, and over HTTP only where that was switched on. */
export function orderRoutes(options: { ordersApi: boolean }): readonly (Route | ClosedRoute)[] {
  return [
    route('GET', '/orders', 'order.read', (ctx, { query }) => readOrders(ctx, query).then(list)),
    route('GET', '/orders/{id}', 'order.read', (ctx, { params }) => readOrder(ctx, params.id).then(item)),
    route('PUT', '/orders/{id}', 'order.write', (ctx, { params, body }) =>
      updateOrder(ctx, params.id, body).then(item),
    ),
    route('GET', '/orders/{id}/refunds', 'order.read', (ctx, { params, query }) =>
      listRefunds(ctx, params.id, query).then(list),
    ),
    route('POST', '/orders/{id}/refund', 'order.write', (ctx, { params, body }) =>
      refundOrder(ctx, params.id, body).then(item),
    ),
    options.ordersApi
      ? route('POST', '/orders', 'order.write', (ctx, { body }) => createOrder(ctx, body).then(item), 201)
      : {
          method: 'POST',
          path: '/orders',
          closed:
            'orders are not made over this interface: make a pending one with `commerce orders create` or createOrder(), ' +
            'or let a payment notification that carries its items make it; `commerce serve --orders-api` opens this path',
        },
  ];
}
