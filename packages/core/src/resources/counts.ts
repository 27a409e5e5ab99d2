import { type DeleteResult, sql } from 'kysely';
import type { EndWriter } from '../context.ts';
import { perTransaction } from '../per-transaction.ts';
import { prepared, preparedInsert, preparedPerLength } from '../storage/prepared.ts';
import type { Db } from '../storage/storage.ts';

/**
 * How many living rows of a list have one value of what the list filters by, so that `total` never scans. And, as
 * `products.version`, how often what is in the lists of a store's products may have changed.
 */
export interface ListCountTable {
  store_id: string;
  list: CountedList;
  value: string;
  n: number;
}

export type CountedList =
  | 'products.status'
  | 'products.facets'
  | 'products.version'
  | 'orders.status'
  | 'payments'
  | 'categories.status'
  | 'pages.status'
  | 'customers'
  | 'media.mimeType'
  | 'auditLogs';

const addToCounts = preparedInsert<ListCountTable>('list_counts', (insert) =>
  insert.onConflict((conflict) =>
    conflict.columns(['store_id', 'list', 'value']).doUpdateSet({ n: sql<number>`list_counts.n + excluded.n` }),
  ),
);

const readCounts = prepared<{ storeId: string; list: CountedList }, { value: string; n: number }>((db, p) =>
  db
    .selectFrom('list_counts')
    .select(['value', 'n'])
    .where('store_id', '=', p('storeId'))
    .where('list', '=', p('list')),
);

const readSomeCounts = preparedPerLength<{ storeId: string; list: CountedList }, { value: string; n: number }>(
  (db, p, values) =>
    db
      .selectFrom('list_counts')
      .select(['value', 'n'])
      .where('store_id', '=', p('storeId'))
      .where('list', '=', p('list'))
      .where('value', 'in', values),
);

/** Values named in one statement. */
const maxNames = 200;

const dropEmpty = preparedPerLength<{ storeId: string; list: CountedList }, DeleteResult>((db, p, values) =>
  db
    .deleteFrom('list_counts')
    .where('store_id', '=', p('storeId'))
    .where('list', '=', p('list'))
    .where('value', 'in', values)
    .where('n', '=', 0),
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

/** Changes of counts within one transaction, written at its end and in a fixed order, so that two never deadlock on them. */
export class CountChanges {
  readonly #changes = new Map<string, { list: CountedList; value: string; n: number }>();

  /** Notes that an item went from one value of the list to another; undefined stands for not being in the list. */
  move(list: CountedList, from: string | undefined, to: string | undefined): void {
    if (from === to) return;
    if (from !== undefined) this.add(list, from, -1);
    if (to !== undefined) this.add(list, to, 1);
  }

  /** Notes that so many items came into the list under a value, or went from it. */
  add(list: CountedList, value: string, n: number): void {
    const key = `${list} ${value}`;
    const change = this.#changes.get(key);
    if (change) change.n += n;
    else this.#changes.set(key, { list, value, n });
  }

  async write(tx: Db, storeId: string): Promise<void> {
    const changes = [...this.#changes];
    this.#changes.clear();
    const rows = changes
      .filter(([, change]) => change.n !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, change]) => ({ store_id: storeId, ...change }));
    if (rows.length === 0) return;
    await addToCounts(tx, rows);
    // What products are listed by is for their makers to choose: a value that none has any more would be kept for ever.
    const gone = rows.filter(({ list, n }) => list === 'products.facets' && n < 0).map(({ value }) => value);
    for (let i = 0; i < gone.length; i += maxNames) {
      await dropEmpty(tx, { storeId, list: 'products.facets' }, gone.slice(i, i + maxNames));
    }
  }
}

/** Changes of counts that a transaction has collected. */
export const pendingCounts = perTransaction(() => new CountChanges());

/** Writes a transaction's changes of counts, whose rows all writers of a store share. */
export const countWriter: EndWriter = {
  write: (tx) => pendingCounts(tx).write(tx.db, tx.store.id),
  locksNothing: false,
};
