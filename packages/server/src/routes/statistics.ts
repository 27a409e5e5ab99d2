import { getBestSellers, getSales } from '@commerce/core';
import { list, plain } from './answers.ts';
import { type Route, route } from './router.ts';

/** Sales, from sums stored with each payment and refund. */
export const statisticsRoutes: readonly Route[] = [
  route('GET', '/statistics/sales', 'order.read', {
    name: 'getSales',
    summary: 'Get orders, gross and refunds for each day, week or month of a time',
    mayLag: true,
    description:
      'An order counts when it is paid, and a refund when it is recorded. Without `from`, the thirty days before `to`; without `to`, up to the end of today. At most 400 intervals.',
    query: 'SalesQuery',
    answer: plain('SalesStatistics'),
    run: getSales,
  }),
  route('GET', '/statistics/products', 'order.read', {
    name: 'getBestSellers',
    summary: 'List the products of which most pieces were sold in some days of UTC',
    mayLag: true,
    description: 'Refunds name no products and change nothing. The total is the number of all products that were sold.',
    query: 'BestSellerQuery',
    answer: list('BestSeller'),
    run: getBestSellers,
  }),
];
