import { sql } from 'kysely';
import { CommerceError } from '../kernel/errors.ts';
import { cancelWaitingMails } from '../mail/mails.ts';
import { unfinishedCopy } from '../storage/migrations/index.ts';
import { runTransaction } from '../storage/run.ts';
import type { Db, Storage } from '../storage/storage.ts';
import { endImports } from '../transfer/notes.ts';
import type { Key } from './rows.ts';
import type { CopiedTable } from './tables.ts';

/** Progress of a copy, stored in the target database until the copy is complete. */
export interface CopyState {
  /** The last key written, for each table that was begun. */
  readonly last: ReadonlyMap<CopiedTable, Key>;
  /** True if an earlier run began the copy. */
  readonly isResumed: boolean;
}

/**
 * Begins a copy, or finds the progress of an earlier run. Until it is finished, no program can open the database for anything else.
 * @throws CommerceError `conflict` if the database has stores that are not from this copy
 */
export async function beginCopy(to: Storage, source: string, now: number): Promise<CopyState> {
  return runTransaction(to, async (db) => {
    const isMarked = await db
      .selectFrom('schema_migrations')
      .select('name')
      .where('name', '=', unfinishedCopy)
      .executeTakeFirst();
    if (isMarked) return readState(db, to, source);
    const store = await db.selectFrom('stores').select('id').limit(1).executeTakeFirst();
    if (store) {
      throw new CommerceError('conflict', `${to.location} has stores already; copy into an empty database`);
    }
    await sql`create table copy_state (source text not null, copied text not null, last text, primary key (copied))`.execute(
      db,
    );
    await sql`insert into copy_state (source, copied, last) values (${source}, '', null)`.execute(db);
    await db.insertInto('schema_migrations').values({ name: unfinishedCopy, applied_at: now }).execute();
    return { last: new Map(), isResumed: false };
  });
}

async function readState(db: Db, to: Storage, source: string): Promise<CopyState> {
  const { rows } = await sql<{ source: string; copied: CopiedTable | ''; last: string | null }>`
    select source, copied, last from copy_state`.execute(db);
  const other = rows.find((row) => row.source !== source);
  if (other) {
    throw new CommerceError(
      'conflict',
      `${to.location} has an unfinished copy of ${other.source}; finish it, or copy into an empty database`,
    );
  }
  const last = rows.flatMap((row): [CopiedTable, Key][] =>
    row.copied === '' || row.last === null ? [] : [[row.copied, JSON.parse(row.last)]],
  );
  return { last: new Map(last), isResumed: true };
}

/** Records the last key written of a table, in the transaction that writes it. */
export async function noteCopied(db: Db, source: string, table: CopiedTable, last: Key): Promise<void> {
  await sql`insert into copy_state (source, copied, last) values (${source}, ${table}, ${JSON.stringify(last)})
    on conflict (copied) do update set last = excluded.last`.execute(db);
}

/** Allows programs to open the database from now on. */
export async function endCopy(to: Storage, now: number, { keepMail }: { keepMail: boolean }): Promise<void> {
  await runTransaction(to, async (db) => {
    await endImports(db, now);
    if (!keepMail) await cancelWaitingMails(db);
    await sql`drop table copy_state`.execute(db);
    await db.deleteFrom('schema_migrations').where('name', '=', unfinishedCopy).execute();
  });
}
