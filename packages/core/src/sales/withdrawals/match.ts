import { audit } from '../../audit/entry.ts';
import { comparable } from '../../customers/customers.ts';
import type { Actor, Context, Engine, TxContext } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { orderLookedFor } from '../../mail/of-withdrawals.ts';
import { orderEntity } from '../../orders/fields.ts';
import { unindexedText } from '../../storage/planner.ts';
import { prepared, preparedColumn } from '../../storage/prepared.ts';
import { reading } from '../../storage/run.ts';
import { requireStore } from '../../stores/stores.ts';
import { type Withdrawal, withdrawalEntity } from '../../withdrawals/fields.ts';
import { lockWithdrawalIfAny, noteNoOrder, writeWithdrawal } from '../../withdrawals/withdrawals.ts';
import type { ExpiryOptions } from '../moves/expire.ts';

/** Stores, and withdrawals of each, in one round. */
const batchSize = 100;

const matcher: Actor = { type: 'system', id: 'withdrawals' };

const stored = prepared<{ storeId: string; id: string }, { json: string; tried_at: number | null }>((db, p) =>
  db
    .selectFrom('withdrawals')
    .select(['json', 'tried_at'])
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id')),
);

const placedOrder = prepared<
  { storeId: string; number: number },
  { id: string; json: string; email: string | null; customerEmail: string | null }
>((db, p) =>
  db
    .selectFrom('orders')
    .leftJoin('customers', (join) =>
      join.onRef('customers.store_id', '=', 'orders.store_id').onRef('customers.id', '=', 'orders.customer_id'),
    )
    .select(['orders.id', 'orders.json', 'orders.email', 'customers.email as customerEmail'])
    .where('orders.store_id', '=', p('storeId'))
    .where('orders.number', '=', p('number'))
    // Anyone can open a checkout with the e-mail of another person, and then knows its number.
    .where('orders.placed_at', 'is not', null),
);

/** The number in a buyer's words for an order, such as "1001", "#1001" or "ord-1001"; undefined if there is none. */
export function orderNumberIn(text: string): number | undefined {
  const digits = /^#?\s?(?:ORD)?[\s-]?([1-9]\d{0,14})$/i.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Looks for the order of a withdrawal, by its number and the buyer's e-mail, and notes the result. Looks only once; later calls change
 * nothing. A match is told to the mails that wait, and noted in the audit log. Never called while a stranger waits for an answer, because
 * its time would tell whether the order exists.
 * @returns the withdrawal as it is then
 * @throws CommerceError `notFound`
 */
export async function matchWithdrawal(ctx: Context, id: string): Promise<Withdrawal> {
  if (!isId(id)) throw notFound('withdrawal', id);
  const at = { storeId: ctx.store.id, id };
  const [found] = await reading(ctx.engine.storage, (db) => stored(db, at));
  if (!found) throw notFound('withdrawal', id);
  if (found.tried_at !== null) return withdrawalEntity.read(found.json);
  return transact({ engine: ctx.engine, store: ctx.store, actor: matcher, requestId: ctx.requestId }, async (tx) => {
    const before = await lockWithdrawalIfAny(tx, id);
    if (!before) throw notFound('withdrawal', id);
    const [now] = await stored(tx.db, at);
    if (now?.tried_at !== null) return before;
    const order = await findOrder(tx, before);
    if (order === undefined) {
      await noteNoOrder(tx, id);
      await orderLookedFor(tx, id, null, { isBuyers: false });
      return before;
    }
    const { id: orderId, json } = order;
    const after: Withdrawal = { ...before, status: 'matched', orderId, updatedAt: toTimestamp(tx.now) };
    await writeWithdrawal(tx, after);
    await orderLookedFor(tx, id, orderId, { isBuyers: true, locale: orderEntity.read(json).locale });
    audit(tx, { action: 'withdrawal.matched', resourceType: 'withdrawal', resourceId: id, changes: { orderId } });
    return after;
  });
}

async function findOrder(
  tx: TxContext,
  { orderNumber, email }: Withdrawal,
): Promise<{ id: string; json: string } | undefined> {
  const number = orderNumberIn(orderNumber);
  if (number === undefined) return undefined;
  const [order] = await placedOrder(tx.db, { storeId: tx.store.id, number });
  if (!order) return undefined;
  const known = [order.email, order.customerEmail].filter((one) => one !== null).map(comparable);
  return known.includes(comparable(email)) ? order : undefined;
}

const untried = preparedColumn<{ storeId: string; limit: number }, string>((db, p) =>
  db
    .selectFrom('withdrawals')
    .select('id')
    .where('store_id', '=', p('storeId'))
    .where('tried_at', 'is', null)
    .orderBy('created_at')
    .limit(p('limit')),
);

/**
 * Looks for the orders of withdrawals of all stores that were not looked for yet; see `matchWithdrawal`.
 * @returns the number of withdrawals that an order was looked for
 */
export async function matchWithdrawals(engine: Engine, { onError = () => {} }: ExpiryOptions = {}): Promise<number> {
  // For all stores: the only query here that is not limited to one store.
  const stores = await reading(engine.storage, (db) =>
    db
      .selectFrom('withdrawals')
      .select((eb) => unindexedText(eb.ref('store_id')).as('store_id'))
      .distinct()
      .where('tried_at', 'is', null)
      .limit(batchSize)
      .execute(),
  );
  const tried = await Promise.all(
    stores.map(async ({ store_id: id }) => {
      try {
        const store = await requireStore(engine, id);
        return await matchInStore({ engine, store, actor: matcher, requestId: null }, onError);
      } catch (error) {
        onError(error);
        return 0;
      }
    }),
  );
  return tried.reduce((sum, n) => sum + n, 0);
}

async function matchInStore(ctx: Context, onError: (error: unknown) => void): Promise<number> {
  const at = { storeId: ctx.store.id, limit: batchSize };
  const ids = await reading(ctx.engine.storage, (db) => untried(db, at));
  let tried = 0;
  for (const id of ids) {
    try {
      await matchWithdrawal(ctx, id);
      tried++;
    } catch (error) {
      onError(error);
    }
  }
  return tried;
}
