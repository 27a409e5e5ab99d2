import type { Parser } from 'csv-parse';
import { CommerceError, quote } from '../../kernel/errors.ts';
import { type CsvRecord, headerKey } from './rows.ts';

const separators = [',', ';', '\t', '|'] as const;

/** Maximum bytes of a record (a page in our own export can have two million and more), and maximum columns of a file. */
const maxRecord = 4 * 1024 * 1024;
const maxColumns = 1000;

/** Maximum characters up to the end of the header line. */
const maxHead = 256 * 1024;

/** An open CSV file. */
export interface CsvFile {
  headers: string[];
  separator: string;
  /** Records after the header, in chunks. */
  records: AsyncGenerator<CsvRecord[]>;
}

/**
 * Opens the text of a CSV file (RFC 4180) and reads its header line. The separator is the one that yields most known headers; a first line
 * such as `sep=;` overrides it.
 * @param isKnown true for a header of ours, as `headerKey` spells it.
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
    if (done) throw refusedFile('it is empty: the first line must contain the column names');
    records = value;
  }
  const headers = checkHeaders((records[0] as CsvRecord).cells);
  return { headers, separator, records: behindHeader(records.slice(1), all) };
}

/** Start of the first line that names a column. Earlier lines contain only blanks and separators. */
function headerStart(head: string): number {
  const found = head.search(/[^\s,;|"]/);
  if (found < 0) return head.length;
  return Math.max(head.lastIndexOf('\n', found), head.lastIndexOf('\r', found)) + 1;
}

/** True when the line of the headers is complete. */
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
      // With another separator the first line can be malformed.
    }
    return { separator, known: cells.filter((cell) => isKnown(headerKey(cell))).length, columns: cells.length };
  });
  scored.sort((a, b) => b.known - a.known || b.columns - a.columns);
  return scored[0]?.separator ?? ',';
}

function format(separator: string) {
  return {
    delimiter: separator,
    // By default taken from the first line, which fails if they are mixed.
    record_delimiter: ['\r\n', '\n', '\r'],
    // Blanks around a quoted cell do not belong to it; blanks within quotes stay.
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
    // Skipped by the parser: a record for each would take a hundred times as long.
    skip_empty_lines: true,
    on_record: (cells: string[], { empty_lines }: { empty_lines: number }) => {
      passEmpty(empty_lines);
      const start = line;
      line += 1;
      for (const cell of cells) line += newlines(cell);
      // Spreadsheets write rows with only separators after the last used row.
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

/** Number of line ends in a cell; CR and LF together count as one. */
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
    return refusedFile(
      `the record at line ${line} has more than ${maxRecord} bytes; a quote is probably missing there`,
    );
  }
  return refusedFile(`the record at line ${line} is not CSV: ${(error as Error).message}`, error);
}

function checkHeaders(cells: readonly string[]): string[] {
  const headers = cells.map((cell) => cell.trim());
  // Spreadsheets leave separators after the last column.
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

/** Style of a written CSV file: plain, or for opening in Excel with a double click. */
export interface CsvStyle {
  excel?: boolean;
  /** A comma by default. */
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
        // Separators of other countries, and blanks that a reader can cut off.
        quoted_match: /[,;\t\r\n]|^\s|\s$/,
        ...(excel ? { quote_record_delimiter: true } : {}),
      } as never,
    );
    const mark = isFirst && excel ? '\ufeff' : '';
    isFirst = false;
    return mark + text;
  };
}
