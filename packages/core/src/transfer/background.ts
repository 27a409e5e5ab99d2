import { constants, createReadStream, type ReadStream } from 'node:fs';
import { lstat, open, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Context, Engine } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import type { Scope } from '../engine/scopes.ts';
import { refuseInUnit, transact } from '../engine/transaction.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError, notFound } from '../kernel/errors.ts';
import { storingFiles } from '../kernel/files/file-obstacles.ts';
import { openPrivateFolder } from '../kernel/files/private-folder.ts';
import { isId } from '../kernel/ids.ts';
import { parse } from '../kernel/parse.ts';
import { reading } from '../storage/run.ts';
import { findStore } from '../stores/stores.ts';
import { findMissingCategory, mayNotMake } from './categories.ts';
import type { Row } from './files/rows.ts';
import { type ImportedResource, nounOf } from './formats/own.ts';
import { newNote, runImport } from './import.ts';
import {
  claimNote,
  findRunning,
  type ImportNote,
  type ImportResourceQueryInput,
  insertNote,
  readNote,
  stopNote,
  touchNote,
  updateNote,
} from './notes.ts';
import { checkOptions, type ImportOptions } from './options.ts';
import type { Import } from './progress.ts';
import { ImportQuery, type ImportQueryInput } from './query.ts';
import { readSource } from './source.ts';
import { backgrounds, processName } from './under-way.ts';

/** Storage of files that came over HTTP until they are imported. */
export interface ImportFiles {
  /** A local folder that outlives the process; created when needed. */
  readonly directory: string;
  /** Maximum size of a file in bytes. */
  readonly maxBytes: number;
}

/** Rows per transaction, and share of the thread's time, of an import that runs next to requests. */
const batchRows = 50;
const share = 0.2;

/** Milliseconds between two signs of life, and without them until another machine's import counts as abandoned. */
const heartbeat = 10_000;
const lostAfter = 60_000;

/** Milliseconds after which an import is given up if the machine with its file has not come back. */
const goneAfter = 24 * 60 * 60 * 1000;

/**
 * Takes a file and imports it in the background: one import per store at a time, slowed down to spare requests. It continues after a
 * restart of the service.
 * @param fileName name of the file, called once the file is complete
 * @throws CommerceError `validation`, `tooLarge`; `forbidden` naming the scope that the key of the caller lacks; `conflict` when too many
 * imports of the store are waiting; `unavailable` when the folder of the files is full or cannot be written to
 */
export async function startImport(
  ctx: Context,
  query: ImportQueryInput,
  bytes: AsyncIterable<Uint8Array>,
  fileName?: string | (() => string | undefined),
): Promise<Import> {
  refuseInUnit(ctx.engine, 'startImport continues in the background');
  refusePublic(ctx);
  const { resource, map, ...rest } = parse(ImportQuery, query);
  const options: ImportOptions = { ...rest, ...(map === undefined ? {} : { map: parseMap(map) }) };
  checkOptions(resource, options);
  checkScopes(ctx, [`${nounOf[resource]}.write`, ...(options.images ? (['media.write'] as const) : [])]);
  if (options.images && !ctx.engine.media.files) {
    throw new CommerceError('unavailable', 'no storage of media files is configured');
  }
  const { directory, maxBytes } = ctx.engine.importFiles;
  await storingFiles('imports', () => openPrivateFolder(directory, 'imports'));
  const note = newNote(ctx, resource, {}, options, '');
  const file = pathOf(ctx.engine, note.import.id);
  try {
    note.import.fileSize = await storingFiles('imports', () => spool(bytes, file, maxBytes));
    const name = typeof fileName === 'function' ? fileName() : fileName;
    note.import.fileName = name?.slice(0, 255).replaceAll('\0', '').toWellFormed() ?? null;
    await checkCategories(ctx, resource, file, options);
    Object.assign(note, { file: note.import.id, fingerprint: `http ${note.import.id}`, options });
    note.import.status = 'waiting';
    const started = await insertNote(ctx, { ...note, owner: processName(ctx.engine) });
    queue(ctx.engine, ctx.store.id, note.import.id);
    return started;
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/**
 * Stops a waiting or running import in any process, after its current batch. Rows already written stay. A finished import does not change.
 * @throws CommerceError `notFound`
 */
export async function stopImport(ctx: Context, id: string, query: ImportResourceQueryInput = {}): Promise<void> {
  refuseInUnit(ctx.engine, 'stopImport removes a file');
  const note = await stopNote(ctx, id, query);
  if (note.file === null) return;
  await openPrivateFolder(ctx.engine.importFiles.directory, 'imports');
  await rm(pathOf(ctx.engine, id), { force: true });
}

/**
 * Path of an import's file: from its id, never from a row's text, because a restored backup from another source can contain anything.
 * @throws CommerceError `notFound` if it is not an id
 */
function pathOf({ importFiles }: Engine, id: string): string {
  if (!isId(id)) throw notFound('import', id);
  return join(importFiles.directory, id);
}

/** Reads a file; refuses a symbolic link. */
function readOwn(path: string): ReadStream {
  // Node's types only allow flags as words, and none of them means this.
  return createReadStream(path, { flags: (constants.O_RDONLY | constants.O_NOFOLLOW) as never });
}

/** @throws CommerceError `forbidden` when the key of the caller lacks one of these */
function checkScopes({ actor }: Context, wanted: readonly Scope[]): void {
  const missing = wanted.find((scope) => actor.scopes && !actor.scopes.has(scope));
  if (missing !== undefined) throw new CommerceError('forbidden', `the API key does not have the scope ${missing}`);
}

/** Rows whose categories are checked before an import is accepted; later rows are checked during the import. */
const rowsLookedAt = 250;

/** @throws CommerceError `forbidden` when the first rows would create categories and the caller's key is not allowed to */
async function checkCategories(
  ctx: Context,
  resource: ImportedResource,
  file: string,
  options: ImportOptions,
): Promise<void> {
  if (resource !== 'products' || !ctx.actor.scopes || ctx.actor.scopes.has('category.write')) return;
  const rows: Row[] = [];
  const state = newNote(ctx, resource, {}, options, '').import;
  const source = { open: () => readOwn(file) };
  try {
    for await (const mapped of readSource(ctx, resource, source, options, state, async () => {})) {
      for (const one of mapped) if ('row' in one) rows.push(one.row);
      if (rows.length >= rowsLookedAt) break;
    }
  } catch (error) {
    // The import itself reports a file that becomes unreadable.
    if (!(error instanceof CommerceError)) throw error;
  }
  const missing = await reading(ctx.engine.storage, (db) =>
    findMissingCategory({ db, store: ctx.store }, rows.slice(0, rowsLookedAt)),
  );
  if (missing !== undefined) throw mayNotMake(missing);
}

/** @throws CommerceError `validation` on `map` */
function parseMap(json: string): Record<string, string> {
  const refuse = () =>
    new CommerceError('validation', 'map must be a JSON object of texts', {
      details: [{ field: 'map', reason: 'must be a JSON object such as {"Nome": "title"}' }],
    });
  let map: unknown;
  try {
    map = JSON.parse(json);
  } catch {
    throw refuse();
  }
  if (typeof map !== 'object' || map === null || Object.values(map).some((name) => typeof name !== 'string')) {
    throw refuse();
  }
  return map as Record<string, string>;
}

async function spool(bytes: AsyncIterable<Uint8Array>, path: string, maxBytes: number): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > maxBytes) throw new CommerceError('tooLarge', `the file must have at most ${maxBytes} bytes`);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return size;
}

