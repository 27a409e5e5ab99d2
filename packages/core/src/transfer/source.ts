import type { Context } from '../engine/context.ts';
import { textOfHtml } from '../kernel/html.ts';
import { loadTransliteration } from './files/cells.ts';
import { openCsv, refusedFile } from './files/csv.ts';
import { excelStyle } from './files/excel.ts';
import { readJsonLines } from './files/json-lines.ts';
import type { Mapped, Row } from './files/rows.ts';
import { decodeText } from './files/text.ts';
import { openMapper, recognises } from './formats/formats.ts';
import { type ImportedResource, isOwnFormat, mapJson, ownFormats } from './formats/own.ts';
import { MissingSlugs } from './formats/slugs.ts';
import type { DescriptionForm, ImportOptions, ImportSource } from './options.ts';
import { addName, type Import } from './progress.ts';

/** Bytes per read: few enough that their rows do not block other work. */
const maxPiece = 16 * 1024;

/** Blanks before the first character of a file, which tells its format. */
const maxBlank = 256 * 1024;

/**
 * Reads the rows of a file, in chunks.
 * @param state receives the format and the unused columns
 * @param onBytes receives the length of each piece before reading continues, and can delay it
 * @param signal ends it
 * @throws CommerceError `validation` for a file that becomes unreadable
 * @throws Interrupted
 */
export async function* readSource(
  ctx: Context,
  resource: ImportedResource,
  source: ImportSource,
  options: ImportOptions,
  state: Import,
  onBytes: (count: number) => Promise<void>,
  signal?: AbortSignal,
): AsyncGenerator<Mapped[]> {
  await loadTransliteration();
  const text = decodeText(counted(source.open(), onBytes, signal), options.encoding);
  const { format, text: rest } = await sniff(text, options.format);
  const slugs = new MissingSlugs(resource, options.match);
  const descriptions = new Descriptions(options.descriptions);
  const complete = (mapped: Mapped[], missing: MissingSlugs | undefined) => {
    for (const one of mapped) {
      if (!('row' in one)) continue;
      missing?.complete(one.row);
      if (resource === 'products') descriptions.read(one.row, missing === undefined);
    }
    return mapped;
  };
  if (format === 'jsonl') {
    state.format = ownFormats.jsonl;
    for await (const records of readJsonLines(rest)) {
      yield complete(
        records.map((record) => mapJson(resource, record)),
        slugs,
      );
    }
    return;
  }
  const map = options.map ?? {};
  const isKnown = recognises(resource, map);
  const csv = await openCsv(rest, isKnown);
  const again = async () => onBytes(0);
  const reopen = () => openCsv(decodeText(counted(source.open(), again, signal), options.encoding), isKnown);
  const { currency, decimals } = ctx.store;
  const sign = options.excel === undefined ? undefined : excelStyle(options.excel).sign;
  const context = { currency, decimals, sign, now: ctx.engine.clock.now(), match: options.match, reopen };
  const mapper = await openMapper(resource, csv, map, context);
  state.format = mapper.name;
  const noteUnused = () => {
    for (const column of mapper.unused) addName(state.unusedColumns, column);
  };
  noteUnused();
  const missing = isOwnFormat(mapper.name) ? slugs : undefined;
  for await (const records of csv.records) yield complete(mapper.map(records), missing);
  // Some rows can leave out a column. Noted before the last rows are, because it is written with them.
  noteUnused();
  yield complete(mapper.end(), missing);
}

/** Converts the descriptions of products according to `descriptions`. */
class Descriptions {
  readonly #form: DescriptionForm | undefined;
  /** The last one, because variants share theirs. */
  #html = '';
  #text = '';

  constructor(form: DescriptionForm | undefined) {
    this.#form = form;
  }

  /** @param isForeign true if the row comes from another shop */
  read({ fields }: Row, isForeign: boolean): void {
    const form = this.#form ?? (isForeign ? 'text' : undefined);
    const { description } = fields;
    if (form === undefined || typeof description !== 'string') return;
    fields.descriptionFormat ??= form;
    if (form === 'html') return;
    if (description !== this.#html) [this.#html, this.#text] = [description, textOfHtml(description)];
    fields.description = this.#text || null;
  }
}

/** Ends the reading of a file, even if its next bytes never come. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => Promise<void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  let stop = () => {};
  const next = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      stop = () => reject(new Interrupted());
      if (signal?.aborted) stop();
      else chunks.next().then(resolve, reject);
    });
  const interrupt = () => stop();
  signal?.addEventListener('abort', interrupt);
  try {
    for (;;) {
      const { done, value } = await next();
      if (done) return;
      for (let at = 0; at < value.length; at += maxPiece) {
        const piece = value.subarray(at, at + maxPiece);
        await onBytes(piece.length);
        if (signal?.aborted) throw new Interrupted();
        yield piece;
      }
    }
  } finally {
    signal?.removeEventListener('abort', interrupt);
    // Not awaited: it would wait for the next bytes.
    void Promise.resolve(chunks.return?.()).catch(() => {});
  }
}

/** Detects JSON Lines or CSV by the first character of a file. */
async function sniff(
  text: AsyncGenerator<string>,
  format: ImportOptions['format'],
): Promise<{ format: 'csv' | 'jsonl'; text: AsyncIterable<string> }> {
  if (format) return { format, text };
  let head = '';
  while (head.trim() === '') {
    if (head.length > maxBlank) throw refusedFile(`it begins with more than ${maxBlank} whitespace characters`);
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
