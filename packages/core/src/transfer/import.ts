import { toTimestamp } from '../clock.ts';
import type { Context } from '../context.ts';
import { CommerceError } from '../errors.ts';
import { storageError } from '../storage/run.ts';
import { refuseInUnit, transact } from '../transaction.ts';
import { findUnfinished, type ImportNote, insertNote, isStopped, updateNote } from './notes.ts';
import { checkOptions, fingerprintOf, type ImportHooks, type ImportOptions, type ImportSource } from './options.ts';
import type { ImportedResource } from './own.ts';
import { type Import, noCounts } from './progress.ts';
import { Stopped } from './rights.ts';
import { ImportRun } from './run.ts';

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
  refuseInUnit(ctx.engine, 'importFile has many transactions of its own');
  checkOptions(resource, options);
  const fingerprint = source.digest === undefined ? undefined : fingerprintOf(resource, source.digest, options);
  const known = fingerprint === undefined || options.dryRun ? undefined : await findUnfinished(ctx, fingerprint);
  const note = known ?? newNote(ctx, resource, source, options, fingerprint ?? '');
  const isNoted = fingerprint !== undefined && !options.dryRun;
  if (isNoted && !known) await insertNote(ctx, note);
  return runImport(ctx, resource, source, options, hooks, note, isNoted);
}

/** The note of an import that begins. */
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
    note.import.error = failure instanceof CommerceError ? failure.message : 'it failed for a fault of the service';
  }
  const state = await finish(ctx, note, hooks, isNoted).catch((error: unknown) => {
    throw failure ?? error;
  });
  if (failure !== undefined) throw failure;
  return state;
}

/** Notes that an import is under way. One over HTTP may have been stopped while it waited. */
async function begin(ctx: Context, note: ImportNote): Promise<void> {
  await transact(ctx, async (tx) => {
    if (note.file !== null && (await isStopped(tx, note.import.id))) throw new Stopped();
    await updateNote(tx, note);
  });
}

/** Where this fails, the note stays as it was with the last rows, and so does what is found of it later. */
async function finish(ctx: Context, note: ImportNote, hooks: ImportHooks, isNoted: boolean): Promise<Import> {
  const state = note.import;
  if (state.status !== 'interrupted') state.finishedAt = toTimestamp(ctx.engine.clock.now());
  try {
    if (!isNoted) return state;
    await transact(ctx, async (tx) => {
      // An import that is to stop for good does not go on after a restart.
      if (state.status === 'interrupted' && (await isStopped(tx, state.id)))
        Object.assign(state, { status: 'stopped', error: new Stopped().message, finishedAt: toTimestamp(tx.now) });
      await updateNote(tx, note);
    });
    return state;
  } finally {
    hooks.onProgress?.(state);
  }
}
