import { type PublishedTable, publishedTables } from '../kernel/nouns.ts';
import { type MediaUser, mediaShownBy } from '../media/uses.ts';
import { versionStep } from '../resources/feed-version.ts';
import { lockRows } from '../storage/locks.ts';
import { runTransaction } from '../storage/run.ts';
import type { Db, Storage } from '../storage/storage.ts';

/** A media use that is recorded although nothing published names the media, or that is missing although something does. */
export interface WrongUse {
  storeId: string;
  mediaId: string;
  usedBy: string;
}

/** Rows per read. */
const pageSize = 500;

/** Maximum number of reported wrong uses; a check after the repair finds the rest. */
const maxWrong = 10_000;

/** Compares the uses of media with the products, categories and pages that name them, all as of one moment. */
export function findWrongUses(storage: Storage): Promise<WrongUse[]> {
  return storage.oneMoment(async (db) => {
    const wrong: WrongUse[] = [];
    const stores = await db.selectFrom('stores').select('id').orderBy('id').execute();
    for (const { id: storeId } of stores) {
      for (const table of publishedTables) await findMissing(db, storeId, table, wrong);
      await findLeftOver(db, storeId, wrong);
    }
    return wrong.slice(0, maxWrong);
  });
}

function usersOf(db: Db, table: PublishedTable, storeId: string) {
  // All these tables have the columns; the type checker is shown only one of them.
  return db
    .selectFrom(table as 'products')
    .select(['id', 'json'])
    .where('store_id', '=', storeId)
    .orderBy('id');
}

async function findMissing(db: Db, storeId: string, table: PublishedTable, wrong: WrongUse[]): Promise<void> {
  for (let last = ''; wrong.length < maxWrong; ) {
    const rows = await usersOf(db, table, storeId).where('id', '>', last).limit(pageSize).execute();
    const final = rows.at(-1);
    if (!final) return;
    last = final.id;
    const named = rows.flatMap(({ id, json }) =>
      [...mediaShownBy(JSON.parse(json))].map((mediaId) => ({ mediaId, id })),
    );
    for (let i = 0; i < named.length; i += pageSize) {
      const some = named.slice(i, i + pageSize);
      const found = await db
        .selectFrom('media_uses')
        .select(['media_id', 'used_by'])
        .where('store_id', '=', storeId)
        .where(
          'media_id',
          'in',
          some.map(({ mediaId }) => mediaId),
        )
        .where(
          'used_by',
          'in',
          some.map(({ id }) => id),
        )
        .execute();
      const written = new Set(found.map((use) => `${use.media_id} ${use.used_by}`));
      for (const { mediaId, id } of some) {
        if (!written.has(`${mediaId} ${id}`)) wrong.push({ storeId, mediaId, usedBy: id });
      }
    }
  }
}

async function findLeftOver(db: Db, storeId: string, wrong: WrongUse[]): Promise<void> {
  for (let last = { media_id: '', used_by: '' }; wrong.length < maxWrong; ) {
    const { media_id, used_by } = last;
    const uses = await db
      .selectFrom('media_uses')
      .select(['media_id', 'used_by'])
      .where('store_id', '=', storeId)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('media_id', 'used_by'), '>', tuple(media_id, used_by)))
      .orderBy('media_id')
      .orderBy('used_by')
      .limit(pageSize)
      .execute();
    const final = uses.at(-1);
    if (!final) return;
    last = final;
    const ids = uses.map((use) => use.used_by);
    const shown = new Map<string, Set<string>>();
    for (const table of publishedTables) {
      for (const { id, json } of await usersOf(db, table, storeId).where('id', 'in', ids).execute()) {
        shown.set(id, mediaShownBy(JSON.parse(json)));
      }
    }
    for (const use of uses) {
      if (!shown.get(use.used_by)?.has(use.media_id)) {
        wrong.push({ storeId, mediaId: use.media_id, usedBy: use.used_by });
      }
    }
  }
}

/** Uses corrected in one transaction. */
const batch = 200;

/** Corrects uses by the items that name media now, whatever was written since they were compared. */
export async function repairUses(storage: Storage, wrong: readonly WrongUse[]): Promise<void> {
  for (const storeId of new Set(wrong.map((one) => one.storeId))) {
    const ofStore = wrong.filter((one) => one.storeId === storeId);
    for (let i = 0; i < ofStore.length; i += batch) {
      const some = ofStore.slice(i, i + batch);
      await runTransaction(storage, (db) => repairSome(db, storage, storeId, some));
      storage.counts.committed?.(storeId);
    }
  }
}

async function repairSome(db: Db, storage: Storage, storeId: string, some: readonly WrongUse[]): Promise<void> {
  const ids = [...new Set(some.map(({ usedBy }) => usedBy))];
  const shown = new Map<string, Set<string>>();
  for (const table of publishedTables) {
    const rows = await lockRows(db, usersOf(db, table, storeId).where('id', 'in', ids)).execute();
    for (const { id, json } of rows) shown.set(id, mediaShownBy(JSON.parse(json) as MediaUser));
  }
  for (const { mediaId: media_id, usedBy: used_by } of some) {
    if (shown.get(used_by)?.has(media_id)) {
      await db
        .insertInto('media_uses')
        .values({ store_id: storeId, media_id, used_by })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    } else {
      await db
        .deleteFrom('media_uses')
        .where('store_id', '=', storeId)
        .where('media_id', '=', media_id)
        .where('used_by', '=', used_by)
        .execute();
    }
  }
  await storage.counts.add(db, storeId, [
    { list: 'media.version', value: '', n: versionStep(), isDroppedAtZero: false },
  ]);
}
