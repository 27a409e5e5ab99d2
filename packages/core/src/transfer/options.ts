import { invalid, quote } from '../kernel/errors.ts';
import { excelStyle } from './files/excel.ts';
import type { Problem } from './files/rows.ts';
import type { Encoding } from './files/text.ts';
import { type ImportedResource, importedResources, matchFields } from './formats/own.ts';
import type { Import } from './progress.ts';

/** Options of an import. */
export interface ImportOptions {
  /** Detected from the content by default. */
  format?: 'csv' | 'jsonl' | undefined;
  encoding?: Encoding | undefined;
  /** The language of the Excel that wrote a CSV file, such as `de`: its decimal sign tells how `1,800` is read, which is refused otherwise. */
  excel?: string | undefined;
  /** Our column by the file's. */
  map?: Readonly<Record<string, string>> | undefined;
  /** The field by which a row finds the item it changes; `slug` by default, `email` for customers. */
  match?: string | undefined;
  /** `stop` at the first refused row, with everything before it written, or `skip` it; `stop` by default. */
  onError?: 'stop' | 'skip' | undefined;
  dryRun?: boolean | undefined;
  /** Emits events to subscribers; true by default. */
  events?: boolean | undefined;
  /** Downloads the images of products into media. */
  images?: boolean | undefined;
  /** Sets the stock from the file even if orders have changed it since it was last set. */
  overwriteStock?: boolean | undefined;
  /**
   * For a row with the SKU of an earlier row: `refuse` refuses it, `clear` imports it without a SKU. By default `clear` for files of other
   * shops, and `refuse` for ours.
   */
  repeatedSku?: RepeatedSku | undefined;
  /** `text` by default for files of other shops; descriptions in our own files do not change by default. */
  descriptions?: DescriptionForm | undefined;
}

export const descriptionForms = ['text', 'html'] as const;
/** Handling of HTML descriptions: `text` keeps their text, with paragraphs and lists as lines; `html` keeps the HTML. */
export type DescriptionForm = (typeof descriptionForms)[number];

export const repeatedSkus = ['refuse', 'clear'] as const;
export type RepeatedSku = (typeof repeatedSkus)[number];

/** A file, with hooks to follow and end its import. */
export interface ImportSource {
  /** Opens the file from its start; called twice if a format needs it. */
  open(): AsyncIterable<Uint8Array>;
  name?: string | undefined;
  size?: number | undefined;
  /** Digest of the content: an interrupted import of the same content with the same options continues from its position. */
  digest?: string | undefined;
}

export interface ImportHooks {
  /** Called after each batch. */
  onProgress?(state: Import): void;
  /** Called before anything is read, when a new import begins. */
  onStart?(): void | Promise<void>;
  /** Called before anything is read, when an earlier import continues. @param lastLine the line of the last completed row */
  onResume?(state: Import, lastLine: number): void | Promise<void>;
  /** Receives every problem, in the order of the file, before its rows are committed. */
  onProblems?(problems: readonly Problem[], kind: 'refused' | 'warning'): void | Promise<void>;
  /** Ends the import after the current batch. */
  signal?: AbortSignal | undefined;
  /** Rows per transaction; 500 by default. */
  batchRows?: number | undefined;
  /** Share of its thread's time that the import can use, up to 1. */
  share?: number | undefined;
}

/** Identifies the imports of one content with the same options. */
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
    throw invalid('resource', `must be one of ${importedResources.join(', ')}, not ${quote(resource)}`, {
      code: 'NOT_OFFERED',
      limits: { values: importedResources },
    });
  }
  const { match, repeatedSku, excel } = options;
  if (excel !== undefined) excelStyle(excel);
  if (repeatedSku === 'clear' && match === 'sku') {
    throw invalid('repeatedSku', 'must be refuse when rows are matched by their SKU', { code: 'CONFLICTING' });
  }
  if (match !== undefined && !matchFields[resource].includes(match)) {
    throw invalid('match', `must be one of ${matchFields[resource].join(', ')}, not ${quote(match)}`, {
      code: 'NOT_OFFERED',
      limits: { values: matchFields[resource] },
    });
  }
}
