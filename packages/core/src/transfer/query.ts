import type * as z from 'zod';
import { noted } from '../fields/notes.ts';
import { fields, flag, oneOf, text } from '../kernel/parse.ts';
import { encodings } from './files/text.ts';
import { importedResources, matchFields } from './formats/own.ts';
import { descriptionForms, repeatedSkus } from './options.ts';

const allMatchFields = [...new Set(Object.values(matchFields).flat())];

/** A switch in a query, which contains only texts. */
const switched = flag.or(
  oneOf(['true', 'false', '1', '0', 'yes', 'no']).transform((word) => ['true', '1', 'yes'].includes(word)),
);

/** Query of an import over HTTP. */
export const ImportQuery = noted(
  fields({
    /** What the rows of the file are. */
    resource: oneOf(importedResources).default('products').describe('What the rows of the file are.'),
    /** Of the file; found out from its type or content when absent. */
    format: oneOf(['csv', 'jsonl']).optional().describe('Of the file; found out from its type or content when absent.'),
    /** Of a file that is not UTF-8. */
    encoding: oneOf(encodings).optional().describe('Of a file that is not UTF-8.'),
    /** The field by which a row finds what it changes: `slug`, or `email` for customers, by default. */
    match: oneOf(allMatchFields)
      .optional()
      .describe('The field by which a row finds what it changes: `slug`, or `email` for customers, by default.'),
    /** `stop` at the first refused row, with everything before it written, which is the default, or `skip` it. */
    onError: oneOf(['stop', 'skip'])
      .optional()
      .describe(
        '`stop` at the first refused row, with everything before it written, which is the default, or `skip` it.',
      ),
    /** Checks everything and writes nothing. */
    dryRun: switched.optional().describe('Checks everything and writes nothing.'),
    /** Whether subscribers are told; true by default. */
    events: switched.optional().describe('Whether subscribers are told; true by default.'),
    /** Fetches the images of products into media. */
    images: switched.optional().describe('Fetches the images of products into media.'),
    /** Sets the stock also where orders have moved it since it was last set. */
    overwriteStock: switched
      .optional()
      .describe('Sets the stock also where orders have moved it since it was last set.'),
    /** What a row with the SKU of an earlier row does: `refuse` refuses it, `clear` imports it without a SKU. By default `clear` for files of other shops, and `refuse` for ours. */
    repeatedSku: oneOf(repeatedSkus)
      .optional()
      .describe(
        'What a row with the SKU of an earlier row does: `refuse` refuses it, `clear` imports it without a SKU. By default `clear` for files of other shops, and `refuse` for ours.',
      ),
    /** What becomes of descriptions in HTML: `text` keeps their paragraphs and lists as lines, `html` keeps them as they are. By default `text` for files of other shops. */
    descriptions: oneOf(descriptionForms)
      .optional()
      .describe(
        'What becomes of descriptions in HTML: `text` keeps their paragraphs and lists as lines, `html` keeps them as they are. By default `text` for files of other shops.',
      ),
    /** A JSON object of our columns by those of the file. */
    map: text(10_000)
      .optional()
      .meta({ description: 'A JSON object of our columns by those of the file.', examples: ['{"Nome":"title"}'] }),
  }),
  {
    description: 'How a file is imported.',
  },
);
export type ImportQueryInput = z.input<typeof ImportQuery>;
