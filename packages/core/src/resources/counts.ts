import type { EndWriter } from '../engine/context.ts';
import { perTransaction } from '../engine/per-transaction.ts';
import { prepared, preparedPerLength } from '../storage/prepared.ts';
import type { CountChange, Db } from '../storage/storage.ts';
import type { CountedList } from '../storage/tables/resources.ts';

/** Lists whose values clients choose when they write products. */
export const facetLists: ReadonlySet<CountedList> = new Set(['products.facets', 'products.publishedFacets']);

const readCounts = prepared<{ storeId: string; list: CountedList }, { value: string; n: number }>((db, p) =>
  db
    .selectFrom('list_totals')
    .select(['value', 'n'])
    .where('store_id', '=', p('storeId'))
    .where('list', '=', p('list')),
);

const readFirstCounts = prepared<{ storeId: string; list: CountedList; limit: number }, { value: string; n: number }>(
  (db, p) =>
    db
      .selectFrom('list_totals')
      .select(['value', 'n'])
      .where('store_id', '=', p('storeId'))
      .where('list', '=', p('list'))
      .limit(p('limit')),
);

const readSomeCounts = preparedPerLength<{ storeId: string; list: CountedList }, { value: string; n: number }>(
  (db, p, values) =>
    db
      .selectFrom('list_totals')
      .select(['value', 'n'])
      .where('store_id', '=', p('storeId'))
      .where('list', '=', p('list'))
      .where('value', 'in', values),
);

/**
 * The counts of a list by value.
 * @param values only these
 */
export async function listCounts(
  db: Db,
  storeId: string,
  list: CountedList,
  values?: readonly string[],
): Promise<Map<string, number>> {
  const args = { storeId, list };
  const rows = await (values ? readSomeCounts(db, args, values) : readCounts(db, args));
  return new Map(rows.map((row) => [row.value, row.n]));
}

/** The counts of a list with a limited number of values; undefined if it has more than `maxValues`. */
export async function listCountsUpTo(
  db: Db,
  storeId: string,
  list: CountedList,
  maxValues: number,
): Promise<Map<string, number> | undefined> {
  if (!Number.isFinite(maxValues)) return listCounts(db, storeId, list);
  const rows = await readFirstCounts(db, { storeId, list, limit: maxValues + 1 });
  return rows.length > maxValues ? undefined : new Map(rows.map((row) => [row.value, row.n]));
}

/** Changes per statement. */
const maxChanges = 200;

/** Changes of counts in one transaction, written at its end. */
export class CountChanges {
  readonly #changes = new Map<string, { list: CountedList; value: string; n: number }>();

  /** Counts an item that moved from one value of the list to another; undefined means not in the list. */
  move(list: CountedList, from: string | undefined, to: string | undefined): void {
    if (from === to) return;
    if (from !== undefined) this.add(list, from, -1);
    if (to !== undefined) this.add(list, to, 1);
  }

  /** Counts items that entered the list under a value, or left it. */
  add(list: CountedList, value: string, n: number): void {
    const key = `${list} ${value}`;
    const change = this.#changes.get(key);
    if (change) change.n += n;
    else this.#changes.set(key, { list, value, n });
  }

  /** Adds the changes of an operation of the same transaction. */
  addAll(collected: CountChanges): void {
    for (const { list, value, n } of collected.#changes.values()) this.add(list, value, n);
  }

  /** The remaining changes, in a fixed order, so that two transactions never deadlock on them. */
  take(): CountChange[] {
    const changes = [...this.#changes].filter(([, { n }]) => n !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
    this.#changes.clear();
    // Clients choose these values: without a deletion, an unused value would be kept forever.
    return changes.map(([, change]) => ({ ...change, isDroppedAtZero: facetLists.has(change.list) }));
  }
}

/** The changes of counts that a transaction has collected. */
export const pendingCounts = perTransaction(
  () => new CountChanges(),
  (all, collected) => all.addAll(collected),
);

/** Writes a transaction's changes of counts. */
export const countWriter: EndWriter = {
  async write(tx) {
    const { counts } = tx.engine.storage;
    const changes = pendingCounts(tx).take();
    for (let i = 0; i < changes.length; i += maxChanges) {
      await counts.add(tx.db, tx.store.id, changes.slice(i, i + maxChanges));
    }
  },
  locksNothing: false,
  committed(tx) {
    tx.engine.storage.counts.committed?.(tx.store.id);
    return undefined;
  },
};
