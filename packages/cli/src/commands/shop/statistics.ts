import {
  type BestSeller,
  type CountrySales,
  getBestSellers,
  getSales,
  getSalesByCountry,
  getTaxes,
  intervals,
  type Sales,
  type TaxStatistics,
} from '@commerce/core';
import { Command } from 'commander';
import { listCommand } from '../../resource/lists.ts';

const time = {
  from: { flags: '--from <date or time>', description: 'the start; by default, thirty days before the end' },
  to: { flags: '--to <date or time>', description: 'the end, exclusive; by default, the end of today' },
};

const zone = (of: string) => ({
  flags: '--time-zone <name>',
  description: `the time zone ${of}, such as Europe/Berlin; by default, the store's`,
});

export function statisticsCommand(): Command {
  return new Command('statistics')
    .description('show sales by time, by product and by country, and taxes')
    .addCommand(
      listCommand<Sales>(
        'show orders, gross sales and refunds for each day, week, month, quarter or year',
        [
          'statistics sales',
          'statistics sales --from 2026-01-01 --interval month --time-zone Europe/Berlin',
          'statistics sales --csv sales.csv',
        ],
        {
          filters: {
            ...time,
            interval: {
              flags: '--interval <interval>',
              description: 'the length of each interval',
              choices: intervals,
            },
            timeZone: zone('of the intervals'),
          },
          columns: {
            from: (sales) => sales.from,
            orders: (sales) => sales.orders,
            gross: (sales) => sales.gross,
            refunded: (sales) => sales.refunded,
            net: (sales) => sales.net,
          },
          read: getSales,
        },
        { name: 'sales', window: 'none', csvFile: true },
      ),
    )
    .addCommand(
      listCommand<BestSeller>(
        "show the best-selling products, by days in the store's time zone",
        ['statistics products', 'statistics products --from 2026-11-01 --to 2026-12-01 --limit 20 --json'],
        {
          item: 'BestSeller',
          filters: time,
          columns: {
            sku: (product) => product.sku,
            title: (product) => product.title,
            quantity: (product) => product.quantity,
            gross: (product) => product.gross,
            id: (product) => product.productId,
          },
          read: getBestSellers,
        },
        { name: 'products', window: 'short', csvFile: true },
      ),
    )
    .addCommand(
      listCommand<CountrySales>(
        'show orders, gross sales and refunds by country',
        ['statistics countries', 'statistics countries --from 2026-01-01 --csv countries.csv'],
        {
          filters: { ...time, timeZone: zone('of the dates') },
          columns: {
            country: (sales) => sales.country,
            orders: (sales) => sales.orders,
            gross: (sales) => sales.gross,
            refunded: (sales) => sales.refunded,
            net: (sales) => sales.net,
          },
          read: getSalesByCountry,
        },
        { name: 'countries', window: 'none', csvFile: true },
      ),
    )
    .addCommand(
      listCommand<TaxStatistics>(
        'show taxes by country and rate, for a tax return such as that of the one-stop shop',
        ['statistics taxes', 'statistics taxes --from 2026-10-01 --to 2027-01-01 --csv oss-2026-q4.csv'],
        {
          filters: { ...time, timeZone: zone('of the dates') },
          columns: {
            country: (taxes) => taxes.country,
            rate: (taxes) => taxes.rate,
            orders: (taxes) => taxes.orders,
            base: (taxes) => taxes.base,
            tax: (taxes) => taxes.tax,
            refundedBase: (taxes) => taxes.refundedBase,
            refundedTax: (taxes) => taxes.refundedTax,
          },
          read: getTaxes,
        },
        { name: 'taxes', window: 'none', csvFile: true },
      ),
    );
}
