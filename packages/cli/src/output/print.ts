import { painted, terminalWidth } from './terminal.ts';
import { cut, padded, widthOf } from './width.ts';

/** Prints for a machine or for a person; no other code writes to standard output. */
export function print(options: { json?: boolean }, value: unknown, text: () => string): void {
  process.stdout.write(`${options.json ? JSON.stringify(value) : text()}\n`);
}

/** Characters that move the cursor, colour text or change its direction. A customer's name can contain them, and a terminal would obey. */
const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A value without characters that control a terminal. */
export function shown(value: string): string {
  return value.replace(controls, '\ufffd');
}

export type Cell = string | number | null | undefined;
export type Columns<Row> = Record<string, (row: Row) => Cell>;

/** Columns of ids; a terminal shows them shortened. */
const idColumn = /^(id|order|customer|parent|payment)$/;
/** Lengths at which a shortened id would end in a dash. */
const dashes = new Set([9, 14, 19, 24]);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A time in the format of the interface; a terminal shows it to the minute. */
const timestamp = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z$/;

const gap = '  ';
/** Narrowest useful column. */
const minWidth = 8;

/**
 * Rows in columns below their names. The table fits the terminal. First, ids are cut to a prefix that is unique in the table, which
 * commands accept, and times to minutes (UTC). Then the widest columns are cut; columns that still do not fit are left out and named.
 * @param hint how to see columns that are left out, if it is possible
 */
export function table<Row>(
  rows: readonly Row[],
  columns: Columns<Row>,
  width: number | undefined = terminalWidth(process.stdout),
  hint = '',
): string {
  if (rows.length === 0) return '(none)';
  const names = Object.keys(columns);
  const cells = names.map((name) => {
    const values = rows.map((row) => shown(String(columns[name]?.(row) ?? '-')));
    if (width === undefined) return values;
    return idColumn.test(name) ? shortened(values) : values.map((value) => value.replace(timestamp, '$1 $2'));
  });
  const natural = cells.map((column, i) => Math.max(...[names[i] ?? '', ...column].map(widthOf)));
  const { widths, left } = width === undefined ? { widths: natural, left: [] } : fitted(natural, width);
  const line = (texts: string[]) =>
    texts
      .slice(0, widths.length)
      .map((text, i) => {
        const column = widths[i] ?? 0;
        return padded(cut(text, column), column, isNumeric(cells[i] ?? []) ? 'left' : 'right');
      })
      .join(gap)
      .trimEnd();
  const lines = [
    painted(line(names), 'bold', process.stdout),
    ...rows.map((_, row) => line(cells.map((column) => column[row] ?? ''))),
  ];
  if (left.length > 0) {
    const missing = names.slice(widths.length).join(', ');
    lines.push(painted(`(too narrow for ${missing}${hint})`, 'dim', process.stdout));
  }
  return lines.join('\n');
}

/** Ids cut to the same length, at which they still differ; other texts stay. */
function shortened(values: string[]): string[] {
  const ids = [...new Set(values.filter((value) => uuid.test(value)))];
  const differ = (length: number) => new Set(ids.map((id) => id.slice(0, length))).size === ids.length;
  let length = 8;
  while (length < 36 && (!differ(length) || dashes.has(length))) length++;
  return values.map((value) => (uuid.test(value) && length < 36 ? `${value.slice(0, length)}…` : value));
}

/** Widths that fit side by side: the widest columns shrink first, then the last ones are left out. */
function fitted(natural: readonly number[], width: number): { widths: number[]; left: number[] } {
  const widths = [...natural];
  const left: number[] = [];
  const total = () => widths.reduce((sum, one) => sum + one, 0) + gap.length * Math.max(0, widths.length - 1);
  while (total() > width) {
    const widest = widths.indexOf(Math.max(...widths));
    const over = total() - width;
    const others = widths.filter((_, i) => i !== widest);
    const level = Math.max(minWidth, ...others);
    const current = widths[widest] ?? 0;
    if (current <= minWidth) {
      if (widths.length === 1) break;
      left.unshift(widths.pop() ?? 0);
    } else {
      widths[widest] = Math.max(minWidth, Math.min(current - 1, Math.max(level, current - over)));
    }
  }
  return { widths, left };
}

function isNumeric(values: readonly string[]): boolean {
  return values.every((value) => /^(-?\d+(\.\d+)?( [A-Z]{3})?|-)$/.test(value));
}

/** Labels and values, one pair a line. */
export function pairs(values: Record<string, string | number | null>): string {
  const width = Math.max(...Object.keys(values).map(widthOf));
  return Object.entries(values)
    .map(([label, value]) => {
      const text = value === null ? '-' : shown(String(value));
      return `${painted(padded(label, width), 'dim', process.stdout)}  ${text}`;
    })
    .join('\n');
}
