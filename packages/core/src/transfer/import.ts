import { setTimeout as sleep } from 'node:timers/promises';
import { breathe } from '../breathe.ts';
import type { BulkOptions, BulkOutcome, BulkRow } from '../bulk/bulk.ts';
import { importCategories } from '../categories/bulk.ts';
import { toTimestamp } from '../clock.ts';
import type { Context, TxContext } from '../context.ts';
import { importCustomers } from '../customers/bulk.ts';
import { CommerceError, invalid, quote } from '../errors.ts';
import { importPages } from '../pages/bulk.ts';
import { importProducts } from '../products/bulk.ts';
import { storageError } from '../storage/run.ts';
import { transact } from '../transaction.ts';
import { parentsBySlug, resolveCategories } from './categories.ts';
import { openCsv, refusedFile } from './csv.ts';
import { openMapper, recognises } from './formats.ts';
import { ImportImages } from './images.ts';
import { readJsonLines } from './json-lines.ts';
import { LineIndex } from './line-index.ts';
import { findUnfinished, type ImportNote, insertNote, updateNote } from './notes.ts';
import { type ImportedResource, importedResources, mapJson } from './own.ts';
import { addName, addProblems, type Import, noCounts } from './progress.ts';
import { type ImageAddress, type Mapped, type Problem, problem, type Row } from './rows.ts';
import { decodeText, type Encoding } from './text.ts';

/** How an import works. */
export interface ImportOptions {
  /** Found out from the content when left out. */
  format?: 'csv' | 'jsonl' | undefined;
  encoding?: Encoding | undefined;
  /** Our column by the file's. */
  map?: Readonly<Record<string, string>> | undefined;
  /** The field by which a row finds the item it changes; `slug` by default, `email` for customers. */
  match?: 'slug' | 'sku' | 'id' | 'email' | undefined;
  /** `stop` at the first refused row, with everything before it written, or `skip` it; `stop` by default. */
  onError?: 'stop' | 'skip' | undefined;
  dryRun?: boolean | undefined;
  /** Whether subscribers are told; true by default. */
  events?: boolean | undefined;
  /** Fetches the images of products into media. */
  images?: boolean | undefined;
  /** Takes the stock of the file also where orders have moved it since it was last set. */
  overwriteStock?: boolean | undefined;
}

/** A file, and how its import is followed and ended. */
export interface ImportSource {
  /** Opens the file from its start; called twice where a format needs it. */
  open(): AsyncIterable<Uint8Array>;
  name?: string | undefined;
  size?: number | undefined;
  /** Digest of the content: an interrupted import of the same content with the same options goes on where it was. */
  digest?: string | undefined;
}

export interface ImportHooks {
  /** Told after each batch. */
  onProgress?(state: Import): void;
  /** Told before anything is read, where an earlier import goes on. @param lastLine the line of the last row that is done with */
  onResume?(state: Import, lastLine: number): void | Promise<void>;
  /** Told of every problem, in the order of the file, before the rows that it belongs to are committed. */
  onProblems?(problems: readonly Problem[], kind: 'refused' | 'warning'): void | Promise<void>;
  /** Ends the import after the batch in hand. */
  signal?: AbortSignal | undefined;
  /** Rows of a transaction; 250 by default. */
  batchRows?: number | undefined;
  /** Part of the time that the import may use of its thread, up to 1. */
  share?: number | undefined;
}

const defaultBatch = 250;

/** Characters of the rows of a batch at most: descriptions may be long. */
const maxBatchChars = 1024 * 1024;

/** Milliseconds between two waits of an import that shares its thread. */
const longestWait = 1000;

const bulk: Readonly<
  Record<ImportedResource, (ctx: Context, rows: readonly BulkRow[], options: BulkOptions) => Promise<BulkOutcome[]>>
> = { products: importProducts, categories: importCategories, customers: importCustomers, pages: importPages };

