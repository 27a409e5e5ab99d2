import * as z from 'zod';
import { amount, count, id, once, optionalId, optionalWords, words } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { noted } from '../fields/notes.ts';
import { dateOrTime } from '../kernel/calendar.ts';
import { paging, wholeNumber } from '../kernel/paging.ts';
import { fields, oneOf } from '../kernel/parse.ts';
import { timeZone } from '../kernel/time-zone.ts';
import { intervals } from './intervals.ts';

/** Maximum number of intervals in one answer. */
export const maxIntervals = 400;

/** Maximum range of best sellers and of sales by country, in days: ten years. */
export const maxDays = 3660;

/** Days of a range without a beginning. */
export const usualDays = 30;

export const SalesQuery = noted(
  fields({
    /** Inclusive. A date begins in the time zone; a time is rounded to quarters of an hour. */
    from: dateOrTime
      .optional()
      .describe('Inclusive. A date begins in the time zone; a time is rounded to quarters of an hour.'),
    /** Not included. */
    to: dateOrTime.optional().meta({ description: 'Not included.', examples: ['2026-12-01'] }),
    /** Weeks begin on Monday, quarters and years in January. */
    interval: oneOf(intervals).default('day').describe('Weeks begin on Monday, quarters and years in January.'),
    /** The time zone of the intervals, by its IANA name; by default, the store's. */
    timeZone: timeZone
      .optional()
      .describe("The time zone of the intervals, by its IANA name; by default, the store's."),
  }),
  {
    description: 'The time of a statistic of sales, and how it is divided.',
  },
);
export type SalesQueryInput = z.input<typeof SalesQuery>;

export const BestSellerQuery = noted(
  fields({
    /** The first day. */
    from: dateOrTime.optional().describe('The first day.'),
    /** Not included. */
    to: dateOrTime.optional().meta({ description: 'Not included.', examples: ['2026-12-01'] }),
    /** The maximum number of products. */
    limit: wholeNumber(1, 100).default(10).describe('The maximum number of products.'),
    /** Number of products to skip. */
    offset: paging.offset.describe('Number of products to skip.'),
  }),
  {
    description: "The days, in the shop's time zone, in which best sellers are looked for.",
  },
);
export type BestSellerQueryInput = z.input<typeof BestSellerQuery>;

export const CountrySalesQuery = noted(
  fields({
    /** Inclusive. A date begins in the time zone; a time is rounded to quarters of an hour. */
    from: SalesQuery.shape.from,
    /** Not included. */
    to: SalesQuery.shape.to,
    /** The time zone of the dates, by its IANA name; by default, the store's. */
    timeZone: timeZone.optional().describe("The time zone of the dates, by its IANA name; by default, the store's."),
  }),
  {
    description: 'The time of sales by country.',
  },
);
export type CountrySalesQueryInput = z.input<typeof CountrySalesQuery>;

/** The time of taxes, as that of sales by country. */
export const TaxStatisticsQuery = noted(fields(CountrySalesQuery.shape), { description: 'The time of taxes.' });
export type TaxStatisticsQueryInput = z.input<typeof TaxStatisticsQuery>;

const sums = () => ({
  orders: count('Paid orders, including free ones and ones cancelled since then.', 12),
  gross: amount('The totals of these orders.', '480.00'),
  refunded: amount('Refunds recorded in that time, whenever the order was paid.', '32.00'),
  net: z.string().meta({
    pattern: '^-?\\d+(\\.\\d{1,4})?$',
    description: '`gross` less `refunded`; below 0 if more was refunded than paid.',
    examples: ['448.00'],
  }),
});

export const salesAnswer = once(() =>
  z
    .object({
      items: z
        .array(
          z.object({
            ...sums(),
            from: z.string().meta({
              format: 'date',
              description: 'The local date on which the interval begins; for the first one, the date of `from`.',
              examples: ['2026-11-01'],
            }),
          }),
        )
        .meta({ description: 'The intervals, oldest first, including intervals without sales.' }),
      total: count('Number of the intervals.', 30),
      sum: z.object(sums()).meta({ description: 'All of them together.' }),
    })
    .meta({ description: "Sales in a time range. Amounts are decimal strings in the store's currency." }),
);

/** Sales in a time range. Amounts are decimal strings in the store's currency. */
export type SalesStatistics = z.output<ReturnType<typeof salesAnswer>>;
/** Sales in one interval. */
export type Sales = SalesStatistics['items'][number];
export type SalesSums = SalesStatistics['sum'];

export const bestSellerAnswer = once(() =>
  z
    .object({
      productId: id('The product, which might have been deleted.', exampleIds.product),
      /** Its present title and SKU, even if it was deleted; null when nothing is left of the product. */
      title: optionalWords('Its current title; null if the product no longer exists.', 'Blue mug'),
      sku: optionalWords('Its current SKU.', 'MUG'),
      primaryMediaId: optionalId('Its current main image: the chosen one, else the first.', exampleIds.media),
      /** Pieces in paid orders, including refunded pieces. */
      quantity: count('Pieces in paid orders, including refunded pieces.', 24),
      /** The sum of unit price × quantity − line discount. */
      gross: amount('The sum of unit price × quantity − line discount.', '300.00'),
    })
    .meta({ description: 'The sales of one product.' }),
);

/** Sales of one product. */
export type BestSeller = z.output<ReturnType<typeof bestSellerAnswer>>;

export const countrySalesAnswer = once(() =>
  z
    .object({
      country: optionalWords(
        'The country of the shipping address, else of the billing address, as the order states it; codes of two letters in upper case. Null for orders without either.',
        'DE',
      ),
      ...sums(),
    })
    .meta({ description: "Sales to one country. Amounts are decimal strings in the store's currency." }),
);

/** Sales to one country. */
export type CountrySales = z.output<ReturnType<typeof countrySalesAnswer>>;

export const taxStatisticsAnswer = once(() =>
  z
    .object({
      country: optionalWords(
        'Whose tax it is: the country of the rate; null for the one rate of a store and for a rate that an order was given.',
        'DE',
      ),
      rate: words('The rate, a fraction.', '0.19'),
      orders: count('Orders that were paid or fulfilled in that time, whichever was first.', 12),
      base: amount('What the tax falls on, without it.', '400.00'),
      tax: amount('The tax of these orders.', '76.00'),
      refundedBase: amount('What was refunded in that time, without the tax, whenever the order was taxed.', '20.00'),
      refundedTax: amount('The tax in these refunds.', '3.80'),
    })
    .meta({ description: "The taxes of one country and rate. Amounts are decimal strings in the store's currency." }),
);

/** The taxes of one country and rate. */
export type TaxStatistics = z.output<ReturnType<typeof taxStatisticsAnswer>>;
