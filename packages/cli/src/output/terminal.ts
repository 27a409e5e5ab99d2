/** Columns of the terminal that a stream writes to; undefined where it is a pipe or a file. */
export function terminalWidth(stream: NodeJS.WriteStream): number | undefined {
  return stream.isTTY ? stream.columns || 80 : undefined;
}

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39] } as const;

/** Text in a colour or weight on a terminal; unchanged elsewhere, with `NO_COLOR`, and on a terminal that knows none. */
export function painted(text: string, style: keyof typeof codes, stream: NodeJS.WriteStream): string {
  const isPlain = !stream.isTTY || process.env.NO_COLOR || process.env.TERM === 'dumb';
  if (isPlain) return text;
  const [on, off] = codes[style];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}
