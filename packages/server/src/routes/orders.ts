import {
  createFulfilment,
  createOrder,
  deleteFulfilment,
  getOrderByToken,
  getOrderJson,
  getOrderTimeline,
  listOrdersJson,
  listRefunds,
  refundOrder,
  updateFulfilment,
  updateOrder,
} from '@commerce/core';
import { created, item, list, nothing, record } from './answers.ts';
import { type ClosedRoute, type Route, route } from './router.ts';

/** Orders: created by trusted code or by a payment, and over HTTP only if that was switched on. */
export function orderRoutes(options: { ordersApi: boolean }): readonly (Route | ClosedRoute)[] {
  return [
    route('GET', '/orders', 'order.read', {
      name: 'listOrders',
      summary: 'List orders, newest first unless `sort` says otherwise',
      query: 'OrderQuery',
      answer: list('Order'),
      run: listOrdersJson,
    }),
    route('GET', '/orders/by-token', 'checkout.read', {
      name: 'getOrderByToken',
      summary: 'Get an order as its buyer may see it, by the token of its link',
      description:
        'A storefront key can ask, too. A wrong, ended or replaced token and an order whose buyer was anonymised have the same response.',
      secretHeader: 'Order-Token',
      errors: ['notFound'],
      answer: record('BuyersOrder'),
      run: getOrderByToken,
    }),
    route('GET', '/orders/{id}', 'order.read', {
      name: 'getOrder',
      summary: 'Get an order with its items',
      answer: item('Order'),
      run: getOrderJson,
    }),
    route('PUT', '/orders/{id}', 'order.write', {
      name: 'updateOrder',
      summary: 'Change the merchant note of an order, fulfil it or cancel it',
      description:
        'pending → cancelled; paid → fulfilled, which ships all that is left in one parcel with `tracking`; paid → cancelled, which returns its stock. Other fields are accepted only with their stored values.',
      body: 'OrderChanges',
      errors: ['conflict'],
      answer: item('Order'),
      run: updateOrder,
    }),
    route('POST', '/orders/{id}/fulfilments', 'order.write', {
      name: 'createFulfilment',
      summary: 'Record a parcel of an order, with all that is left to ship or with some lines',
      description:
        'For a paid order, and for an unpaid one that is paid on delivery, on pick-up or by invoice; the first parcel of an unpaid order takes its stock. The last piece fulfils the order. The order has its parcels in `fulfilments`.',
      body: 'FulfilmentInput',
      errors: ['conflict', 'insufficientStock'],
      answer: record('Fulfilment', 201),
      run: createFulfilment,
    }),
    route('PUT', '/orders/{id}/fulfilments/{fulfilment}', 'order.write', {
      name: 'updateFulfilment',
      summary: 'Change the tracking of a parcel, or record its delivery',
      body: 'FulfilmentChanges',
      answer: record('Fulfilment'),
      run: updateFulfilment,
    }),
    route('DELETE', '/orders/{id}/fulfilments/{fulfilment}', 'order.write', {
      name: 'deleteFulfilment',
      summary: 'Remove a parcel that was recorded by mistake and is not delivered; the order is open again',
      errors: ['conflict', 'insufficientStock'],
      answer: nothing,
      run: deleteFulfilment,
    }),
    route('GET', '/orders/{id}/timeline', 'order.read', {
      name: 'getOrderTimeline',
      summary:
        'List the history of an order, oldest first: changes, payments, refunds, withdrawals, deliveries of its events',
      description:
        'Changes require the scope `auditLog.read`, payments `payment.read`, withdrawals `withdrawal.read` and deliveries `webhook.read`. The newest 100 of each are listed.',
      answer: list('TimelineEntry'),
      run: getOrderTimeline,
    }),
    route('GET', '/orders/{id}/refunds', 'order.read', {
      name: 'listRefunds',
      summary: 'List the refunds of an order, oldest first; failed ones only with `status=failed`',
      query: 'RefundQuery',
      answer: list('Refund'),
      run: listRefunds,
    }),
    route('POST', '/orders/{id}/refund', 'order.write', {
      name: 'refundOrder',
      summary: 'Refund an order: at the provider with `execute`, else record a refund made there',
      description:
        'With `execute`, the provider that took the money is asked for the refund, and the key also needs `payment.write`. Without an answer, the refund stays `pending`, and the service asks again. One refund of an order can be pending at a time. Without `execute`, no money is moved. If the `refundId` or the `Idempotency-Key` is known, the existing refund is returned as it is then.',
      body: 'RefundInput',
      errors: ['conflict'],
      answer: record('Refund'),
      run: refundOrder,
    }),
    options.ordersApi
      ? createRoute
      : {
          method: 'POST',
          path: '/orders',
          open: createRoute,
          openToUsers: true,
          closed:
            'orders cannot be created over this API: create a pending order with `commerce orders create` or createOrder(), ' +
            'or let a payment notification with its items create it; `commerce serve --orders-api` enables this route',
        },
  ];
}

const createRoute = route('POST', '/orders', 'order.write', {
  name: 'createOrder',
  summary: 'Create a pending order, if the service allows it',
  description:
    'Disabled unless the service runs with `--orders-api`. Prices, titles and SKUs come from the catalogue. The order waits for its payment.',
  body: 'OrderInput',
  errors: ['conflict', 'insufficientStock'],
  answer: created('Order'),
  run: createOrder,
});