function queue(engine: Engine, storeId: string, id: string): void {
  const { lines, taken } = backgrounds(engine);
  if (taken.has(id)) return;
  taken.add(id);
  const before = lines.get(storeId) ?? Promise.resolve();
  const line = before
    .then(() => work(engine, storeId, id))
    // If the database fails, the note does not change and is found again later.
    .catch(() => {})
    .finally(() => {
      taken.delete(id);
      if (lines.get(storeId) === line) lines.delete(storeId);
    });
  lines.set(storeId, line);
}

async function work(engine: Engine, storeId: string, id: string): Promise<void> {
  const { stop } = backgrounds(engine);
  if (stop.signal.aborted) return;
  const store = await findStore(engine, storeId);
  if (!store) return;
  const base: Context = { engine, store, actor: { type: 'system', id: null }, requestId: null };
  const note = await readNote(base, id);
  if (!note?.file) return;
  const file = pathOf(engine, id);
  await openPrivateFolder(engine.importFiles.directory, 'imports');
  if (note.import.status === 'stopped') return rm(file, { force: true });
  const ctx: Context = { ...base, actor: note.actor };
  const running: ImportNote = { ...note, owner: processName(engine) };
  const alive = setInterval(() => void touchNote(ctx, id).catch(() => {}), heartbeat);
  alive.unref();
  try {
    const source = {
      open: () => readOwn(file),
      ...(note.import.fileName ? { name: note.import.fileName } : {}),
    };
    const hooks = { batchRows, share, signal: stop.signal };
    await runImport(ctx, note.import.resource, source, note.options, hooks, running, true).catch(() => {});
  } finally {
    clearInterval(alive);
  }
  if (running.import.status !== 'interrupted') await rm(file, { force: true });
}

/** Continues imports whose process has ended. */
export async function continueImports(engine: Engine): Promise<void> {
  const { taken } = backgrounds(engine);
  const owner = processName(engine);
  for (const found of await findRunning({ engine })) {
    if (taken.has(found.id) || isAlive(found.owner, owner, engine.clock.now() - found.updatedAt)) continue;
    const store = await findStore(engine, found.storeId);
    if (!store) continue;
    const ctx: Context = { engine, store, actor: { type: 'system', id: null }, requestId: null };
    const isHere = await lstat(pathOf(engine, found.id)).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (isHere) {
      if (await claimNote(ctx, found, owner)) queue(engine, found.storeId, found.id);
    } else if (isOfThisMachine(found.owner) || engine.clock.now() - found.updatedAt > goneAfter) {
      await fail(ctx, found.id, 'its file no longer exists: send it again');
    }
  }
}

async function fail(ctx: Context, id: string, reason: string): Promise<void> {
  const note = await readNote(ctx, id);
  if (!note) return;
  const finishedAt = toTimestamp(ctx.engine.clock.now());
  Object.assign(note.import, { status: 'failed', error: reason, finishedAt });
  await transact(ctx, (tx) => updateNote(tx, note));
}

function isOfThisMachine(owner: string | null): boolean {
  return owner !== null && owner.split(' ')[0] === hostname();
}

/** True while the process that owns an import is alive. */
function isAlive(owner: string | null, own: string, silentFor: number): boolean {
  if (owner === null) return false;
  if (!isOfThisMachine(owner)) return silentFor < lostAfter;
  const pid = Number(owner.split(' ')[1]);
  // An earlier process had the same number.
  if (pid === process.pid) return owner === own;
  try {
    process.kill(pid, 0);
    return silentFor < lostAfter;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' && silentFor < lostAfter;
  }
}
