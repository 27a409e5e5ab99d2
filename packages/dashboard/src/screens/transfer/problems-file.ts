import { csvOf } from '../../api/csv.ts';
import { t } from '../../words/words.ts';
import type { Import } from './resources.ts';

const { line, column, value, reason } = t.transfer.import;

/** Problems of rows as a CSV file that spreadsheets open. */
export function problemsFile(problems: Import['problems']): string {
  const rows = problems.map((one) => [String(one.line), one.column ?? '', one.value ?? '', one.reason]);
  return csvOf([[line, column, value, reason], ...rows]);
}
