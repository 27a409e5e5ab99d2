/** A value as a cell: empty for null, JSON for objects and lists. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const formulaStart = /^[=+\-@\t\r]/;
const number = /^-?\d+(\.\d+)?$/;

/** One line of CSV (RFC 4180), with its line end. A value that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvLine(values: readonly unknown[]): string {
  const cells = values.map((value) => {
    const text = cellOf(value);
    const safe = formulaStart.test(text) && !number.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${cells.join(',')}\r\n`;
}
