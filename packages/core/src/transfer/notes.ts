import type * as z from 'zod';
import type { Actor, Context, TxContext } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import type { Scope } from '../engine/scopes.ts';
import { transact } from '../engine/transaction.ts';
import { noted } from '../fields/notes.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError, notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { type Json, type List, parsed, toJson } from '../kernel/json.ts';
import { paging } from '../kernel/paging.ts';
import { fields, oneOf, parse } from '../kernel/parse.ts';
import { listJson } from '../resources/list-json.ts';
import { lockRows } from '../storage/locks.ts';
import { reading, snapshot } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { ImportTable } from '../storage/tables/transfer.ts';
import { importedResources } from './formats/own.ts';
import type { ImportOptions } from './options.ts';
import type { Import } from './progress.ts';

/** Imports that are kept per store; older finished ones are forgotten. */
const maxKept = 200;

/** A running import, with data that only its process needs. */
export interface ImportNote {
  import: Import;
  fingerprint: string;
  /** Set if the file came over HTTP; never a path. */
  file: string | null;
  owner: string | null;
  options: ImportOptions;
  /** Completed rows, and the line at which the last of them begins. */
  done: number;
  lastLine: number;
}

function toNote(row: ImportTable): ImportNote {
  return {
    import: { ...(JSON.parse(row.json) as Import), id: row.id, storeId: row.store_id },
    fingerprint: row.fingerprint,
    file: row.file,
    owner: row.owner,
    options: JSON.parse(row.options),
    done: row.done,
    lastLine: row.last_line,
  };
}

