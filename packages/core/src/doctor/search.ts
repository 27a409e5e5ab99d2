import { breathe } from '../breathe.ts';
import type { Product } from '../products/fields.ts';
import { searchText } from '../products/listing.ts';
import { lockRows } from '../storage/locks.ts';
import { runTransaction } from '../storage/run.ts';
import type { Db, SearchedStore, Storage } from '../storage/storage.ts';

/** A product or an order that a search finds by another text than its own, does not find, or finds though it is gone. */
export interface WrongText {
  store: SearchedStore;
  table: 'products' | 'orders';
  number: number;
}

/** Rows read at once. */
const pageSize = 500;

/** Wrong texts that are told; repairing and looking again finds the rest. */
const maxWrong = 10_000;

/** Compares the texts of the search indexes with the rows that they are of, all of one moment. */
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
    if (number !== indexed || row.value?.text !== text.value?.text) {
      wrong.push({ store, table, number: Math.min(number, indexed) });
    }
    if (number <= indexed) row = await rows.next();
    if (indexed <= number) text = await texts.next();
  }
}

interface Numbered {
  number: number;
  text: string;
}

/** Rows in the order of their numbers, read page by page. */
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
  // Both tables have the columns that are selected; the type checker follows one of them.
  return db
    .selectFrom(table as 'orders')
    .select(['number', 'json', ...(table === 'orders' ? (['search'] as const) : [])])
    .where('store_id', '=', store.id)
    .orderBy('number');
}

/** What the index should have of rows that are not deleted. */
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
    text: table === 'orders' ? (search ?? '') : searchText(JSON.parse(json) as Product),
  }));
}

function indexOf(storage: Storage, table: WrongText['table']) {
  return table === 'orders' ? storage.orderSearch : storage.search;
}

/** Texts set right in one transaction. */
const batch = 200;

/** Sets texts right by the rows as they are at that moment, whatever was written since they were compared. */
export async function repairTexts(storage: Storage, wrong: readonly WrongText[]): Promise<void> {
  for (let i = 0; i < wrong.length; i += batch) {
    const some = wrong.slice(i, i + batch);
    const stores = new Set(some.map(({ store }) => store.id));
    await runTransaction(storage, async (db) => {
      for (const { store, table, number } of some) {
        const only = (query: ReturnType<typeof rowsOf>) => lockRows(db, query.where('number', '=', number));
        const [row] = await textsOf(db, store, table, only);
        if (row) await indexOf(storage, table).put(db, { store, number }, row.text);
        else await indexOf(storage, table).remove(db, { store, number });
      }
      // Totals of searches that processes remember are of the texts before.
      const changes = [{ list: 'products.version', value: '', n: 1, isDroppedAtZero: false }] as const;
      for (const storeId of stores) await storage.counts.add(db, storeId, changes);
    });
    for (const storeId of stores) storage.counts.committed?.(storeId);
  }
}
