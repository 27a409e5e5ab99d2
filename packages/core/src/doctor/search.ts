import { breathe } from '../kernel/breathe.ts';
import type { Product } from '../products/fields.ts';
import { searchTexts } from '../products/listing.ts';
import { lockRows } from '../storage/locks.ts';
import { runTransaction } from '../storage/run.ts';
import type { Db, SearchedStore, SearchTexts, Storage } from '../storage/storage.ts';

/** A product or order that the search index lists with a wrong text, does not list, or lists although it is deleted. */
export interface WrongText {
  store: SearchedStore;
  table: 'products' | 'orders';
  number: number;
}

/** Rows per read. */
const pageSize = 500;

/** Maximum number of reported wrong texts; a check after the repair finds the rest. */
const maxWrong = 10_000;

/** Compares the texts of the search indexes with their rows, all as of one moment. */
export function findWrongTexts(storage: Storage): Promise<WrongText[]> {
  return storage.oneMoment(async (db) => {
    const wrong: WrongText[] = [];
    for (const store of await db.selectFrom('stores').select(['id', 'number']).orderBy('id').execute()) {
      for (const table of ['products', 'orders'] as const) await compare(db, storage, store, table, wrong);
    }
    return wrong.slice(0, maxWrong);
  });
}

async function compare(
  db: Db,
  storage: Storage,
  store: SearchedStore,
  table: WrongText['table'],
  wrong: WrongText[],
): Promise<void> {
  const rows = pages((after) =>
    textsOf(db, store, table, (query) => query.where('number', '>', after).limit(pageSize)),
  );
  const texts = pages((after) => indexOf(storage, table).texts(db, store, after, pageSize));
  let [row, text] = [await rows.next(), await texts.next()];
  while (wrong.length < maxWrong && !(row.done && text.done)) {
    const [number, indexed] = [
      row.value?.number ?? Number.POSITIVE_INFINITY,
      text.value?.number ?? Number.POSITIVE_INFINITY,
    ];
    if (number !== indexed || row.value?.texts.join(end) !== text.value?.texts.join(end)) {
      wrong.push({ store, table, number: Math.min(number, indexed) });
    }
    if (number <= indexed) row = await rows.next();
    if (indexed <= number) text = await texts.next();
  }
}

/** Ends each text; no text contains it. */
const end = '\0';

interface Numbered {
  number: number;
  texts: SearchTexts;
}

/** Rows in the order of their numbers, page by page. */
async function* pages(read: (after: number) => Promise<Numbered[]>): AsyncGenerator<Numbered, undefined> {
  for (let after = -1; ; ) {
    const page = await read(after);
    yield* page;
    if (page.length < pageSize) return;
    after = page.at(-1)?.number ?? after;
    await breathe();
  }
}

function rowsOf(db: Db, store: SearchedStore, table: WrongText['table']) {
  // Both tables have the selected columns; the type checker is shown only one of them.
  return db
    .selectFrom(table as 'orders')
    .select(['number', 'json', ...(table === 'orders' ? (['search'] as const) : [])])
    .where('store_id', '=', store.id)
    .orderBy('number');
}

/** The texts that the index should contain for rows that are not deleted. */
async function textsOf(
  db: Db,
  store: SearchedStore,
  table: WrongText['table'],
  restrict: (query: ReturnType<typeof rowsOf>) => ReturnType<typeof rowsOf>,
): Promise<Numbered[]> {
  const query = restrict(rowsOf(db, store, table));
  const rows = await (table === 'orders' ? query : query.where('status', '<>', 'deleted' as never)).execute();
  return rows.map(({ number, json, search }) => ({
    number,
    texts: table === 'orders' ? [search ?? ''] : searchTexts(JSON.parse(json) as Product),
  }));
}

function indexOf(storage: Storage, table: WrongText['table']) {
  return table === 'orders' ? storage.orderSearch : storage.search;
}

/** Texts corrected in one transaction. */
const batch = 200;

/** Corrects texts from the current rows, whatever was written since they were compared. */
export async function repairTexts(storage: Storage, wrong: readonly WrongText[]): Promise<void> {
  for (let i = 0; i < wrong.length; i += batch) {
    const some = wrong.slice(i, i + batch);
    const stores = new Set(some.map(({ store }) => store.id));
    await runTransaction(storage, async (db) => {
      for (const { store, table, number } of some) {
        const only = (query: ReturnType<typeof rowsOf>) => lockRows(db, query.where('number', '=', number));
        const [row] = await textsOf(db, store, table, only);
        if (row) await indexOf(storage, table).put(db, { store, number }, row.texts);
        else await indexOf(storage, table).remove(db, { store, number });
      }
      // Totals of searches in the processes' caches are computed from the old texts.
      const changes = [{ list: 'products.version', value: '', n: 1, isDroppedAtZero: false }] as const;
      for (const storeId of stores) await storage.counts.add(db, storeId, changes);
    });
    for (const storeId of stores) storage.counts.committed?.(storeId);
  }
}
