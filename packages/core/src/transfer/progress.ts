import type { Problem } from './files/rows.ts';
import type { ImportedResource } from './formats/own.ts';

export const importStatuses = ['waiting', 'running', 'completed', 'stopped', 'interrupted', 'failed'] as const;
export type ImportStatus = (typeof importStatuses)[number];

/** Problems that an import keeps of each kind; all of them go to the report. */
export const maxProblems = 100;

/** Maximum listed names of created categories and of unused columns. */
const maxNames = 100;

/** Progress of an import. */
export interface ImportCounts {
  /** Completed rows of the file. */
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  refused: number;
  warnings: number;
  /** Images that were fetched. */
  images: number;
  /** Images of rows without media. */
  imagesLeft: number;
}

/** An import as every interface answers it. */
export interface Import extends ImportCounts {
  id: string;
  storeId: string;
  resource: ImportedResource;
  /** `stopped` at a refused row, `interrupted` from outside; the same command continues in both cases. */
  status: ImportStatus;
  fileName: string | null;
  /** Size of the file in bytes, if known. */
  fileSize: number | null;
  /** Bytes read so far. */
  readBytes: number;
  /** True if nothing is written. */
  dryRun: boolean;
  /** Format that the file was recognised as. */
  format: string | null;
  categories: string[];
  unusedColumns: string[];
  /** Reasons why the first rows were refused. */
  problems: Problem[];
  warningsShown: Problem[];
  /** Reason of the failure. */
  error: string | null;
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
}

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
