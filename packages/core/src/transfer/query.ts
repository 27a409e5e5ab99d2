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
    /** The resource of the rows. */
    resource: oneOf(importedResources).default('products').describe('The resource of the rows.'),
    /** The format of the file; by default, determined from its type or content. */
    format: oneOf(['csv', 'jsonl'])
      .optional()
      .describe('The format of the file; by default, determined from its type or content.'),
    /** The encoding of a file that is not UTF-8. */
    encoding: oneOf(encodings).optional().describe('The encoding of a file that is not UTF-8.'),
    /** The field that matches rows with existing items: by default `slug`, or `email` for customers. */
    match: oneOf(allMatchFields)
      .optional()
      .describe('The field that matches rows with existing items: by default `slug`, or `email` for customers.'),
    /** `stop`, the default, at the first rejected row, with earlier rows written, or `skip` it. */
    onError: oneOf(['stop', 'skip'])
      .optional()
      .describe('`stop`, the default, at the first rejected row, with earlier rows written, or `skip` it.'),
    /** Only checks the file, without writing. */
    dryRun: switched.optional().describe('Only checks the file, without writing.'),
    /** Whether subscribers are notified; true by default. */
    events: switched.optional().describe('Whether subscribers are notified; true by default.'),
    /** Downloads the images of products into media. */
    images: switched.optional().describe('Downloads the images of products into media.'),
    /** Also sets stock that orders have changed since it was last set. */
    overwriteStock: switched.optional().describe('Also sets stock that orders have changed since it was last set.'),
    /** How to treat a row with the SKU of an earlier row: `refuse` rejects it, `clear` imports it without a SKU. By default `clear` for files of other shops, and otherwise `refuse`. */
    repeatedSku: oneOf(repeatedSkus)
      .optional()
      .describe(
        'How to treat a row with the SKU of an earlier row: `refuse` rejects it, `clear` imports it without a SKU. By default `clear` for files of other shops, and otherwise `refuse`.',
      ),
    /** How to import HTML descriptions: `text` converts paragraphs and lists to lines, `html` keeps them unchanged. By default `text` for files of other shops. */
    descriptions: oneOf(descriptionForms)
      .optional()
      .describe(
        'How to import HTML descriptions: `text` converts paragraphs and lists to lines, `html` keeps them unchanged. By default `text` for files of other shops.',
      ),
    /** A JSON object that maps columns of the file to our columns. */
    map: text(10_000)
      .optional()
      .meta({
        description: 'A JSON object that maps columns of the file to our columns.',
        examples: ['{"Nome":"title"}'],
      }),
  }),
  {
    description: 'How a file is imported.',
  },
);
export type ImportQueryInput = z.input<typeof ImportQuery>;
