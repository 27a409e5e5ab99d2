import { getBestSellers, getDesk, getSales, getSalesByCountry, getTaxes } from '@commerce/core';
import { item, list, plain } from './answers.ts';
import { type Route, route } from './router.ts';

/** What was sold, from sums stored with each payment and refund, and what waits, from kept counts. */
export const statisticsRoutes: readonly Route[] = [
  route('GET', '/statistics/sales', 'order.read', {
    name: 'getSales',
    summary: 'Get orders, gross sales and refunds for each day, week, month, quarter or year of a period',
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
  route('GET', '/statistics/countries', 'order.read', {
    name: 'getSalesByCountry',
    summary: 'List sales by the country of the shipping address, else of the billing address',
    mayLag: true,
    description:
      'By gross sales. What counts, and the time without `from` and `to`, is as for `GET /statistics/sales`. At most ten years.',
    query: 'CountrySalesQuery',
    answer: list('CountrySales'),
    run: getSalesByCountry,
  }),
  route('GET', '/statistics/taxes', 'order.read', {
    name: 'getTaxes',
    summary: 'List taxes by country and rate, for a tax return such as that of the one-stop shop',
    mayLag: true,
    description:
      'An order counts when it is paid or fulfilled, whichever is first, and a refund when it is recorded, apart. Without `from`, the thirty days before `to`; without `to`, up to the end of today. At most ten years.',
    query: 'TaxStatisticsQuery',
    answer: list('TaxStatistics'),
    run: getTaxes,
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
