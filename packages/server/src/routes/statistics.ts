import { getBestSellers, getDesk, getSales } from '@commerce/core';
import { item, list, plain } from './answers.ts';
import { type Route, route } from './router.ts';

/** What was sold, from sums stored with each payment and refund, and what waits, from kept counts. */
export const statisticsRoutes: readonly Route[] = [
  route('GET', '/statistics/sales', 'order.read', {
    name: 'getSales',
    summary: 'Get orders, gross sales and refunds for each day, week or month of a period',
    mayLag: true,
    description:
      'An order counts when it is paid, and a refund when it is recorded. Without `from`, the thirty days before `to`; without `to`, up to the end of today. At most 400 intervals.',
    query: 'SalesQuery',
    answer: plain('SalesStatistics'),
    run: getSales,
  }),
  route('GET', '/statistics/products', 'order.read', {
    name: 'getBestSellers',
    summary: 'List the best-selling products of a period of UTC days',
    mayLag: true,
    description:
      'Refunds do not refer to products and are not subtracted. The total is the number of all products sold.',
    query: 'BestSellerQuery',
    answer: list('BestSeller'),
    run: getBestSellers,
  }),
  route('GET', '/desk', null, {
    name: 'getDesk',
    summary: 'Get the work that waits: orders to send, money to refund, payments, deliveries and stock to look at',
    description:
      'For pages that ask every few seconds: send the `ETag` of the last answer as `If-None-Match` to get 304 while nothing has changed. Each figure is null without its scope. Storefront keys are refused.',
    answer: item('Desk'),
    run: getDesk,
  }),
];
