import { sql } from 'kysely';
import { breathe } from '../kernel/breathe.ts';
import { type Labelled, labelledTables, labelsOf } from '../labels/labels.ts';
import { lockRows } from '../storage/locks.ts';
import { runTransaction } from '../storage/run.ts';
import type { Db, Storage } from '../storage/storage.ts';
import type { LabelledTable, LabelTable } from '../storage/tables/resources.ts';

/** Rows per read. */
const pageSize = 500;

/** Maximum number of reported wrong labels; a check after the repair finds the rest. */
const maxWrong = 10_000;

/**
 * Compares the labels with the metadata and the tags of their items, all as of one moment.
 * @returns labels that are missing, and labels that no item has
 */
export function findWrongLabels(storage: Storage): Promise<LabelTable[]> {
  return storage.oneMoment(async (db) => {
    const wrong: LabelTable[] = [];
    for (const { id } of await db.selectFrom('stores').select('id').orderBy('id').execute()) {
      for (const resource of labelledTables) {
        await findMissing(db, id, resource, wrong);
        await findLeftOver(db, id, resource, wrong);
      }
    }
    return wrong.slice(0, maxWrong);
  });
}

/** The items that have labels: those that are not deleted. */
function itemsOf(db: Db, storeId: string, resource: LabelledTable) {
  // All these tables have the columns; the type checker is shown only one of them.
  const items = db
    .selectFrom(resource as 'products')
    .select(['id', 'created_at', 'json'])
    .where('store_id', '=', storeId)
    .orderBy('id');
  return resource === 'products' ? items.where('status', '<>', sql.lit('deleted')) : items;
}

function rowsOf(
  storeId: string,
  resource: LabelledTable,
  { id, created_at, json }: { id: string; created_at: number; json: string },
): LabelTable[] {
  // A text that an earlier version printed can lack the fields.
  const { metadata = {}, tags = [] } = JSON.parse(json) as Partial<Labelled>;
  return labelsOf({ metadata, tags }).map(([label, value]) => ({
    store_id: storeId,
    resource,
    label,
    value,
    made_at: created_at,
    item_id: id,
  }));
}

const nameOf = ({ label, value, made_at, item_id }: LabelTable) => JSON.stringify([label, value, made_at, item_id]);

async function findMissing(db: Db, storeId: string, resource: LabelledTable, wrong: LabelTable[]): Promise<void> {
  for (let last = ''; wrong.length < maxWrong; ) {
    const items = await itemsOf(db, storeId, resource).where('id', '>', last).limit(pageSize).execute();
    const final = items.at(-1);
    if (!final) return;
    last = final.id;
    const rows = items.flatMap((item) => rowsOf(storeId, resource, item));
    for (let i = 0; i < rows.length; i += pageSize)
      wrong.push(...(await missingAmong(db, rows.slice(i, i + pageSize))));
    await breathe();
  }
}

/** The rows that the table lacks, each of which is looked up by its key. */
async function missingAmong(db: Db, rows: readonly LabelTable[]): Promise<LabelTable[]> {
  const [{ store_id, resource }] = rows as [LabelTable];
  const values = rows.map(
    ({ label, value, made_at, item_id }, i) =>
      sql`(${sql.lit(i)}, ${label}, ${value}, cast(${made_at} as bigint), ${item_id})`,
  );
  const { rows: missing } = await sql<{ i: number }>`
    select wanted.column1 as i from (values ${sql.join(values)}) as wanted where not exists (
      select 1 from labels where store_id = ${store_id} and resource = ${resource} and label = wanted.column2
      and value = wanted.column3 and made_at = wanted.column4 and item_id = wanted.column5)`.execute(db);
  return missing.map(({ i }) => rows[Number(i)] as LabelTable);
}

async function findLeftOver(db: Db, storeId: string, resource: LabelledTable, wrong: LabelTable[]): Promise<void> {
  let last: LabelTable = { store_id: storeId, resource, label: '', value: '', made_at: 0, item_id: '' };
  while (wrong.length < maxWrong) {
    const { label, value, made_at, item_id } = last;
    const rows = await db
      .selectFrom('labels')
      .selectAll()
      .where('store_id', '=', storeId)
      .where('resource', '=', resource)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('label', 'value', 'made_at', 'item_id'), '>', tuple(label, value, made_at, item_id)),
      )
      .orderBy('label')
      .orderBy('value')
      .orderBy('made_at')
      .orderBy('item_id')
      .limit(pageSize)
      .execute();
    const final = rows.at(-1);
    if (!final) return;
    last = final;
    const ids = [...new Set(rows.map((row) => row.item_id))];
    const items = await itemsOf(db, storeId, resource).where('id', 'in', ids).execute();
    const right = new Set(items.flatMap((item) => rowsOf(storeId, resource, item).map(nameOf)));
    wrong.push(...rows.filter((row) => !right.has(nameOf(row))));
    await breathe();
  }
}

/** Labels corrected in one transaction. */
const batch = 200;

/** Corrects labels by what their items have now, whatever was written since they were compared. */
export async function repairLabels(storage: Storage, wrong: readonly LabelTable[]): Promise<void> {
  for (const storeId of new Set(wrong.map((one) => one.store_id))) {
    for (const resource of labelledTables) {
      const some = wrong.filter((one) => one.store_id === storeId && one.resource === resource);
      for (let i = 0; i < some.length; i += batch) {
        await runTransaction(storage, (db) => repairSome(db, storage, storeId, resource, some.slice(i, i + batch)));
      }
    }
    storage.counts.committed?.(storeId);
  }
}

async function repairSome(
  db: Db,
  storage: Storage,
  storeId: string,
  resource: LabelledTable,
  some: readonly LabelTable[],
): Promise<void> {
  const ids = [...new Set(some.map((one) => one.item_id))];
  const items = await lockRows(db, itemsOf(db, storeId, resource).where('id', 'in', ids)).execute();
  const right = new Set(items.flatMap((item) => rowsOf(storeId, resource, item).map(nameOf)));
  for (const row of some) {
    if (right.has(nameOf(row))) {
      await db
        .insertInto('labels')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      continue;
    }
    let query = db.deleteFrom('labels');
    for (const [column, value] of Object.entries(row)) query = query.where(column as 'value', '=', value);
    await query.execute();
  }
  // Lists of products that a process remembers were found by the old labels.
  await storage.counts.add(db, storeId, [{ list: 'products.version', value: '', n: 1, isDroppedAtZero: false }]);
}
