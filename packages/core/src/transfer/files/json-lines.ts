import { refusedFile } from './csv.ts';
import type { JsonRecord } from './rows.ts';

/** Maximum characters of a line: a page can have half a million. */
const maxLine = 4 * 1024 * 1024;

/** The objects of a JSON Lines file, in chunks; `value` is undefined for a line that is not a JSON object. */
export async function* readJsonLines(text: AsyncIterable<string>): AsyncGenerator<JsonRecord[]> {
  let rest = '';
  let line = 1;
  let number = 0;
  const read = (content: string): JsonRecord[] => {
    const at = line++;
    return content.trim() === ''
      ? []
      : [{ value: parseObject(content), chars: content.length, line: at, number: ++number }];
  };
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLine) throw refusedFile(`line ${line + lines.length} has more than ${maxLine} characters`);
    const records = lines.flatMap(read);
    if (records.length > 0) yield records;
  }
  const last = read(rest);
  if (last.length > 0) yield last;
}

function parseObject(content: string): unknown {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
