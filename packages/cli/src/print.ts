/** Prints for a machine or for a person; nothing else goes to standard output. */
export function print(options: { json?: boolean }, value: unknown, text: () => string): void {
  process.stdout.write(`${options.json ? JSON.stringify(value) : text()}\n`);
}

/**
 * Characters that move the cursor, colour text or turn its direction: a customer's name may hold them, and a terminal would obey.
 */
const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A value without characters that control a terminal. */
export function shown(value: string): string {
  return value.replace(controls, '\ufffd');
}

/** Rows in columns as wide as their widest entry, below their names. */
export function table<Row>(
  rows: readonly Row[],
  columns: Record<string, (row: Row) => string | number | null>,
): string {
  if (rows.length === 0) return '(none)';
  const names = Object.keys(columns);
  const lines = [names, ...rows.map((row) => names.map((name) => shown(String(columns[name]?.(row) ?? '-'))))];
  const widths = names.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Labels and values, one pair a line. */
export function pairs(values: Record<string, string | number | null>): string {
  const width = Math.max(...Object.keys(values).map((label) => label.length));
  return Object.entries(values)
    .map(([label, value]) => `${label.padEnd(width)}  ${value === null ? '-' : shown(String(value))}`)
    .join('\n');
}
