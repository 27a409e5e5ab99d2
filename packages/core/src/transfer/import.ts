import type { Context } from '../engine/context.ts';
import { refuseInUnit, transact } from '../engine/transaction.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError } from '../kernel/errors.ts';
import { storageError } from '../storage/run.ts';
import type { ImportedResource } from './formats/own.ts';
import { findUnfinished, type ImportNote, insertNote, isStopped, updateNote } from './notes.ts';
import { checkOptions, fingerprintOf, type ImportHooks, type ImportOptions, type ImportSource } from './options.ts';
import { type Import, noCounts } from './progress.ts';
import { Stopped } from './rights.ts';
import { ImportRun } from './run.ts';

/**
 * Imports a file of products, categories, customers or pages. Each row changes the item that it matches, or creates a new one. A
 * transaction writes a few hundred rows with their events, audit entries and counts. It also notes the position in the file. After any
 * interruption, the same import continues from there and writes nothing twice.
 * @returns the result; `status` tells how it ended
 * @throws CommerceError `validation` for invalid options, and for a file that becomes unreadable
 */
export async function importFile(
  ctx: Context,
  resource: ImportedResource,
  source: ImportSource,
  options: ImportOptions = {},
  hooks: ImportHooks = {},
): Promise<Import> {
  refuseInUnit(ctx.engine, 'importFile runs many transactions');
  checkOptions(resource, options);
  const fingerprint = source.digest === undefined ? undefined : fingerprintOf(resource, source.digest, options);
  const known = fingerprint === undefined || options.dryRun ? undefined : await findUnfinished(ctx, fingerprint);
  const note = known ?? newNote(ctx, resource, source, options, fingerprint ?? '');
  const isNoted = fingerprint !== undefined && !options.dryRun;
  if (isNoted && !known) await insertNote(ctx, note);
  return runImport(ctx, resource, source, options, hooks, note, isNoted);
}

/** The note of a new import. */
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

/** Runs an import from the position in its note. @param isNoted true if the note is in the database */
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
    // It returns to the row at which it stopped.
    if (options.onError !== 'skip')
      Object.assign(state, { rows: state.rows - state.refused, refused: 0, problems: [] });
    Object.assign(state, { status: 'running', error: null, finishedAt: null });
    await (note.done > 0 ? hooks.onResume?.(state, note.lastLine) : hooks.onStart?.());
    if (isNoted) await begin(ctx, note);
    const status = await run.work();
    note.import.status = status;
  } catch (error) {
    if (error instanceof Stopped) {
      Object.assign(note.import, { status: 'stopped', error: error.message });
      return await finish(ctx, note, hooks, isNoted);
    }
    failure = storageError(ctx.engine.storage, error);
    note.import.status = 'failed';
    note.import.error = failure instanceof CommerceError ? failure.message : 'it failed because of an internal error';
  }
  const state = await finish(ctx, note, hooks, isNoted).catch((error: unknown) => {
    throw failure ?? error;
  });
  if (failure !== undefined) throw failure;
  return state;
}

/** Marks an import as running. An import over HTTP can have been stopped while it waited. */
async function begin(ctx: Context, note: ImportNote): Promise<void> {
  await transact(ctx, async (tx) => {
    if (note.file !== null && (await isStopped(tx, note.import.id))) throw new Stopped();
    await updateNote(tx, note);
  });
}

/** If this fails, the note stays as written with the last rows, and is found that way later. */
async function finish(ctx: Context, note: ImportNote, hooks: ImportHooks, isNoted: boolean): Promise<Import> {
  const state = note.import;
  if (state.status !== 'interrupted') state.finishedAt = toTimestamp(ctx.engine.clock.now());
  try {
    if (!isNoted) return state;
    await transact(ctx, async (tx) => {
      // An import that was stopped for good does not continue after a restart.
      if (state.status === 'interrupted' && (await isStopped(tx, state.id)))
        Object.assign(state, { status: 'stopped', error: new Stopped().message, finishedAt: toTimestamp(tx.now) });
      await updateNote(tx, note);
    });
    return state;
  } finally {
    hooks.onProgress?.(state);
  }
}
