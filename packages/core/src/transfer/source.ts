import type { Context } from '../context.ts';
import { openCsv, refusedFile } from './csv.ts';
import { openMapper, recognises } from './formats.ts';
import { readJsonLines } from './json-lines.ts';
import type { ImportOptions, ImportSource } from './options.ts';
import { type ImportedResource, mapJson } from './own.ts';
import { addName, type Import } from './progress.ts';
import type { Mapped } from './rows.ts';
import { decodeText } from './text.ts';

/** Blanks before the first character of a file, which tells its format. */
const maxBlank = 256 * 1024;

/**
 * Reads what the rows of a file say, some at a time.
 * @param state is told the format and the columns that say nothing
 * @param onBytes is told the length of each piece that is read
 * @throws CommerceError `validation` for a file that cannot be read further
 */
export async function* readSource(
  ctx: Context,
  resource: ImportedResource,
  source: ImportSource,
  options: ImportOptions,
  state: Import,
  onBytes: (count: number) => void,
): AsyncGenerator<Mapped[]> {
  const text = decodeText(counted(source.open(), onBytes), options.encoding);
  const { format, text: rest } = await sniff(text, options.format);
  if (format === 'jsonl') {
    state.format = 'JSON Lines';
    for await (const records of readJsonLines(rest)) yield records.map((record) => mapJson(resource, record));
    return;
  }
  const map = options.map ?? {};
  const isKnown = recognises(resource, map);
  const csv = await openCsv(rest, isKnown);
  const reopen = () => openCsv(decodeText(source.open(), options.encoding), isKnown);
  const { currency, decimals } = ctx.store;
  const context = { currency, decimals, now: ctx.engine.clock.now(), reopen };
  const mapper = await openMapper(resource, csv, map, context);
  state.format = mapper.name;
  for (const column of mapper.unused) addName(state.unusedColumns, column);
  for await (const records of csv.records) yield mapper.map(records);
  yield mapper.end();
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** Whether a file has JSON Lines or CSV, by its first character. */
async function sniff(
  text: AsyncGenerator<string>,
  format: ImportOptions['format'],
): Promise<{ format: 'csv' | 'jsonl'; text: AsyncIterable<string> }> {
  if (format) return { format, text };
  let head = '';
  while (head.trim() === '') {
    if (head.length > maxBlank) throw refusedFile(`it begins with more than ${maxBlank} blanks`);
    const { done, value } = await text.next();
    if (done) throw refusedFile('it is empty');
    head += value;
  }
  const rest = async function* () {
    yield head;
    yield* text;
  };
  return { format: head.trimStart().startsWith('{') ? 'jsonl' : 'csv', text: rest() };
}
