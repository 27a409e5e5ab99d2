import { toTimestamp } from '../clock.ts';
import type { Actor, Context, TxContext } from '../context.ts';
import { notFound } from '../errors.ts';
import { isId } from '../ids.ts';
import { fromJson, type Json, type List, toJson } from '../json.ts';
import { reading, snapshot } from '../storage/run.ts';
import { transact } from '../transaction.ts';
import type { Import } from './progress.ts';
import type { ImportTable } from './table.ts';

/** Imports of a store that are kept; older ones that have ended are forgotten. */
const maxKept = 200;

/** An import under way, with what only its process needs. */
export interface ImportNote {
  import: Import;
  fingerprint: string;
  file: string | null;
  owner: string | null;
  /** Rows that are done with, and the line at which the last of them begins. */
  done: number;
  lastLine: number;
}

function toNote(row: ImportTable): ImportNote {
  return {
    import: JSON.parse(row.json),
    fingerprint: row.fingerprint,
    file: row.file,
    owner: row.owner,
    done: row.done,
    lastLine: row.last_line,
  };
}

/** The note of an import with that fingerprint that has not come to its end. */
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

/** Begins an import, and forgets the oldest that have ended where there are many. */
export async function insertNote(ctx: Context, note: ImportNote): Promise<void> {
  await transact(ctx, async (tx) => {
    const old = await tx.db
      .selectFrom('imports')
      .select('id')
      .where('store_id', '=', tx.store.id)
      .where('status', '<>', 'running')
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
        fingerprint: note.fingerprint,
        file: note.file,
        actor: JSON.stringify({ type: tx.actor.type, id: tx.actor.id }),
        created_at: tx.now,
        ...columns(tx, note),
      })
      .execute();
  });
}

/** Writes how far an import has come, in the transaction of its rows. */
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
export async function getImportJson(ctx: Context, id: string): Promise<Json<Import>> {
  const row = isId(id) ? await findRow(ctx, id) : undefined;
  if (!row) throw notFound('import', id);
  return row.json as Json<Import>;
}

/** As `getImportJson`, for use inside an application. */
export async function getImport(ctx: Context, id: string): Promise<Import> {
  return fromJson(await getImportJson(ctx, id));
}

function findRow(ctx: Context, id: string): Promise<ImportTable | undefined> {
  return reading(ctx.engine.storage, (db) =>
    db.selectFrom('imports').selectAll().where('store_id', '=', ctx.store.id).where('id', '=', id).executeTakeFirst(),
  );
}

export async function readNote(ctx: Context, id: string): Promise<(ImportNote & { actor: Actor }) | undefined> {
  const row = await findRow(ctx, id);
  return row && { ...toNote(row), actor: JSON.parse(row.actor) };
}

/** The store's imports of some resources, newest first; at most 400 are kept. */
export async function listImportsJson(
  ctx: Context,
  resources: readonly string[],
  { limit, offset }: { limit: number; offset: number },
): Promise<Json<List<Import>>> {
  return snapshot(ctx.engine.storage, async (db) => {
    const rows = await db
      .selectFrom('imports')
      .select(['id', 'json'])
      .where('store_id', '=', ctx.store.id)
      .orderBy('id', 'desc')
      .execute();
    const visible = rows.filter(({ json }) => resources.includes((JSON.parse(json) as Import).resource));
    const page = visible.slice(offset, offset + limit).map(({ json }) => json);
    return `{"items":[${page.join(',')}],"total":${visible.length}}` as Json<List<Import>>;
  });
}

/** Imports that no living process works on any more, of all stores. */
export async function findRunning(
  ctx: Pick<Context, 'engine'>,
): Promise<{ storeId: string; id: string; owner: string | null; updatedAt: number }[]> {
  const rows = await reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('imports')
      .select(['store_id', 'id', 'owner', 'updated_at'])
      .where('status', '=', 'running')
      .where('file', 'is not', null)
      .limit(1000)
      .execute(),
  );
  return rows.map((row) => ({ storeId: row.store_id, id: row.id, owner: row.owner, updatedAt: row.updated_at }));
}
