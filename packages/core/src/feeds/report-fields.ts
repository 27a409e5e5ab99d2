import * as z from 'zod';
import { count, id, once, optionalWords, words, yesOrNo } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { noted } from '../fields/notes.ts';
import { wholeNumber } from '../kernel/paging.ts';
import { fields, queryFlag, text } from '../kernel/parse.ts';
import { feedProblemCodes } from './problems.ts';

/** Products that are checked for the totals of one answer. */
export const maxChecked = 5000;

export const FeedReportQuery = noted(
  fields({
    /** Maximum number of products. */
    limit: wholeNumber(1, 200).prefault(50).describe('Maximum number of products.'),
    /** `after` of the previous page. */
    after: text(64).optional().describe('`after` of the previous page.'),
    /** True for the products in the feeds that something is wrong with, too. */
    warnings: queryFlag.optional().describe('True for the products in the feeds that something is wrong with, too.'),
  }),
  { description: 'The page of a report about the feeds.' },
);
export type FeedReportQueryInput = z.input<typeof FeedReportQuery>;

const problem = () =>
  z
    .object({
      code: z.enum(feedProblemCodes).meta({ description: 'What is wrong.', examples: ['NO_IMAGE'] }),
      field: words('The field of the product, or the column of the feed.', 'primaryMediaId'),
      message: words('The same in a sentence.', 'the product has no image'),
      leavesOut: yesOrNo('Whether the product is left out because of it.', true),
    })
    .meta({ description: 'Something that is wrong with a product in a feed.' });

const product = () =>
  z
    .object({
      id: id('The id of the product.', exampleIds.product),
      title: words('Its title.', 'Blue mug'),
      slug: words('Its slug.', 'blue-mug'),
      sku: optionalWords('Its SKU.', 'MUG'),
      isLeftOut: yesOrNo('Whether the feeds leave it out.', true),
      problems: z.array(problem()).meta({ description: 'What is wrong with it.' }),
    })
    .meta({ description: 'A published product that something is wrong with.' });

const totals = () =>
  z
    .object({
      published: count('Published products of the store.', 340),
      checked: count(`Those of them that were checked: all, or the oldest ${maxChecked}.`, 340),
      listed: count('Those of the checked ones that are in the feeds.', 328),
      leftOut: count('Those of the checked ones that the feeds leave out.', 12),
      warned: count('Those in the feeds that something is wrong with.', 5),
      codes: z
        .record(z.string(), z.int())
        .meta({ description: 'Checked products by code.', examples: [{ NO_IMAGE: 12, BARCODE_NOT_GTIN: 5 }] }),
    })
    .meta({ description: 'How many products are in the feeds.' });

/** Products that something is wrong with in the feeds, as they are answered. */
export const feedReportAnswer = once(() =>
  z
    .object({
      items: z.array(product()).meta({ description: 'Published products that the feeds leave out, oldest first.' }),
      after: optionalWords('For the next page; null if there is none.', exampleIds.product),
      totals: totals().nullable().meta({ description: 'Sums; null on every page but the first.' }),
    })
    .meta({ description: 'What the feeds leave out, and why.' }),
);

export type FeedReport = z.output<ReturnType<typeof feedReportAnswer>>;
export type FeedTotals = NonNullable<FeedReport['totals']>;
export type ReportedProduct = FeedReport['items'][number];
