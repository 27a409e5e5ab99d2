import * as z from 'zod';
import { count, id, optionalTime, optionalWords, time, words, yesOrNo } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import { importedResources } from '../transfer/formats/own.ts';
import { type Import as ImportEntity, importStatuses, maxProblems } from '../transfer/progress.ts';
import { exactly } from './exactly.ts';

const Problem = z
  .object({
    line: count('Line of the file at which the row begins.', 12),
    column: optionalWords('The column, as the file has it; null for the row as a whole.', 'price'),
    value: optionalWords('The cell, shortened.', '1,800'),
    reason: words('What is wrong with it.', 'is ambiguous'),
  })
  .meta({ description: 'Something about a row.' });

const optionalCount = (description: string, example: number) =>
  z
    .int()
    .nullable()
    .meta({ description, examples: [example] });

export const Import = exactly<ImportEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', '0193d3f7-1990-78df-ab12-c7495a684739'),
      storeId: id('The store it belongs to.', exampleIds.store),
      resource: z.enum(importedResources).meta({ description: 'What the rows are.', examples: ['products'] }),
      status: z.enum(importStatuses).meta({
        description:
          '`stopped` at a refused row; `interrupted` by the end of the service, which goes on with it at its next start.',
        examples: ['completed'],
      }),
      fileName: optionalWords('The name of the file, where it is known.', 'products.csv'),
      fileSize: optionalCount('Bytes of the file.', 48_213),
      readBytes: count('Bytes read so far.', 48_213),
      dryRun: yesOrNo('True when nothing is written.', false),
      format: optionalWords('The format as which the file was recognised.', 'Shopify'),
      rows: count('Rows done with so far.', 100),
      created: count('Created so far.', 90),
      updated: count('Changed so far.', 5),
      unchanged: count('Rows that say what is stored already.', 4),
      refused: count('Refused rows.', 1),
      warnings: count('Warnings.', 0),
      images: count('Fetched images.', 0),
      imagesLeft: count('Images of rows that are not in media.', 0),
      categories: z
        .array(z.string())
        .meta({ description: 'Names of categories it has created.', examples: [['Mugs']] }),
      unusedColumns: z
        .array(z.string())
        .meta({ description: 'Columns that say nothing here.', examples: [['Variant Grams']] }),
      problems: z.array(Problem).meta({ description: `Why rows were refused; the first ${maxProblems}.` }),
      warningsShown: z.array(Problem).meta({ description: `The first ${maxProblems} warnings.` }),
      error: optionalWords('Why it failed.'),
      createdAt: time('Time of creation, UTC.'),
      updatedAt: time('Time of the last progress, UTC.'),
      finishedAt: optionalTime('Time of its end, UTC.', '2026-11-20T12:01:00.000Z'),
    })
    .meta({ description: 'The import of a file.' }),
);
