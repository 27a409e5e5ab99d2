import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkOutcome, BulkRow } from '../collection/kind.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { breathe } from '../kernel/breathe.ts';
import { CommerceError } from '../kernel/errors.ts';
import { reading } from '../storage/run.ts';
import { Batch, bulkRow, problemsOfBatch } from './batch.ts';
import { noteRoots, resolveCategories, resolveParents, restoreRoots } from './categories.ts';
import type { Mapped, Problem } from './files/rows.ts';
import { Doubles } from './formats/doubles.ts';
import { type ImportedResource, isOwnFormat, matchFields, resourceOf } from './formats/own.ts';
import { findImages, ImportImages } from './images.ts';
import { type ImportNote, updateNote } from './notes.ts';
import type { ImportHooks, ImportOptions, ImportSource } from './options.ts';
import { addName, addProblems, type Import } from './progress.ts';
import { requireRights } from './rights.ts';
import { Interrupted, readSource } from './source.ts';

/** Two batches of half the size change a third more pages, because products are listed under the same few values. */
const defaultBatch = 500;

/** Longest pause of an import that shares its thread, in milliseconds. */
const longestPause = 1000;

/** Milliseconds of reading without a pause. */
const longestTurn = 10;

/** One run through a file: it reads rows, collects them in batches, and writes each batch in a transaction with the import's note. */
export class ImportRun {
  readonly #ctx: Context;
  readonly #resource: ImportedResource;
  readonly #source: ImportSource;
  readonly #options: ImportOptions;
  readonly #hooks: ImportHooks;
  readonly #note: ImportNote;
  readonly #isNoted: boolean;
  readonly #images: ImportImages;
  readonly #imagesBefore: number;
  readonly #doubles: Doubles;
  /** True if it ends at the first refused row. */
  readonly #isStopping: boolean;
  /** Slugs of categories that a dry run has undone. */
  readonly #dryRoots = new Set<string>();
  #readBytes = 0;
  /** End of the last pause. */
  #since = performance.now();
  /** Rows read from the file. */
  #place = 0;
  #batch: Batch;

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
    this.#imagesBefore = note.import.images;
    this.#doubles = new Doubles(resource);
    this.#isStopping = options.onError !== 'skip';
    this.#batch = new Batch(hooks.batchRows ?? defaultBatch);
  }

  get #state(): Import {
    return this.#note.import;
  }

  /** True if a row with the SKU of an earlier one loses it. A row that is found by its SKU cannot. */
  get #isClearing(): boolean {
    const { repeatedSku, match } = this.#options;
    if (match === 'sku') return false;
    return (repeatedSku ?? (isOwnFormat(this.#state.format) ? 'refuse' : 'clear')) === 'clear';
  }

  /** @returns the status at the end */
  async work(): Promise<Import['status']> {
    const { signal } = this.#hooks;
    const onBytes = async (count: number) => {
      this.#readBytes += count;
      if (performance.now() - this.#since > longestTurn) await this.#pause();
    };
    const all = readSource(this.#ctx, this.#resource, this.#source, this.#options, this.#state, onBytes, signal);
    try {
      for await (const mapped of all) {
        for (const one of mapped) {
          if (this.#place++ < this.#note.done) {
            this.#skip(one);
            continue;
          }
          if ((await this.#take(one)) === 'stopped') return 'stopped';
          if (signal?.aborted) throw new Interrupted();
        }
      }
    } catch (error) {
      if (error instanceof Interrupted) return (await this.#flush()) ? 'interrupted' : 'stopped';
      throw error;
    }
    return (await this.#flush()) ? 'completed' : 'stopped';
  }

  /** Skips a row that an earlier run completed; later rows are still compared with it. */
  #skip(mapped: Mapped): void {
    if ('row' in mapped) this.#doubles.find(mapped.row, this.#isClearing);
  }

  async #take(mapped: Mapped): Promise<'stopped' | undefined> {
    if ('told' in mapped) {
      // Counted separately from the rows before it: one of them can be refused, and the import then returns to it.
      if (!(await this.#flush())) return 'stopped';
      this.#batch.tell(mapped.told);
      return undefined;
    }
    const double = 'row' in mapped ? this.#doubles.find(mapped.row, this.#isClearing) : undefined;
    const refused = 'row' in mapped ? double && [double] : mapped.refused;
    if (refused) {
      const line = 'row' in mapped ? mapped.row.line : mapped.line;
      if (this.#isStopping) {
        if (await this.#flush()) await this.#refuse(refused);
        return 'stopped';
      }
      this.#batch.refuse(refused, line);
    } else if ('row' in mapped) {
      if (this.#batch.hasParentOf(mapped.row) && !(await this.#flush())) return 'stopped';
      this.#batch.add(mapped.row);
    }
    if (!this.#batch.isFull) return undefined;
    return (await this.#flush()) ? undefined : 'stopped';
  }

  async #refuse(problems: readonly Problem[]): Promise<void> {
    this.#state.refused++;
    this.#state.rows++;
    addProblems(this.#state.problems, problems);
    await this.#hooks.onProblems?.(problems, 'refused');
  }

  /** Writes the waiting rows. @returns true if the import continues */
  async #flush(): Promise<boolean> {
    const batch = this.#batch;
    if (batch.done === 0) return true;
    this.#batch = new Batch(batch.maxRows);
    // Before images are fetched, and again in the transaction of the rows.
    const { storage } = this.#ctx.engine;
    await reading(storage, (db) => requireRights({ ...this.#ctx, db }, this.#resource, this.#note, this.#options));
    const before = structuredClone(this.#note);
    const images = await findImages(this.#images, batch.rows);
    const told = new Set<string>();
    let outcomes: readonly BulkOutcome[] = [];
    /** Counts the results, and writes the note with the rows. */
    const finish = async (tx: TxContext | undefined, decided: readonly BulkOutcome[]) => {
      // The work of a transaction can run again.
      Object.assign(this.#note, structuredClone(before));
      outcomes = decided;
      const [ofRows, warningsOfRows] = problemsOfBatch(batch.rows, decided);
      // In the order of the file: a continued report ends after the last completed line.
      const refused = [...batch.refused.flat(), ...ofRows].sort((a, b) => a.line - b.line);
      const warnings = withoutDoubles([...batch.told, ...warningsOfRows, ...images.warnings]);
      this.#count(batch, decided);
      this.#state.images = this.#imagesBefore + this.#images.fetched;
      this.#state.imagesLeft += images.left;
      this.#state.warnings += warnings.length;
      addProblems(this.#state.problems, refused);
      addProblems(this.#state.warningsShown, warnings);
      if (tx && this.#isNoted) await updateNote(tx, this.#note);
      // Before the commit, so that none is lost if the process ends in between. Only once, even if the transaction runs again.
      await this.#tell(refused, 'refused', told);
      await this.#tell(warnings, 'warning', told);
    };
    try {
      if (batch.rows.length === 0) await finish(undefined, []);
      else await this.#write(batch, finish);
    } catch (error) {
      // The rows were not written: an import that continues from this note must return to them.
      Object.assign(this.#note, before);
      throw error;
    }
    this.#hooks.onProgress?.(this.#state);
    await this.#pause();
    return !this.#isStopped(outcomes);
  }

  async #write(
    batch: Batch,
    finish: (tx: TxContext, outcomes: readonly BulkOutcome[]) => Promise<void>,
  ): Promise<void> {
    const rows = batch.rows.map((row) => bulkRow(row, this.#ctx));
    const { match, events = true, dryRun = false, overwriteStock = false } = this.#options;
    let made = new Map<string, string>();
    const write = () =>
      resourceOf(this.#resource).importRows(this.#ctx, rows, {
        match: match ?? (matchFields[this.#resource][0] as string),
        events,
        dryRun,
        stopAtRefusal: this.#isStopping,
        overwriteStock,
        before: async (tx) => {
          const mayMake = await requireRights(tx, this.#resource, this.#note, this.#options, this.#isNoted);
          if (dryRun) await restoreRoots(tx, batch.rows, this.#dryRoots);
          await resolveParents(tx, batch.rows, rows);
          made = await resolveCategories(tx, batch.rows, rows, events, mayMake);
        },
        inTransaction: (tx, outcomes) => {
          if (refuseAhead(rows, outcomes, made)) throw new RefusedAhead();
          if (dryRun && this.#resource === 'categories') {
            noteRoots(
              batch.rows,
              (i) => outcomes[i]?.kind !== 'refused' && outcomes[i]?.kind !== 'left',
              this.#dryRoots,
            );
          }
          return finish(tx, outcomes);
        },
      });
    for (;;) {
      try {
        await write();
        break;
      } catch (error) {
        if (!(error instanceof RefusedAhead)) throw error;
      }
    }
    for (const name of made.values()) addName(this.#state.categories, name);
  }

  /** The refused row is not completed: the same command returns to it. */
  #isStopped(outcomes: readonly BulkOutcome[]): boolean {
    return this.#isStopping && outcomes.some(({ kind }) => kind === 'refused');
  }

  #count(batch: Batch, outcomes: readonly BulkOutcome[]): void {
    const [note, state] = [this.#note, this.#state];
    let left = 0;
    state.refused += batch.refused.length;
    state.rows += batch.refused.length;
    note.lastLine = Math.max(note.lastLine, batch.lastRefused);
    for (const [i, { kind }] of outcomes.entries()) {
      if (kind === 'left') {
        left++;
        continue;
      }
      state[kind]++;
      state.rows++;
      // The import returns to the row at which it stops.
      if (kind === 'refused' && this.#isStopping) continue;
      note.lastLine = Math.max(note.lastLine, batch.rows[i]?.line ?? 0);
    }
    note.done += batch.done - left - (this.#isStopped(outcomes) ? 1 : 0);
    state.readBytes = this.#readBytes;
  }

  /** Reports the problems that were not reported before. */
  async #tell(problems: readonly Problem[], kind: 'refused' | 'warning', told: Set<string>): Promise<void> {
    const fresh = withoutDoubles(problems, told);
    if (fresh.length > 0) await this.#hooks.onProblems?.(fresh, kind);
  }

  /** Yields the thread for a while, after a batch and during long reading without one. */
  async #pause(): Promise<void> {
    const { share = 1 } = this.#hooks;
    const worked = performance.now() - this.#since;
    if (share >= 1) await breathe();
    else await sleep(Math.min(longestPause, (worked * (1 - share)) / share));
    this.#since = performance.now();
  }
}

/** The problems that were not reported before, each once. */
function withoutDoubles(problems: readonly Problem[], told = new Set<string>()): Problem[] {
  return problems.filter((one) => {
    const name = JSON.stringify(one);
    return !told.has(name) && told.add(name);
  });
}

/** Ends a transaction that created categories for rows that are not written: it runs again without them. */
class RefusedAhead extends Error {
  override readonly name = 'RefusedAhead';
}

/**
 * Marks rows as refused from the start if they were refused, or left after a refused one, after categories were created for them.
 * @returns true if there are any
 */
function refuseAhead(
  rows: readonly BulkRow[],
  outcomes: readonly BulkOutcome[],
  made: ReadonlyMap<string, string>,
): boolean {
  let isAny = false;
  for (const [i, outcome] of outcomes.entries()) {
    const row = rows[i];
    if (!row || row.refused || (outcome.kind !== 'refused' && outcome.kind !== 'left')) continue;
    const ids = row.input.categoryIds;
    if (!Array.isArray(ids) || !ids.some((id) => made.has(id))) continue;
    // A row that is left follows a refused one, so its reason is never shown.
    row.refused = outcome.kind === 'refused' ? outcome.error : new CommerceError('conflict', 'is left');
    isAny = true;
  }
  return isAny;
}
