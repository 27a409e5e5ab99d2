import { sql } from 'kysely';
import { forgetChanges } from '../audit/audit.ts';
import { itemsOf, readNewest } from '../collection/items.ts';
import { comparable } from '../customers/customers.ts';
import type { Context, TxContext } from '../engine/context.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { type Json, type List, parsed, toJson } from '../kernel/json.ts';
import { parse } from '../kernel/parse.ts';
import { unindexedText } from '../storage/planner.ts';
import { preparedInsert, preparedUpdate } from '../storage/prepared.ts';
import { snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { WithdrawalTable } from '../storage/tables/withdrawals.ts';
import { type Withdrawal, WithdrawalQuery, type WithdrawalQueryInput, withdrawalEntity } from './fields.ts';

const withdrawals = itemsOf<Withdrawal>('withdrawals', 'withdrawal', false, { entity: withdrawalEntity });

/** @throws CommerceError `notFound`, also for a malformed id and for the id of another store's withdrawal */
export const getWithdrawalJson = withdrawals.read;

/** Like `getWithdrawalJson`, for use inside an application. */
export const getWithdrawal = parsed(getWithdrawalJson);

/**
 * The withdrawal with that id, locked until the transaction ends.
 * @throws CommerceError `notFound`; `conflict` when the caller expects another version
 */
export const lockWithdrawal = withdrawals.lock;

/** Like `lockWithdrawal`, but accepts any version; undefined if it does not exist. */
export const lockWithdrawalIfAny = withdrawals.lockIfAny;

/**
 * A page of the store's withdrawals, newest first, with the exact number of matches.
 * @throws CommerceError `validation` for a filter or a window out of range; `forbidden` for a storefront key
 */
export async function listWithdrawalsJson(
  ctx: Context,
  query: WithdrawalQueryInput = {},
): Promise<Json<List<Withdrawal>>> {
  refusePublic(ctx);
  const { status, orderId, ...window } = parse(WithdrawalQuery, query);
  return snapshotOrScan(ctx, async (db, maxRows) => {
    let matches = db.selectFrom('withdrawals').where('store_id', '=', ctx.store.id);
    if (orderId !== undefined) matches = matches.where('order_id', '=', orderId);
    if (status) matches = matches.where('status', '=', status);
    return readNewest<Withdrawal>(db, { among: matches, matches }, window, maxRows, withdrawalEntity);
  });
}

/** Like `listWithdrawalsJson`, for use inside an application. */
export const listWithdrawals = parsed(listWithdrawalsJson);

/** Withdrawals of an order, the newest first. */
export async function withdrawalsOfOrder(
  db: Db,
  storeId: string,
  orderId: string,
  limit: number,
): Promise<Withdrawal[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select('json')
    .where('store_id', '=', storeId)
    .where('order_id', '=', orderId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ json }) => withdrawalEntity.read(json));
}

/** Facts of a withdrawal's row that it does not show. */
type RowFacts = Pick<WithdrawalTable, 'address_hash' | 'tried_at'>;

const insertRow = preparedInsert<WithdrawalTable>('withdrawals');
const updateRow = preparedUpdate<WithdrawalTable>('withdrawals');

/** @returns its text, for events */
export async function insertWithdrawal(
  tx: TxContext,
  withdrawal: Withdrawal,
  facts: RowFacts,
): Promise<Json<Withdrawal>> {
  const json = toJson(withdrawal);
  const row = { store_id: tx.store.id, id: withdrawal.id, ...columnsOf(withdrawal), ...facts, created_at: tx.now };
  await insertRow(tx.db, [{ ...row, json }]);
  return json;
}

/** Writes a changed, locked withdrawal. Its order is not looked for any more. */
export async function writeWithdrawal(tx: TxContext, after: Withdrawal): Promise<Json<Withdrawal>> {
  const json = toJson(after);
  const changes = { ...columnsOf(after), tried_at: tx.now, json };
  await updateRow(tx.db, { store_id: tx.store.id, id: after.id }, changes);
  return json;
}

function columnsOf({ status, orderId, email }: Withdrawal) {
  return { status, order_id: orderId, email_key: comparable(email), shape: withdrawalEntity.shapeNumber };
}

/** Notes that the order of a locked withdrawal was looked for, and that there is none. */
export async function noteNoOrder(tx: TxContext, id: string): Promise<void> {
  await updateRow(tx.db, { store_id: tx.store.id, id }, { tried_at: tx.now });
}

/** Withdrawals that are read at once. */
const batchSize = 100;

/**
 * Removes the person from withdrawals: those of the orders, and those with one of the e-mail addresses.
 * @returns the new text of each by its id, for events
 */
export async function anonymiseWithdrawals(
  tx: TxContext,
  { orderIds, emails }: { orderIds: readonly string[]; emails: readonly string[] },
): Promise<Map<string, Json<Withdrawal>>> {
  const changed = new Map<string, Json<Withdrawal>>();
  const keys = [...new Set(emails.map(comparable))].filter((key) => key !== '');
  const wanted = [
    ...(orderIds.length > 0 ? ([['order_id', orderIds]] as const) : []),
    ...(keys.length > 0 ? ([['email_key', keys]] as const) : []),
  ];
  for (const [column, values] of wanted) {
    for (let after = ''; ; ) {
      const rows = await tx.db
        .selectFrom('withdrawals')
        .select('id')
        .where('store_id', '=', tx.store.id)
        .where(column, 'in', [...values])
        .where(unindexedText(sql.ref('id')), '>', after)
        .orderBy(unindexedText(sql.ref('id')))
        .limit(batchSize)
        .execute();
      for (const { id } of rows) {
        const before = await lockWithdrawalIfAny(tx, id);
        if (!before) continue;
        const json = await writeAnonymous(tx, before);
        if (json !== undefined) changed.set(id, json);
      }
      const last = rows.at(-1);
      if (!last || rows.length < batchSize) break;
      after = last.id;
    }
  }
  return changed;
}

async function writeAnonymous(tx: TxContext, before: Withdrawal): Promise<Json<Withdrawal> | undefined> {
  const { name, email, note } = before;
  if (name === '' && email === '' && note === null) return undefined;
  const json = toJson({ ...before, name: '', email: '', note: null });
  // Without the name and the e-mail, nothing is left to look for an order by.
  const columns = { email_key: '', address_hash: null, tried_at: tx.now };
  await updateRow(tx.db, { store_id: tx.store.id, id: before.id }, { ...columns, json });
  await forgetChanges(tx, before.id);
  return json;
}

/** Deletes the withdrawals of an order that was never real. */
export async function deleteWithdrawalsOf(tx: TxContext, orderId: string): Promise<void> {
  await tx.db.deleteFrom('withdrawals').where('store_id', '=', tx.store.id).where('order_id', '=', orderId).execute();
}
