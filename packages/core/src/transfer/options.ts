import { invalid, quote } from '../errors.ts';
import { type ImportedResource, importedResources, type MatchField, matchFields } from './own.ts';
import type { Import } from './progress.ts';
import type { Problem } from './rows.ts';
import type { Encoding } from './text.ts';

/** How an import works. */
export interface ImportOptions {
  /** Found out from the content when left out. */
  format?: 'csv' | 'jsonl' | undefined;
  encoding?: Encoding | undefined;
  /** Our column by the file's. */
  map?: Readonly<Record<string, string>> | undefined;
  /** The field by which a row finds the item it changes; `slug` by default, `email` for customers. */
  match?: MatchField | undefined;
  /** `stop` at the first refused row, with everything before it written, or `skip` it; `stop` by default. */
  onError?: 'stop' | 'skip' | undefined;
  dryRun?: boolean | undefined;
  /** Whether subscribers are told; true by default. */
  events?: boolean | undefined;
  /** Fetches the images of products into media. */
  images?: boolean | undefined;
  /** Takes the stock of the file also where orders have moved it since it was last set. */
  overwriteStock?: boolean | undefined;
  /**
   * What a row with the SKU of an earlier row does: `refuse` refuses it, `clear` imports it without a SKU. By default `clear` for files of
   * other shops, and `refuse` for ours.
   */
  repeatedSku?: RepeatedSku | undefined;
  /** `text` by default for files of other shops; in files of ours they stay as they are. */
  descriptions?: DescriptionForm | undefined;
}

export const descriptionForms = ['text', 'html'] as const;
/** What becomes of descriptions: the text of their HTML, with its paragraphs and lists as lines, or the HTML as it is. */
export type DescriptionForm = (typeof descriptionForms)[number];

export const repeatedSkus = ['refuse', 'clear'] as const;
export type RepeatedSku = (typeof repeatedSkus)[number];

/** A file, and how its import is followed and ended. */
export interface ImportSource {
  /** Opens the file from its start; called twice where a format needs it. */
  open(): AsyncIterable<Uint8Array>;
  name?: string | undefined;
  size?: number | undefined;
  /** Digest of the content: an interrupted import of the same content with the same options goes on where it was. */
  digest?: string | undefined;
}

export interface ImportHooks {
  /** Told after each batch. */
  onProgress?(state: Import): void;
  /** Told before anything is read, of an import that begins. */
  onStart?(): void | Promise<void>;
  /** Told before anything is read, where an earlier import goes on. @param lastLine the line of the last row that is done with */
  onResume?(state: Import, lastLine: number): void | Promise<void>;
  /** Told of every problem, in the order of the file, before the rows that it belongs to are committed. */
  onProblems?(problems: readonly Problem[], kind: 'refused' | 'warning'): void | Promise<void>;
  /** Ends the import after the batch in hand. */
  signal?: AbortSignal | undefined;
  /** Rows of a transaction; 250 by default. */
  batchRows?: number | undefined;
  /** Part of the time that the import may use of its thread, up to 1. */
  share?: number | undefined;
}

/** Tells the imports of one content with the same options from all others. */
export function fingerprintOf(resource: ImportedResource, digest: string, options: ImportOptions): string {
  return `${resource} ${digest} ${JSON.stringify(
    Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .sort(),
  )}`;
}

/** @throws CommerceError `validation` */
export function checkOptions(resource: ImportedResource, options: ImportOptions): void {
  if (!importedResources.includes(resource)) {
    throw invalid('resource', `must be one of ${importedResources.join(', ')}, not ${quote(resource)}`);
  }
  const { match, repeatedSku } = options;
  if (repeatedSku === 'clear' && match === 'sku') {
    throw invalid('repeatedSku', 'must be refuse when rows are matched by their SKU');
  }
  if (match !== undefined && !(matchFields[resource] as readonly string[]).includes(match)) {
    throw invalid('match', `must be one of ${matchFields[resource].join(', ')}, not ${quote(match)}`);
  }
}
