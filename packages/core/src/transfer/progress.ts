import * as z from 'zod';
import { count, id, once, optionalTime, optionalWords, time, words, yesOrNo } from '../fields/answers.ts';
import { exampleIds } from '../fields/example-ids.ts';
import type { Problem } from './files/rows.ts';
import { importedResources } from './formats/own.ts';

export const importStatuses = ['waiting', 'running', 'completed', 'stopped', 'interrupted', 'failed'] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** Problems that an import keeps of each kind; all of them go to the report. */
export const maxProblems = 100;

/** Maximum listed names of created categories and of unused columns. */
const maxNames = 100;

const problemAnswer = once(() =>
  z
    .object({
      line: count('Line of the file at which the row begins.', 12),
      column: optionalWords('The column, as the file has it; null for the row as a whole.', 'price'),
      value: optionalWords('The cell, shortened.', '1,800'),
      reason: words('What is wrong with it.', 'is ambiguous'),
    })
    .meta({ description: 'Something about a row.' }),
);

const optionalCount = (description: string, example: number) =>
  z
    .int()
    .nullable()
    .meta({ description, examples: [example] });

export const importAnswer = once(() =>
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
      problems: z.array(problemAnswer()).meta({ description: `Why rows were refused; the first ${maxProblems}.` }),
      warningsShown: z.array(problemAnswer()).meta({ description: `The first ${maxProblems} warnings.` }),
      error: optionalWords('Why it failed.'),
      createdAt: time('Time of creation, UTC.'),
      updatedAt: time('Time of the last progress, UTC.'),
      finishedAt: optionalTime('Time of its end, UTC.', '2026-11-20T12:01:00.000Z'),
    })
    .meta({ description: 'The import of a file.' }),
);

/** An import as every interface answers it. */
export type Import = z.output<ReturnType<typeof importAnswer>>;

/** Progress of an import. */
export type ImportCounts = Pick<
  Import,
  'rows' | 'created' | 'updated' | 'unchanged' | 'refused' | 'warnings' | 'images' | 'imagesLeft'
>;

export const noCounts: ImportCounts = {
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  warnings: 0,
  images: 0,
  imagesLeft: 0,
};

/** Adds problems to the kept ones, up to the maximum. */
export function addProblems(kept: Problem[], problems: readonly Problem[]): void {
  kept.push(...problems.slice(0, Math.max(0, maxProblems - kept.length)));
}

export function addName(names: string[], name: string): void {
  if (names.length < maxNames && !names.includes(name)) names.push(name.slice(0, 100));
}