const matchFields: Readonly<Record<ImportedResource, readonly string[]>> = {
  products: ['slug', 'sku', 'id'],
  categories: ['slug', 'id'],
  customers: ['email', 'id'],
  pages: ['slug', 'id'],
};

/** Fields that no two rows of a file may have alike. */
const uniqueFields: Readonly<Record<ImportedResource, readonly string[]>> = {
  products: ['slug', 'sku'],
  categories: ['slug'],
  customers: ['email'],
  pages: ['slug'],
};

/**
 * Imports a file of products, categories, customers or pages: each row changes the item that it matches, and makes a new one where there is
 * none. Rows are written some hundred in a transaction, with their events, audit entries and counts. A transaction notes how far it has come,
 * so that the same import, started again after any interruption, goes on there and writes nothing twice.
 * @returns what was done; `status` says how it ended
 * @throws CommerceError `validation` for options that make no sense, and for a file that cannot be read further
 */
export async function importFile(
  ctx: Context,
  resource: ImportedResource,
  source: ImportSource,
  options: ImportOptions = {},
  hooks: ImportHooks = {},
): Promise<Import> {
  checkOptions(resource, options);
  const fingerprint = source.digest === undefined ? undefined : fingerprintOf(resource, source.digest, options);
  const known = fingerprint === undefined || options.dryRun ? undefined : await findUnfinished(ctx, fingerprint);
  const note = known ?? newNote(ctx, resource, source, options, fingerprint ?? '');
  const isNoted = fingerprint !== undefined && !options.dryRun;
  if (isNoted && !known) await insertNote(ctx, note);
  return runImport(ctx, resource, source, options, hooks, note, isNoted);
}

export function fingerprintOf(resource: ImportedResource, digest: string, options: ImportOptions): string {
  return `${resource} ${digest} ${JSON.stringify(
    Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .sort(),
  )}`;
}

/** @throws CommerceError `validation` */
export function checkOptions(resource: ImportedResource, options: ImportOptions): void {
  if (!importedResources.includes(resource)) {
    throw invalid('resource', `must be one of ${importedResources.join(', ')}, not ${quote(resource)}`);
  }
  const { match } = options;
  if (match !== undefined && !matchFields[resource].includes(match)) {
    throw invalid('match', `must be one of ${matchFields[resource].join(', ')}, not ${quote(match)}`);
  }
}

export function newNote(
  ctx: Context,
  resource: ImportedResource,
  source: Pick<ImportSource, 'name' | 'size'>,
  options: ImportOptions,
  fingerprint: string,
): ImportNote {
  const now = ctx.engine.clock.now();
  return {
    import: {
      id: ctx.engine.ids.next(now),
      storeId: ctx.store.id,
      resource,
      status: 'running',
      fileName: source.name?.slice(0, 255) ?? null,
      fileSize: source.size ?? null,
      readBytes: 0,
      dryRun: options.dryRun ?? false,
      format: null,
      ...noCounts,
      categories: [],
      unusedColumns: [],
      problems: [],
      warningsShown: [],
      error: null,
      createdAt: toTimestamp(now),
      updatedAt: toTimestamp(now),
      finishedAt: null,
    },
    fingerprint,
    file: null,
    owner: null,
    options,
    done: 0,
    lastLine: 0,
  };
}

