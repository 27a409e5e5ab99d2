import { defuseCell } from './cells.ts';

/** Something to tell about a row: why it was refused, or a warning. */
export interface Problem {
  /** Line of the file at which the row begins. */
  line: number;
  /** Column as the file has it; null where the row as a whole is meant. */
  column: string | null;
  /** The cell, shortened. */
  value: string | null;
  reason: string;
}

/** An image outside, to be fetched or found among those that were. */
export interface ImageAddress {
  url: string;
  altText?: string | null;
}

/** A record of a file in the words of the interface. */
export interface Row {
  line: number;
  /** Line of the last record that belongs to it. */
  lastRecord: number;
  /** Characters of the file that it holds, where its fields alone do not tell. */
  chars?: number;
  /** Input of the operation, as far as the file says anything; `undefined` keeps what is stored. */
  fields: Record<string, unknown>;
  /** Input for a new item alone. */
  onlyNew?: Record<string, unknown>;
  /** The id and the times that a new one keeps. */
  kept?: Kept;
  /** Paths of category names or slugs, root first; absent where the file has no such column. */
  categories?: string[][];
  images?: ImageAddress[];
  /** Address of the main image; null for none. */
  primaryImage?: string | null;
  seoImage?: string | null;
  /** Media of the addresses, once they were looked for. */
  found?: FoundImages;
  /** Slug of the category above it. */
  parentSlug?: string | null;
  /** Columns of the file by field, for messages. */
  columns: Readonly<Record<string, string>>;
  /** The cell of a column of the file, for messages: a field may be made of it. */
  cellOf?: (column: string) => string | undefined;
  warnings: Problem[];
}

/** The column and the value that a message about a field of a row shows: those of the file, where it has them. */
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
  /** Whether every address has its media; otherwise what an item has stays as it is. */
  isWhole: boolean;
}

/** What an item has from before, where it moves from one store to another. */
export interface Kept {
  id: string;
  createdAt?: string;
  updatedAt?: string;
  publishedAt?: string | null;
}

/** What a mapper makes of a record. */
export type Mapped =
  | { row: Row }
  | { refused: Problem[]; line: number; lastRecord: number }
  /** Something to tell about the file, which is no row of it. */
  | { told: Problem[] };

/** The line of a warning about the file as a whole: that of its header. */
export const headerLine = 1;

const maxValue = 200;

export function problem(line: number, column: string | null, value: string | null, reason: string): Problem {
  const shown = value !== null && value.length > maxValue ? `${value.slice(0, maxValue).toWellFormed()}…` : value;
  return { line, column, value: shown, reason };
}

/** A record as it stands in the file. */
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

/** Whether two cells mean the same, as headers do: blanks around them and capitals say nothing. */
export function headerKey(header: string): string {
  return header.trim().toLowerCase().replace(/\s+/g, ' ');
}

/** First line of a report of problems. */
export const problemsHeader = 'line,column,value,reason,kind\n';

/** A problem as a line of a report, on one line whatever its value holds. */
export function problemLine({ line, column, value, reason }: Problem, kind: 'refused' | 'warning'): string {
  const cells = [column ?? '', value ?? '', reason].map((text) => {
    const plain = defuseCell(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '));
    return /[",;]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
  });
  return `${[line, ...cells, kind].join(',')}\n`;
}
