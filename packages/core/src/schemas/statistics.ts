import * as z from 'zod';
import type { BestSeller as BestSellerEntity, SalesStatistics as SalesStatisticsEntity } from '../statistics/fields.ts';
import { amount, count, exactly, exampleIds, id, optionalWords } from './values.ts';

const sums = {
  orders: count('Orders that were paid, those among them that cost nothing or were cancelled since.', 12),
  gross: amount('The totals of these orders.', '480.00'),
  refunded: amount('What was refunded in that time, whenever its order was paid.', '32.00'),
  net: z.string().meta({
    pattern: '^-?\\d+(\\.\\d{1,4})?$',
    description: '`gross` less `refunded`; below 0 where more was refunded than paid.',
    examples: ['448.00'],
  }),
};

export const SalesStatistics = exactly<SalesStatisticsEntity>()(
  z
    .object({
      items: z
        .array(
          z.object({
            ...sums,
            from: z.string().meta({
              format: 'date',
              description: 'The local date on which the interval begins; of the first one, on which the time does.',
              examples: ['2026-11-01'],
            }),
          }),
        )
        .meta({ description: 'The intervals, oldest first; those in which nothing was sold, too.' }),
      total: count('Number of the intervals.', 30),
      sum: z.object(sums).meta({ description: 'All of them together.' }),
    })
    .meta({ description: "What was sold in some time. Amounts are decimal strings in the store's currency." }),
);

export const BestSeller = exactly<BestSellerEntity>()(
  z
    .object({
      productId: id('The product; it may have been deleted since.', exampleIds.product),
      title: optionalWords('Its present title; null when nothing is left of the product.', 'Blue mug'),
      sku: optionalWords('Its present SKU.', 'MUG'),
      quantity: count('Pieces in paid orders, whatever was refunded since.', 24),
      gross: amount('The sum of unit price × quantity − line discount.', '300.00'),
    })
    .meta({ description: 'How much was sold of one product.' }),
);
