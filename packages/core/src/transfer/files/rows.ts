import { defuseCell } from './cells.ts';

/** A problem with a row: the reason why it was refused, or a warning. */
export interface Problem {
  /** Line of the file at which the row begins. */
  line: number;
  /** Column name from the file; null if the whole row is meant. */
  column: string | null;
  /** The cell, shortened. */
  value: string | null;
  reason: string;
}

/** An external image, to be fetched or found among fetched ones. */
export interface ImageAddress {
  url: string;
  altText?: string | null;
}

/** A record of a file, with the interface's field names. */
export interface Row {
  line: number;
  /** Line of the last record that belongs to it. */
  lastRecord: number;
  /** Characters of the file that it holds, if its fields do not show this. */
  chars?: number;
  /** Input of the operation, with the fields in the file; `undefined` keeps the stored value. */
  fields: Record<string, unknown>;
  /** Fields with texts by key that add to the stored ones, because other programs have keys of their own there. */
  adds?: readonly string[];
  /** Input only for a new item. */
  onlyNew?: Record<string, unknown>;
  /** Id and timestamps that a new item keeps. */
  kept?: Kept;
  /** Paths of category names or slugs, root first; absent if the file lacks the column. */
  categories?: string[][];
  images?: ImageAddress[];
  /** Address of the main image; null for none. */
  primaryImage?: string | null;
  seoImage?: string | null;
  /** Media of the addresses, after they were searched. */
  found?: FoundImages;
  /** Slug of the parent category. */
  parentSlug?: string | null;
  /** Columns of the file by field, for messages. */
  columns: Readonly<Record<string, string>>;
  /** The cell of a column of the file, for messages, because a field can be derived from it. */
  cellOf?: (column: string) => string | undefined;
  warnings: Problem[];
}

/** The column and the value that a message about a row's field shows: the file's, if it has them. */
export function shownField(row: Row, field: string): Pick<Problem, 'column' | 'value'> {
  const column = row.columns[field] ?? (field === '' || field === 'body' ? null : field);
  const given = row.fields[field] ?? row.onlyNew?.[field];
  const value = (column !== null && row.cellOf?.(column)) || given;
  if (value === undefined || value === null) return { column, value: null };
  return { column, value: typeof value === 'object' ? JSON.stringify(value) : String(value) };
}

/** Media of a row's addresses. */
export interface FoundImages {
  fields: Record<string, unknown>;
  /** True if every address has its media; otherwise the item keeps its previous images. */
  isWhole: boolean;
}

/** Values that an item keeps when it moves from one store to another. */
export interface Kept {
  id: string;
  createdAt?: string;
  updatedAt?: string;
  publishedAt?: string | null;
}

/** Result of mapping a record. */
export type Mapped =
  | { row: Row }
  | { refused: Problem[]; line: number; lastRecord: number }
  /** Warnings about the file, which are not a row of it. */
  | { told: Problem[] };

/** The line of a warning about the whole file: the line of its header. */
export const headerLine = 1;

const maxValue = 200;

export function problem(line: number, column: string | null, value: string | null, reason: string): Problem {
  const shown = value !== null && value.length > maxValue ? `${value.slice(0, maxValue).toWellFormed()}…` : value;
  return { line, column, value: shown, reason };
}

/** A record of the file before mapping. */
export interface FileRecord {
  /** Number of the record, from 1. */
  number: number;
  /** Line at which it begins. */
  line: number;
}

export interface CsvRecord extends FileRecord {
  cells: string[];
}

export interface JsonRecord extends FileRecord {
  value: unknown;
  /** Characters of its line. */
  chars: number;
}

/** Characters of a record's cells. */
export function charsOf(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) count += cell.length;
  return count;
}

/** Key for comparing headers: ignores surrounding blanks and capitals. */
export function headerKey(header: string): string {
  return header.trim().toLowerCase().replace(/\s+/g, ' ');
}

/** First line of a report of problems. */
export const problemsHeader = 'line,column,value,reason,kind\n';

/** A problem as a line of a report; always one line, whatever its value contains. */
export function problemLine({ line, column, value, reason }: Problem, kind: 'refused' | 'warning'): string {
  const cells = [column ?? '', value ?? '', reason].map((text) => {
    const plain = defuseCell(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '));
    return /[",;]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
  });
  return `${[line, ...cells, kind].join(',')}\n`;
}
