import { type BestSeller, getBestSellers, getSales, type Sales } from '@commerce/core';
import { Command } from 'commander';
import { listCommand } from '../../resource/lists.ts';

const time = {
  from: { flags: '--from <date or time>', description: 'the beginning; thirty days before the end where left out' },
  to: { flags: '--to <date or time>', description: 'the end, not included; that of today where left out' },
};

export function statisticsCommand(): Command {
  return new Command('statistics')
    .description('show what was sold: by day, week or month, and of which products')
    .addCommand(
      listCommand<Sales>(
        'show orders, gross and refunds for each day, week or month',
        [
          'statistics sales',
          'statistics sales --from 2026-01-01 --interval month --time-zone Europe/Berlin',
          'statistics sales --csv > sales.csv',
        ],
        {
          filters: {
            ...time,
            interval: {
              flags: '--interval <interval>',
              description: 'what to divide the time into',
              choices: ['day', 'week', 'month'],
            },
            timeZone: {
              flags: '--time-zone <name>',
              description: "the zone of the intervals, such as Europe/Berlin; the store's where left out",
            },
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
        { name: 'sales', window: 'none' },
      ),
    )
    .addCommand(
      listCommand<BestSeller>(
        "show the products of which most pieces were sold, by days of the shop's time zone",
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
        { name: 'products', window: 'limit' },
      ),
    );
}