/** Runs an import from where its note says that it is. @param isNoted whether the note is in the database */
export async function runImport(
  ctx: Context,
  resource: ImportedResource,
  source: ImportSource,
  options: ImportOptions,
  hooks: ImportHooks,
  note: ImportNote,
  isNoted: boolean,
): Promise<Import> {
  const run = new ImportRun(ctx, resource, source, options, hooks, note, isNoted);
  let failure: unknown;
  try {
    const state = note.import;
    // It comes back to the row that it stopped at.
    if (options.onError !== 'skip')
      Object.assign(state, { rows: state.rows - state.refused, refused: 0, problems: [] });
    Object.assign(state, { status: 'running', error: null, finishedAt: null });
    if (note.done > 0) await hooks.onResume?.(state, note.lastLine);
    const status = await run.work();
    note.import.status = status;
  } catch (error) {
    failure = storageError(ctx.engine.storage, error);
    note.import.status = 'failed';
    note.import.error = failure instanceof CommerceError ? failure.message : 'it failed for a fault of the service';
  }
  const state = note.import;
  if (state.status !== 'interrupted') state.finishedAt = toTimestamp(ctx.engine.clock.now());
  if (isNoted) {
    // Where this fails, the note stays as it was with the last rows, and so does what is found of it later.
    await transact(ctx, (tx) => updateNote(tx, note)).catch((error: unknown) => {
      failure ??= error;
    });
  }
  hooks.onProgress?.(state);
  if (failure !== undefined) throw failure;
  return state;
}

/** Rows that wait to be written together. */
interface Batch {
  rows: Row[];
  /** Place of each row among all that the file yields. */
  chars: number;
  /** Slugs of its rows: those of categories may be the parents of later ones. */
  slugs: Set<string>;
  /** Rows of the file that are done with when this batch is. */
  done: number;
}

class ImportRun {
  readonly #ctx: Context;
  readonly #resource: ImportedResource;
  readonly #source: ImportSource;
  readonly #options: ImportOptions;
  readonly #hooks: ImportHooks;
  readonly #note: ImportNote;
  readonly #isNoted: boolean;
  readonly #images: ImportImages;
  readonly #seen: ReadonlyMap<string, LineIndex>;
  readonly #batchRows: number;
  #readBytes = 0;
  #place = 0;
  #batch: Batch = { rows: [], chars: 0, slugs: new Set(), done: 0 };

  constructor(
    ctx: Context,
    resource: ImportedResource,
    source: ImportSource,
    options: ImportOptions,
    hooks: ImportHooks,
    note: ImportNote,
    isNoted: boolean,
  ) {
    this.#ctx = ctx;
    this.#resource = resource;
    this.#source = source;
    this.#options = options;
    this.#hooks = hooks;
    this.#note = note;
    this.#isNoted = isNoted;
    this.#images = new ImportImages(ctx, (options.images ?? false) && !options.dryRun);
    this.#seen = new Map(uniqueFields[resource].map((field) => [field, new LineIndex()]));
    this.#batchRows = hooks.batchRows ?? defaultBatch;
    this.#imagesBefore = note.import.images;
  }

