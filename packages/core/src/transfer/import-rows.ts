import type { InputOf } from '../collections.ts';
import type { Context } from '../engine/context.ts';
import { invalid } from '../kernel/errors.ts';
import type { Noun, nouns } from '../kernel/nouns.ts';
import type { ImportedResource } from './formats/own.ts';
import { importFile } from './import.ts';
import type { ImportHooks, ImportOptions } from './options.ts';
import type { Import } from './progress.ts';

/** Options of an import that are not about the form of a file. */
export type ImportRowsOptions = Omit<ImportOptions, 'format' | 'encoding' | 'excel' | 'map'>;

/** What rows can have instead of ids, by resource: slugs, and addresses of images. */
interface Named {
  products: {
    /** Slugs, or paths such as `kitchen>mugs`; what is missing is created. */
    categories?: readonly string[];
    images?: readonly { url: string; altText?: string | null }[];
    /** The address of the main image. */
    image?: string | null;
    seoImage?: string | null;
  };
  categories: {
    /** The slug of the category above. */
    parent?: string | null;
    seoImage?: string | null;
  };
  customers: object;
  pages: { seoImage?: string | null };
}

type NounOf<R extends ImportedResource> = { [N in Noun]: (typeof nouns)[N]['table'] extends R ? N : never }[Noun];

/**
 * A row of an import: the fields of the resource. Those that are absent keep the value of the item that the row matches. `id` and the times
 * are kept by a new item, unless the store has used the id before.
 */
export type ImportRow<R extends ImportedResource> = Partial<InputOf<NounOf<R>>> & {
  id?: string;
  createdAt?: string;
  updatedAt?: string;
  publishedAt?: string | null;
} & Named[R];

/**
 * Imports rows of the application as `importFile` imports those of a JSON Lines file: each changes the item that it matches, or creates one.
 * Rows are read while earlier ones are written, so any number of them takes the same memory.
 * @param rows read once
 * @returns the result; the `line` of a problem is the number of the row, from 1
 * @throws CommerceError `validation` for invalid options and for a row that JSON cannot hold; what `rows` throws
 */
export async function importRows<R extends ImportedResource>(
  ctx: Context,
  resource: R,
  rows: Iterable<ImportRow<R>> | AsyncIterable<ImportRow<R>>,
  options: ImportRowsOptions = {},
  hooks: ImportHooks = {},
): Promise<Import> {
  const lines = async function* () {
    let number = 0;
    for await (const row of rows) yield Buffer.from(`${lineOf(row, ++number)}\n`);
  };
  return importFile(ctx, resource, { open: lines }, { ...options, format: 'jsonl' }, hooks);
}

function lineOf(row: unknown, number: number): string {
  try {
    // A line that is no object is refused as a row.
    return JSON.stringify(row) ?? 'null';
  } catch (cause) {
    throw invalid('rows', `must be plain data, and row ${number} is not: ${(cause as Error).message}`, {
      code: 'WRONG_TYPE',
    });
  }
}
