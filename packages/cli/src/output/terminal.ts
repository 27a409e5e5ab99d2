import { styleText } from 'node:util';

/** Columns of the terminal that a stream writes to; undefined for a pipe or a file. */
export function terminalWidth(stream: NodeJS.WriteStream): number | undefined {
  return stream.isTTY ? stream.columns || 80 : undefined;
}

/** Text in a colour or weight on a terminal; unchanged elsewhere, with `NO_COLOR`, and on a terminal without colours. */
export function painted(text: string, style: 'bold' | 'dim' | 'red', stream: NodeJS.WriteStream): string {
  return styleText(style, text, { stream });
}
