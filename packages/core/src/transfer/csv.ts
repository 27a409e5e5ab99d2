import type { Parser } from 'csv-parse';
import { CommerceError, quote } from '../errors.ts';
import { type CsvRecord, headerKey } from './rows.ts';

const separators = [',', ';', '\t', '|'] as const;

/** Bytes of a record, of which a page of our own export may have two million and more, and columns of a file at most. */
const maxRecord = 4 * 1024 * 1024;
const maxColumns = 1000;

/** Characters in which the header line has to end. */
const maxHead = 256 * 1024;

/** A CSV file that is being read. */
export interface CsvFile {
  headers: string[];
  separator: string;
  /** Records behind the header, some at a time. */
  records: AsyncGenerator<CsvRecord[]>;
}

/**
 * Opens the text of a CSV file (RFC 4180) and reads its header line. The separator is the one that yields most known headers; a first
 * line such as `sep=;` says it.
 * @param isKnown whether a header, as `headerKey` spells it, is one of ours
 * @throws CommerceError `validation` for a file without a header, with one twice, or with too many columns
 */
export async function openCsv(text: AsyncIterable<string>, isKnown: (header: string) => boolean): Promise<CsvFile> {
  const chunks = text[Symbol.asyncIterator]();
  let head = '';
  let isWhole = false;
  while (!isWhole && head.length < maxHead && !hasHeaderLine(head)) {
    const { done, value } = await chunks.next();
    if (done) isWhole = true;
    else head += value;
  }
  const stated = /^sep=(.)[ \t]*(?:\r\n|\n|\r)/i.exec(head);
  if (stated) head = head.slice(stated[0].length);
  const separator = stated?.[1] ?? (await findSeparator(head, isKnown));
  const rest = async function* () {
    yield head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  };
  const all = readRecords(rest(), separator, stated ? 2 : 1);
  let records: CsvRecord[] = [];
  while (records.length === 0) {
    const { done, value } = await all.next();
    if (done) throw refusedFile('it is empty: the first line must name the columns');
    records = value;
  }
  const headers = checkHeaders((records[0] as CsvRecord).cells);
  return { headers, separator, records: behindHeader(records.slice(1), all) };
}

