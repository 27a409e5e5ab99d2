/**
 * Rows as a CSV file that spreadsheets open.
 * @param rows the first one has the names of the columns
 */
export function csvOf(rows: readonly (readonly string[])[]): string {
  // The mark at the beginning tells spreadsheets that it is UTF-8.
  return `\uFEFF${rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')}`;
}

/** A cell that spreadsheets show as text or as a number: texts that begin like a formula would be run. */
function cellOf(text: string): string {
  const isFormula = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r])/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