/** The note of an unfinished import with that fingerprint. */
export async function findUnfinished(ctx: Context, fingerprint: string): Promise<ImportNote | undefined> {
  const row = await reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('imports')
      .selectAll()
      .where('store_id', '=', ctx.store.id)
      .where('fingerprint', '=', fingerprint)
      .where('status', 'in', ['running', 'stopped', 'interrupted', 'failed'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
  );
  return row && toNote(row);
}

/** Begins an import, and forgets the oldest finished ones if there are many. */
export async function insertNote(ctx: Context, note: ImportNote): Promise<Import> {
  return transact(ctx, async (tx) => {
    if (note.file !== null) await checkRoom(tx);
    const old = await tx.db
      .selectFrom('imports')
      .select('id')
      .where('store_id', '=', tx.store.id)
      .where('status', 'not in', ['waiting', 'running'])
      .orderBy('id', 'desc')
      .offset(maxKept - 1)
      .limit(maxKept)
      .execute();
    if (old.length > 0) {
      await tx.db
        .deleteFrom('imports')
        .where('store_id', '=', tx.store.id)
        .where(
          'id',
          'in',
          old.map(({ id }) => id),
        )
        .execute();
    }
    await tx.db
      .insertInto('imports')
      .values({
        store_id: tx.store.id,
        id: note.import.id,
        resource: note.import.resource,
        fingerprint: note.fingerprint,
        file: note.file,
        actor: actorOf(tx),
        options: JSON.stringify(note.options),
        created_at: tx.now,
        ...columns(tx, note),
      })
      .execute();
    return structuredClone(note.import);
  });
}

/** Who started an import. The scopes of a key or a user are read anew; those that an application gave its user are nowhere else. */
function actorOf({ actor: { type, id, scopes } }: Context): string {
  return JSON.stringify({ type, id, ...(type === 'embedder' && scopes && { scopes: [...scopes] }) });
}

/** Maximum waiting imports of a store. */
const maxWaiting = 10;

/** @throws CommerceError `conflict` */
async function checkRoom(tx: TxContext): Promise<void> {
  await tx.engine.storage.lockName(tx.db, `imports ${tx.store.id}`);
  const waiting = await tx.db
    .selectFrom('imports')
    .select('id')
    .where('store_id', '=', tx.store.id)
    .where('status', 'in', ['waiting', 'running'])
    .where('file', 'is not', null)
    .limit(maxWaiting)
    .execute();
  if (waiting.length < maxWaiting) return;
  throw new CommerceError(
    'conflict',
    `${maxWaiting} imports of this store are already waiting; send it again when they are done`,
    { reason: 'importsWaiting' },
  );
}

/** True if a running import was stopped. In a transaction, locks the note until the end, so that no stop is overwritten. */
export async function isStopped(tx: Pick<TxContext, 'db' | 'store'>, id: string, isLocked = true): Promise<boolean> {
  const query = tx.db.selectFrom('imports').select('status').where('store_id', '=', tx.store.id).where('id', '=', id);
  return (await (isLocked ? lockRows(tx.db, query) : query).executeTakeFirst())?.status === 'stopped';
}

/**
 * Stops a waiting or running import after its current batch. Rows already written stay. A finished import does not change.
 * @returns its note
 * @throws CommerceError `notFound`
 */
export async function stopNote(ctx: Context, id: string, query: ImportResourceQueryInput): Promise<ImportNote> {
  refusePublic(ctx);
  const { resource } = parse(ImportResourceQuery, query);
  if (!isId(id)) throw notFound('import', id);
  return transact(ctx, async (tx) => {
    const found = tx.db.selectFrom('imports').selectAll().where('store_id', '=', tx.store.id).where('id', '=', id);
    const row = await lockRows(tx.db, found).executeTakeFirst();
    if (row?.resource !== resource) throw notFound('import', id);
    const note = toNote(row);
    if (!underWay.some((status) => status === row.status)) return note;
    end(note, 'stopped', 'it was stopped by a request', tx.now);
    await updateNote(tx, note);
    return note;
  });
}

const underWay = ['waiting', 'running', 'interrupted'] as const;

function end(note: ImportNote, status: 'stopped' | 'failed', error: string, now: number): void {
  Object.assign(note.import, { status, error, finishedAt: toTimestamp(now) });
}

/**
 * Ends the waiting and running imports over HTTP in a database that was copied or restored. Their files did not come with it, and no user
 * of this copy started them.
 */
export async function endImports(db: Db, now: number): Promise<void> {
  const rows = await db
    .selectFrom('imports')
    .selectAll()
    .where('status', 'in', underWay)
    .where('file', 'is not', null)
    .execute();
  for (const row of rows) {
    const note = toNote(row);
    end(note, 'failed', 'its file was not copied with the database: send it again', now);
    note.import.updatedAt = toTimestamp(now);
    await db
      .updateTable('imports')
      .set({ status: 'failed', owner: null, updated_at: now, json: toJson(note.import) })
      .where('store_id', '=', row.store_id)
      .where('id', '=', row.id)
      .execute();
  }
}

/** Writes the position of an import in the transaction of its rows. */
export async function updateNote(tx: TxContext, note: ImportNote): Promise<void> {
  await tx.db
    .updateTable('imports')
    .set(columns(tx, note))
    .where('store_id', '=', tx.store.id)
    .where('id', '=', note.import.id)
    .execute();
}

function columns(tx: TxContext, note: ImportNote) {
  note.import.updatedAt = toTimestamp(tx.now);
  const { status } = note.import;
  return {
    status,
    owner: note.owner,
    done: note.done,
    last_line: note.lastLine,
    updated_at: tx.now,
    json: toJson(note.import),
  };
}

/** @throws CommerceError `notFound`, also for another store's import and for a malformed id */
export async function getImportJson(
  ctx: Context,
  id: string,
  query: ImportResourceQueryInput = {},
): Promise<Json<Import>> {
  refusePublic(ctx);
  const { resource } = parse(ImportResourceQuery, query);
  const row = isId(id) ? await findRow(ctx, id) : undefined;
  if (row?.resource !== resource) throw notFound('import', id);
  return row.json as Json<Import>;
}

/** Like `getImportJson`, for use inside an application. */
export const getImport = parsed(getImportJson);

function findRow(ctx: Context, id: string): Promise<ImportTable | undefined> {
  return reading(ctx.engine.storage, (db) =>
    db.selectFrom('imports').selectAll().where('store_id', '=', ctx.store.id).where('id', '=', id).executeTakeFirst(),
  );
}

export async function readNote(ctx: Context, id: string): Promise<(ImportNote & { actor: Actor }) | undefined> {
  const row = await findRow(ctx, id);
  if (!row) return undefined;
  const { scopes, ...actor } = JSON.parse(row.actor) as Pick<Actor, 'type' | 'id'> & { scopes?: Scope[] };
  return { ...toNote(row), actor: { ...actor, ...(scopes && { scopes: new Set(scopes) }) } };
}

export const ImportListQuery = noted(
  fields({
    ...paging,
    /** The imported resource. */
    resource: oneOf(importedResources).default('products').describe('The imported resource.'),
  }),
  {
    description: 'The imports to list.',
  },
);
export type ImportListQueryInput = z.input<typeof ImportListQuery>;

/** The store's imports of one resource, newest first. Only the last ones, because older ones are forgotten. */
export async function listImportsJson(ctx: Context, query: ImportListQueryInput = {}): Promise<Json<List<Import>>> {
  refusePublic(ctx);
  const { resource, limit, offset } = parse(ImportListQuery, query);
  return snapshot(ctx.engine.storage, async (db) => {
    const all = db.selectFrom('imports').where('store_id', '=', ctx.store.id).where('resource', '=', resource);
    const { total } = await all.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const page = all.select('json').orderBy('id', 'desc').limit(limit).offset(offset);
    return (await listJson<Import>(db, page as never, String(total)).executeTakeFirstOrThrow()).list;
  });
}

export const ImportResourceQuery = noted(
  fields({
    /** The resource that it imports. */
    resource: oneOf(importedResources).default('products').describe('The resource that it imports.'),
  }),
  {
    description: 'The import to get.',
  },
);
export type ImportResourceQueryInput = z.input<typeof ImportResourceQuery>;

/** An unfinished import over HTTP. */
export interface RunningImport {
  storeId: string;
  id: string;
  owner: string | null;
  updatedAt: number;
}

/** The unfinished imports over HTTP of all stores. */
export async function findRunning({ engine }: Pick<Context, 'engine'>): Promise<RunningImport[]> {
  const rows = await reading(engine.storage, (db) =>
    db
      .selectFrom('imports')
      .select(['store_id', 'id', 'owner', 'updated_at'])
      .where('status', 'in', underWay)
      .where('file', 'is not', null)
      .orderBy('id')
      .limit(1000)
      .execute(),
  );
  return rows.map((row) => ({
    storeId: row.store_id,
    id: row.id,
    owner: row.owner,
    updatedAt: row.updated_at,
  }));
}

/** Takes over an import from a process that has ended. @returns false if another process was faster */
export async function claimNote(ctx: Context, { id, updatedAt }: RunningImport, owner: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const { numUpdatedRows } = await tx.db
      .updateTable('imports')
      .set({ owner, updated_at: tx.now > updatedAt ? tx.now : updatedAt + 1 })
      .where('store_id', '=', tx.store.id)
      .where('id', '=', id)
      .where('updated_at', '=', updatedAt)
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows) === 1;
  });
}

/** Shows that a process works on an import. */
export async function touchNote(ctx: Context, id: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await tx.db
      .updateTable('imports')
      .set({ updated_at: tx.now })
      .where('store_id', '=', tx.store.id)
      .where('id', '=', id)
      .execute();
  });
}

/** Like `listImportsJson`, for use inside an application. */
export const listImports = parsed(listImportsJson);