/** Where the first line begins that names a column: lines of blanks and separators before it say nothing. */
function headerStart(head: string): number {
  const found = head.search(/[^\s,;|"]/);
  if (found < 0) return head.length;
  return Math.max(head.lastIndexOf('\n', found), head.lastIndexOf('\r', found)) + 1;
}

/** Whether the line of the headers is there as a whole. */
function hasHeaderLine(head: string): boolean {
  const line = head.slice(headerStart(head));
  const end = line.search(/[\r\n]/);
  return end >= 0 && end < line.length - 1;
}

async function* behindHeader(first: CsvRecord[], rest: AsyncGenerator<CsvRecord[]>): AsyncGenerator<CsvRecord[]> {
  const renumbered = (records: CsvRecord[]) => records.map((record) => ({ ...record, number: record.number - 1 }));
  if (first.length > 0) yield renumbered(first);
  for await (const records of rest) yield renumbered(records);
}

async function findSeparator(head: string, isKnown: (header: string) => boolean): Promise<string> {
  const { parse } = await import('csv-parse/sync');
  const first = head.slice(headerStart(head));
  const scored = separators.map((separator) => {
    let cells: string[] = [];
    try {
      const options = { ...format(separator), to: 1, max_record_size: maxHead };
      cells = (parse(first, options) as string[][])[0] ?? [];
    } catch {
      // With another separator the first line may be broken.
    }
    return { separator, known: cells.filter((cell) => isKnown(headerKey(cell))).length, columns: cells.length };
  });
  scored.sort((a, b) => b.known - a.known || b.columns - a.columns);
  return scored[0]?.separator ?? ',';
}

function format(separator: string) {
  return {
    delimiter: separator,
    // Found out from the first line otherwise, which fails where they are mixed.
    record_delimiter: ['\r\n', '\n', '\r'],
    // Blanks before and behind a quoted cell belong to no cell. Those within quotes stay.
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
  };
}

async function* readRecords(
  text: AsyncIterable<string>,
  separator: string,
  firstLine: number,
): AsyncGenerator<CsvRecord[]> {
  const { parse } = await import('csv-parse');
  let found: CsvRecord[] = [];
  let line = firstLine;
  let number = 0;
  let emptyLines = 0;
  /** The line of the next record: empty ones before it are counted by the parser. */
  const passEmpty = (count: number) => {
    line += count - emptyLines;
    emptyLines = count;
  };
  const parser: Parser = parse({
    ...format(separator),
    max_record_size: maxRecord,
    // Passed by without a record each, which takes a hundred times as long.
    skip_empty_lines: true,
    on_record: (cells: string[], { empty_lines }: { empty_lines: number }) => {
      passEmpty(empty_lines);
      const start = line;
      line += 1;
      for (const cell of cells) line += newlines(cell);
      // Spreadsheets write rows of separators alone behind the last row that says something.
      if (cells.some((cell) => cell.trim() !== '')) found.push({ cells, line: start, number: ++number });
      return null;
    },
  });
  let failure: unknown;
  parser.on('error', (error) => {
    failure = error;
  });
  parser.resume();
  const take = () => {
    const taken = found;
    found = [];
    return taken;
  };
  for await (const chunk of text) {
    await new Promise<void>((resolve) => parser.write(chunk, () => resolve()));
    const records = take();
    if (records.length > 0) yield records;
    passEmpty(parser.info.empty_lines);
    if (failure !== undefined) throw broken(failure, line);
  }
  await new Promise<void>((resolve) => {
    parser.once('close', resolve);
    parser.end();
  });
  const records = take();
  if (records.length > 0) yield records;
  passEmpty(parser.info.empty_lines);
  if (failure !== undefined) throw broken(failure, line);
}

/** Line ends in a cell, of which CR and LF together are one. */
function newlines(cell: string): number {
  let count = 0;
  for (let i = 0; i < cell.length; i++) {
    const code = cell.charCodeAt(i);
    if (code === 10 || (code === 13 && cell.charCodeAt(i + 1) !== 10)) count++;
  }
  return count;
}

function broken(error: unknown, line: number): CommerceError {
  const { code } = error as { code?: string };
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return refusedFile(`the quote opened in the record at line ${line} is never closed`);
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return refusedFile(`the record at line ${line} has more than ${maxRecord} bytes; a quote may be missing there`);
  }
  return refusedFile(`the record at line ${line} is not CSV: ${(error as Error).message}`, error);
}

function checkHeaders(cells: readonly string[]): string[] {
  const headers = cells.map((cell) => cell.trim());
  // Spreadsheets leave separators behind the last column.
  while (headers.length > 1 && headers.at(-1) === '') headers.pop();
  if (headers.length > maxColumns)
    throw refusedFile(`it has ${headers.length} columns; at most ${maxColumns} are read`);
  const known = new Set<string>();
  for (const header of headers) {
    const key = /^attr(?:ibute)?\./i.test(header) ? header : headerKey(header);
    if (/(?:^|\.)__proto__$/.test(key)) throw refusedFile('it has a column "__proto__"');
    if (key !== '' && known.has(key)) throw refusedFile(`it has the column ${quote(header)} twice`);
    known.add(key);
  }
  return headers;
}

/** @throws CommerceError `validation` about the file as a whole */
export function refusedFile(reason: string, cause?: unknown): CommerceError {
  return new CommerceError('validation', `the file cannot be read: ${reason}`, {
    details: [{ field: 'file', reason }],
    ...(cause === undefined ? {} : { cause }),
  });
}

/** How a CSV file is written: plain, or so that Excel opens it with a double click. */
export interface CsvStyle {
  excel?: boolean;
  /** A comma unless said otherwise. */
  separator?: string;
}

/** Writes rows of cells as CSV text. */
export async function openCsvWriter({
  excel = false,
  separator = ',',
}: CsvStyle): Promise<(rows: readonly (readonly string[])[]) => string> {
  const { stringify } = await import('csv-stringify/sync');
  let isFirst = true;
  return (rows) => {
    const text = stringify(
      rows as string[][],
      {
        delimiter: separator,
        record_delimiter: excel ? '\r\n' : '\n',
        // Separators of other countries, and blanks that a reader may cut off.
        quoted_match: /[,;\t\r\n]|^\s|\s$/,
        ...(excel ? { quote_record_delimiter: true } : {}),
      } as never,
    );
    const mark = isFirst && excel ? '\ufeff' : '';
    isFirst = false;
    return mark + text;
  };
}
