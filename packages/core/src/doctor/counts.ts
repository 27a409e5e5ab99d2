import { sql } from 'kysely';
import { breathe } from '../kernel/breathe.ts';
import { currencyDecimals } from '../kernel/money.ts';
import { type PublishedTable, publishedTables } from '../kernel/nouns.ts';
import { orderCountName } from '../orders/counted.ts';
import { facetLists } from '../resources/counts.ts';
import { runTransaction } from '../storage/run.ts';
import type { CountChange, Db, Storage } from '../storage/storage.ts';
import type { CountedList, SalesList } from '../storage/tables/resources.ts';
import { recountSales } from './sales.ts';

/** A count that differs from the rows that it counts. */
export interface WrongCount {
  storeId: string;
  list: CountedList;
  value: string;
  counted: number;
  actual: number;
}

/** The counts of the lists of published resources. */
const statuses = Object.fromEntries(publishedTables.map((table) => [`${table}.status`, living(table)])) as Record<
  `${PublishedTable}.status`,
  ReturnType<typeof living>
>;

/** Computes the values of a list from the rows of its table. Versions note changes, they do not count rows. */
const recounts: Readonly<
  Record<
    Exclude<CountedList, SalesList | `${string}.version`>,
    (db: Db, storeId: string) => Promise<Map<string, number>>
  >
> = {
  ...statuses,
  'products.facets': grouped('product_facets', ['facet', 'value'], (values) => JSON.stringify(values)),
  'products.publishedFacets': publishedFacets,
  'products.inStock': grouped('products', ['status'], ([status]) => status ?? '', sql`and can_buy = 1`),
  'orders.status': grouped(
    'orders',
    ['status', 'payment_status', 'no_shipping'],
    ([status, paymentStatus, noShipping]) =>
      orderCountName(status ?? '', paymentStatus ?? '', Number(noShipping) === 0),
  ),
  payments: grouped('payments', ['provider', 'status', 'matched', 'dispute_status'], (values) =>
    values.map((one) => one ?? '-').join(' '),
  ),
  'media.mimeType': grouped('media', ['mime_type'], ([type]) => type ?? ''),
  customers: grouped('customers', [], () => ''),
  discounts: grouped('discounts', [], () => ''),
  auditLogs: grouped('audit_logs', ['actor_id', 'resource_type', 'action'], (values) => JSON.stringify(values)),
};

async function publishedFacets(db: Db, storeId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('product_facets as listed')
    .innerJoin('products', (join) =>
      join.onRef('products.store_id', '=', 'listed.store_id').onRef('products.id', '=', 'listed.product_id'),
    )
    .select((eb) => ['listed.facet', 'listed.value', eb.fn.countAll<number>().as('n')])
    .where('listed.store_id', '=', storeId)
    .where('products.status', '=', 'published')
    .groupBy(['listed.facet', 'listed.value'])
    .execute();
  return new Map(rows.map(({ facet, value, n }) => [JSON.stringify([facet, value]), n]));
}

function living(table: string) {
  return grouped(table, ['status'], ([status]) => status ?? '', sql`and status <> 'deleted'`);
}

function grouped(
  table: string,
  columns: readonly string[],
  nameOf: (values: (string | null)[]) => string,
  also = sql``,
): (db: Db, storeId: string) => Promise<Map<string, number>> {
  return async (db, storeId) => {
    const selected = columns.map((column) => sql`${sql.ref(column)}, `);
    const group = columns.length > 0 ? sql`group by ${sql.join(columns.map((column) => sql.ref(column)))}` : sql``;
    const { rows } = await sql<Record<string, string | null> & { n: number }>`
      select ${sql.join(selected, sql``)} count(*) as n from ${sql.table(table)}
      where store_id = ${storeId} ${also} ${group}`.execute(db);
    return new Map(rows.map((row) => [nameOf(columns.map((column) => row[column] ?? null)), row.n]));
  };
}

/** Compares every count with the rows that it counts, both as of one moment. */
export function findWrongCounts(storage: Storage): Promise<WrongCount[]> {
  return storage.oneMoment(async (db) => {
    const wrong: WrongCount[] = [];
    const stores = await db.selectFrom('stores').select(['id', 'currency']).orderBy('id').execute();
    for (const { id: storeId, currency } of stores) {
      for (const [name, recount] of Object.entries(recounts)) {
        wrong.push(...(await differences(db, storeId, name as CountedList, await recount(db, storeId))));
        await breathe();
      }
      const sales = await recountSales(db, storeId, currencyDecimals(currency) ?? 0);
      for (const [name, actual] of Object.entries(sales)) {
        wrong.push(...(await differences(db, storeId, name as SalesList, actual)));
      }
    }
    return wrong;
  });
}

/** Counts of a list that are wrong. */
async function differences(
  db: Db,
  storeId: string,
  list: CountedList,
  actual: ReadonlyMap<string, number>,
): Promise<WrongCount[]> {
  const rows = await db
    .selectFrom('list_totals')
    .select(['value', 'n'])
    .where('store_id', '=', storeId)
    .where('list', '=', list)
    .execute();
  const counted = new Map(rows.map(({ value, n }) => [value, n]));
  return [...new Set([...actual.keys(), ...counted.keys()])].flatMap((value) => {
    const [is, says] = [actual.get(value) ?? 0, counted.get(value) ?? 0];
    return is === says ? [] : [{ storeId, list, value, counted: says, actual: is }];
  });
}

/** Counts written in one transaction. */
const batch = 200;

/** Corrects counts by their difference, which stays the same whatever was written since they were compared. */
export async function repairCounts(storage: Storage, wrong: readonly WrongCount[]): Promise<void> {
  for (const storeId of new Set(wrong.map((one) => one.storeId))) {
    const changes = wrong
      .filter((one) => one.storeId === storeId)
      .map(
        ({ list, value, counted, actual }): CountChange => ({
          list,
          value,
          n: actual - counted,
          isDroppedAtZero: facetLists.has(list),
        }),
      );
    for (let i = 0; i < changes.length; i += batch) {
      await runTransaction(storage, (db) => storage.counts.add(db, storeId, changes.slice(i, i + batch)));
    }
    storage.counts.committed?.(storeId);
  }
}
