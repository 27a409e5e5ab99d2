import * as z from 'zod';
import { amount, count } from '../fields/answers.ts';
import type { SalesStatistics as SalesStatisticsEntity } from '../statistics/fields.ts';
import { exactly } from './exactly.ts';

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
