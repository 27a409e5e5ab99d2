import { t } from '../../words/words.ts';
import type { Import } from './resources.ts';

const { line, column, value, reason } = t.transfer.import;

/** Problems of rows as a CSV file that spreadsheets open. */
export function problemsFile(problems: Import['problems']): string {
  const rows = problems.map((one) => [String(one.line), one.column ?? '', one.value ?? '', one.reason]);
  // The mark at the beginning tells spreadsheets that it is UTF-8.
  return `\uFEFF${[[line, column, value, reason], ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')}`;
}

/** A cell that spreadsheets show as text: cells of a file that begin like a formula would be run. */
function cellOf(text: string): string {
  const safe = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r])/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