  get #state(): Import {
    return this.#note.import;
  }

  async work(): Promise<Import['status']> {
    for await (const mapped of this.#mapped()) {
      const { signal } = this.#hooks;
      for (const one of mapped) {
        if (this.#place++ < this.#note.done) {
          this.#skip(one);
          continue;
        }
        if ((await this.#take(one)) === 'stopped') return 'stopped';
        if (signal?.aborted) return (await this.#flush()) ? 'interrupted' : 'stopped';
      }
      if (signal?.aborted) return (await this.#flush()) ? 'interrupted' : 'stopped';
    }
    return (await this.#flush()) ? 'completed' : 'stopped';
  }

  /** What the rows of the file say, some at a time. */
  async *#mapped(): AsyncGenerator<Mapped[]> {
    const state = this.#state;
    const text = decodeText(this.#counted(this.#source.open()), this.#options.encoding);
    const { format, text: rest } = await sniff(text, this.#options.format);
    if (format === 'jsonl') {
      state.format = 'JSON Lines';
      for await (const records of readJsonLines(rest)) yield records.map((record) => mapJson(this.#resource, record));
      return;
    }
    const map = this.#options.map ?? {};
    const isKnown = recognises(this.#resource, map);
    const csv = await openCsv(rest, isKnown);
    const reopen = () => openCsv(decodeText(this.#source.open(), this.#options.encoding), isKnown);
    const { decimals } = this.#ctx.store;
    const context = { decimals, now: this.#ctx.engine.clock.now(), reopen };
    const mapper = await openMapper(this.#resource, csv, map, context);
    state.format = mapper.name;
    for (const column of mapper.unused) addName(state.unusedColumns, column);
    for await (const records of csv.records) yield mapper.map(records);
    yield mapper.end();
  }

  async *#counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#readBytes += chunk.length;
      yield chunk;
    }
  }

  /** Passes a row by that an earlier run is done with; later ones are still held against it. */
  #skip(mapped: Mapped): void {
    if ('row' in mapped) this.#findDouble(mapped.row);
  }

  async #take(mapped: Mapped): Promise<'stopped' | undefined> {
    const double = 'row' in mapped ? this.#findDouble(mapped.row) : undefined;
    const refused = 'row' in mapped ? double && [double] : mapped.refused;
    if (refused) {
      const line = 'row' in mapped ? mapped.row.line : mapped.line;
      if (this.#options.onError !== 'skip') {
        if (!(await this.#flush())) return 'stopped';
        await this.#refuse(refused);
        return 'stopped';
      }
      await this.#refuse(refused);
      this.#batch.done++;
      this.#note.lastLine = Math.max(this.#note.lastLine, line);
    } else if ('row' in mapped) {
      const { row } = mapped;
      const isParentHere = typeof row.parentSlug === 'string' && this.#batch.slugs.has(row.parentSlug);
      if (isParentHere && !(await this.#flush())) return 'stopped';
      this.#batch.rows.push(row);
      this.#batch.done++;
      this.#batch.chars += sizeOf(row);
      if (typeof row.fields.slug === 'string') this.#batch.slugs.add(row.fields.slug);
    }
    const { rows, chars, done } = this.#batch;
    if (rows.length < this.#batchRows && chars < maxBatchChars && done < 10 * this.#batchRows) return undefined;
    return (await this.#flush()) ? undefined : 'stopped';
  }

  /** The refusal of a row that has a slug, SKU or e-mail of an earlier one. */
  #findDouble(row: Row): Problem | undefined {
    for (const [field, index] of this.#seen) {
      const value = row.fields[field];
      if (typeof value !== 'string' || value === '') continue;
      const first = index.note(field === 'email' ? value.trim().toLowerCase() : value, row.line);
      if (first === undefined) continue;
      return problem(row.line, row.columns[field] ?? field, value, `stands on line ${first} already`);
    }
    return undefined;
  }

  async #refuse(problems: readonly Problem[]): Promise<void> {
    this.#state.refused++;
    this.#state.rows++;
    addProblems(this.#state.problems, problems);
    await this.#hooks.onProblems?.(problems, 'refused');
  }

  async #tell(problems: readonly Problem[], kind: 'refused' | 'warning', told: Set<string>): Promise<void> {
    const fresh = problems.filter((one) => {
      const name = JSON.stringify(one);
      return !told.has(name) && told.add(name);
    });
    if (fresh.length > 0) await this.#hooks.onProblems?.(fresh, kind);
  }

  /** Writes the rows that wait. @returns whether the import goes on */
  async #flush(): Promise<boolean> {
    const batch = this.#batch;
    if (batch.done === 0) return true;
    this.#batch = { rows: [], chars: 0, slugs: new Set(), done: 0 };
    const startedAt = performance.now();
    const before = structuredClone(this.#note);
    const isStopping = this.#options.onError !== 'skip';
    this.#left = 0;
    const imageWarnings = await this.#resolveImages(batch.rows);
    const rows = batch.rows.map((row) => bulkRow(row, this.#ctx));
    const told = new Set<string>();
    const finish = async (
      tx: TxContext | undefined,
      outcomes: readonly BulkOutcome[],
      refused: readonly Problem[],
      warnings: readonly Problem[],
    ) => {
      // The work of a transaction may be run again.
      Object.assign(this.#note, structuredClone(before));
      const state = this.#state;
      let left = 0;
      for (const [i, outcome] of outcomes.entries()) {
        if (outcome.kind === 'left') left++;
        else if (outcome.kind === 'refused') state.refused++;
        else state[outcome.kind]++;
        if (outcome.kind !== 'left') {
          state.rows++;
          this.#note.lastLine = Math.max(this.#note.lastLine, batch.rows[i]?.line ?? 0);
        }
      }
      // The refused row is not done with: the same command comes back to it.
      const isStopped = isStopping && outcomes.some(({ kind }) => kind === 'refused');
      this.#note.done += batch.done - left - (isStopped ? 1 : 0);
      state.readBytes = this.#readBytes;
      state.images = this.#imagesBefore + this.#images.fetched;
      state.imagesLeft += this.#left;
      addProblems(state.problems, refused);
      addProblems(state.warningsShown, warnings);
      state.warnings += warnings.length;
      if (tx && this.#isNoted) await updateNote(tx, this.#note);
      // Before the commit, so that none is lost where the process ends between; once, also where the transaction is run again.
      await this.#tell(refused, 'refused', told);
      await this.#tell(warnings, 'warning', told);
    };
    const made: string[] = [];
    let outcomes: BulkOutcome[] = [];
    if (rows.length === 0) {
      await finish(undefined, [], [], []);
    } else {
      outcomes = await bulk[this.#resource](this.#ctx, rows, {
        match: this.#options.match ?? (this.#resource === 'customers' ? 'email' : 'slug'),
        events: this.#options.events ?? true,
        dryRun: this.#options.dryRun ?? false,
        stopAtRefusal: isStopping,
        overwriteStock: this.#options.overwriteStock ?? false,
        before: async (tx) => {
          made.length = 0;
          await this.#resolveParents(tx, batch.rows, rows);
          await this.#resolveCategories(tx, batch.rows, rows, made);
        },
        inTransaction: async (tx, decided) => {
          const [refused, warnings] = problemsOfBatch(batch.rows, decided);
          await finish(tx, decided, refused, [...warnings, ...imageWarnings]);
        },
      });
    }
    for (const name of made) addName(this.#state.categories, name);
    this.#hooks.onProgress?.(this.#state);
    await this.#rest(performance.now() - startedAt);
    return !(isStopping && outcomes.some(({ kind }) => kind === 'refused'));
  }

  #imagesBefore = 0;
  #left = 0;

  /** Finds the media of the images' addresses. @returns warnings about images that could not be fetched */
  async #resolveImages(rows: readonly Row[]): Promise<Problem[]> {
    const wanted: ImageAddress[] = [];
    for (const { images, primaryImage, seoImage } of rows) {
      for (const url of [primaryImage, seoImage]) if (url) wanted.push({ url });
      wanted.push(...(images ?? []));
    }
    const { media, failures } = await this.#images.resolve(wanted);
    const warnings: Problem[] = [];
    for (const row of rows) {
      const { images, primaryImage, seoImage } = row;
      if (images === undefined && primaryImage === undefined && seoImage === undefined) continue;
      const all = new Set(
        [...(images ?? []).map(({ url }) => url), primaryImage, seoImage].filter((url) => url != null),
      );
      for (const url of all) {
        const reason = failures.get(url);
        if (reason === undefined) continue;
        const column = row.columns.mediaIds ?? 'images';
        warnings.push(problem(row.line, column, url, `the image could not be fetched: ${reason}`));
      }
      const left = [...all].filter((url) => !media.has(url)).length;
      this.#left += left;
      const fields: Record<string, unknown> = {};
      const mediaOf = (url: string | null) => (url === null ? null : (media.get(url) ?? null));
      if (images) fields.mediaIds = images.flatMap(({ url }) => media.get(url) ?? []);
      if (primaryImage !== undefined) fields.primaryMediaId = mediaOf(primaryImage);
      if (seoImage !== undefined) fields.seoImageId = mediaOf(seoImage);
      row.found = { fields, isWhole: left === 0 };
    }
    return warnings;
  }

  async #resolveParents(tx: TxContext, rows: readonly Row[], inputs: readonly BulkRow[]): Promise<void> {
    const slugs = [...new Set(rows.flatMap(({ parentSlug }) => parentSlug ?? []))];
    const ids = await parentsBySlug(tx, slugs);
    for (const [i, { parentSlug }] of rows.entries()) {
      const input = inputs[i]?.input;
      if (parentSlug === undefined || !input) continue;
      // An unknown slug is refused as an unknown id is.
      input.parentId = parentSlug === null ? null : (ids.get(parentSlug) ?? parentSlug);
    }
  }

  async #resolveCategories(
    tx: TxContext,
    rows: readonly Row[],
    inputs: readonly BulkRow[],
    made: string[],
  ): Promise<void> {
    const paths = rows.map(({ categories }) => categories ?? []);
    if (paths.every((list) => list.length === 0) && rows.every(({ categories }) => categories === undefined)) return;
    const ids = await resolveCategories(tx, paths, this.#options.events ?? true, (name) => made.push(name));
    for (const [i, { categories }] of rows.entries()) {
      const input = inputs[i]?.input;
      if (categories !== undefined && input) input.categoryIds = ids[i] ?? [];
    }
  }

  /** Leaves the thread to others for a while after a batch. */
  async #rest(worked: number): Promise<void> {
    const { share = 1 } = this.#hooks;
    if (share >= 1) await breathe();
    else await sleep(Math.min(longestWait, (worked * (1 - share)) / share));
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

/** Characters of a row, about. */
function sizeOf({ fields }: Row): number {
  let size = 200;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === 'string') size += value.length;
    else if (typeof value === 'object' && value !== null) size += 200;
  }
  return size;
}

/** A row as the batch takes it. */
function bulkRow(row: Row, { engine }: Context): BulkRow {
  const input: Record<string, unknown> = { ...row.fields };
  const { kept, found } = row;
  // The ids are those of the store that the file comes from.
  if (found) for (const field in found.fields) delete input[field];
  if (found?.isWhole) Object.assign(input, found.fields);
  const onlyNew = found && !found.isWhole ? { ...row.onlyNew, ...found.fields } : row.onlyNew;
  if (!kept?.id) return { input, onlyNew };
  // A time in the future would stand above everything that comes.
  const isPast = kept.createdAt === undefined || Date.parse(kept.createdAt) <= engine.clock.now();
  const { publishedAt, ...facts } = isPast ? kept : { id: kept.id };
  const isOut = input.status === 'published' && publishedAt === null;
  return { input, onlyNew, kept: publishedAt === undefined || isOut ? facts : { ...facts, publishedAt } };
}

/** Why rows of a batch were refused, and the warnings about those that were not. */
function problemsOfBatch(
  rows: readonly Row[],
  outcomes: readonly BulkOutcome[],
): [refused: Problem[], warnings: Problem[]] {
  const refused: Problem[] = [];
  const warnings: Problem[] = [];
  for (const [i, row] of rows.entries()) {
    const outcome = outcomes[i];
    if (outcome?.kind === 'refused') refused.push(...problemsOf(row, outcome.error));
    else if (outcome?.kind !== 'left') warnings.push(...row.warnings);
  }
  return [refused, warnings];
}

function problemsOf(row: Row, error: CommerceError): Problem[] {
  const details = error.details.length > 0 ? error.details : [{ field: '', reason: error.message }];
  return details.map(({ field, reason }) => {
    const name = field.split('.')[0] ?? '';
    const column = row.columns[name] ?? (name === '' || name === 'body' ? null : name);
    const value = row.fields[name];
    const shown = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    return problem(row.line, column, shown === undefined || shown === null ? null : String(shown), reason);
  });
}
