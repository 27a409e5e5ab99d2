import { sql } from 'kysely';
import { customers } from '../customers/customers.ts';
import { type Customer, customerEntity } from '../customers/fields.ts';
import { type Figures, figuresOf, later } from '../customers/figures.ts';
import { breathe } from '../kernel/breathe.ts';
import { toJson } from '../kernel/json.ts';
import { currencyDecimals, formatMoney } from '../kernel/money.ts';
import { orderEntity } from '../orders/fields.ts';
import { lockRows } from '../storage/locks.ts';
import { unindexedText } from '../storage/planner.ts';
import { runTransaction } from '../storage/run.ts';
import type { Db, Storage } from '../storage/storage.ts';

/** A customer whose figures are not those of the orders. */
export interface WrongFigures {
  storeId: string;
  id: string;
  decimals: number;
}

/** Rows per read. */
const pageSize = 200;

/** Maximum number of reported customers; a check after the repair finds the rest. */
const maxWrong = 10_000;

/** Compares the figures of every customer with the orders, all as of one moment. */
export function findWrongFigures(storage: Storage): Promise<WrongFigures[]> {
  return storage.oneMoment(async (db) => {
    const wrong: WrongFigures[] = [];
    for (const store of await db.selectFrom('stores').select(['id', 'currency']).orderBy('id').execute()) {
      const decimals = currencyDecimals(store.currency) ?? 0;
      for (let last = ''; wrong.length < maxWrong; ) {
        const rows = await db
          .selectFrom('customers')
          .select(['id', 'json', 'order_count', 'total_spent'])
          .where('store_id', '=', store.id)
          .where('id', '>', last)
          .orderBy('id')
          .limit(pageSize)
          .execute();
        const ids = rows.map(({ id }) => id);
        const actual = await figuresOfOrders(db, store.id, ids);
        for (const row of rows) {
          const customer = customerEntity.read(row.json);
          const right = corrected(customer, actual.get(row.id), decimals);
          const columns = customers.columnsOf(right, false);
          const isRight =
            toJson(right) === toJson(customer) &&
            columns.order_count === row.order_count &&
            columns.total_spent === row.total_spent;
          if (!isRight) wrong.push({ storeId: store.id, id: row.id, decimals });
        }
        last = ids.at(-1) ?? last;
        if (rows.length < pageSize) break;
      }
    }
    return wrong.slice(0, maxWrong);
  });
}

function corrected(customer: Customer, figures: Figures | undefined, decimals: number): Customer {
  const { orders, spent, lastAt } = figures ?? figuresOf(undefined);
  return { ...customer, orderCount: orders, totalSpent: formatMoney(spent, decimals), lastOrderAt: lastAt };
}

// Without this, SQLite walks every order of the store by its id.
const unindexedId = unindexedText(sql.ref('id'));

/** What the orders of some customers add up to, by customer. */
async function figuresOfOrders(db: Db, storeId: string, customerIds: readonly string[]): Promise<Map<string, Figures>> {
  const sums = new Map<string, Figures>();
  for (let last = ''; customerIds.length > 0; ) {
    const rows = await db
      .selectFrom('orders')
      .select(['id', 'json'])
      .where('store_id', '=', storeId)
      .where('customer_id', 'in', customerIds)
      .where(unindexedId, '>', last)
      .orderBy(unindexedId)
      .limit(pageSize)
      .execute();
    for (const { json } of rows) {
      const order = orderEntity.read(json);
      const sum = sums.get(String(order.customerId)) ?? figuresOf(undefined);
      const { orders, spent, lastAt } = figuresOf(order);
      sums.set(String(order.customerId), {
        orders: sum.orders + orders,
        spent: sum.spent + spent,
        lastAt: later(sum.lastAt, lastAt),
      });
    }
    last = rows.at(-1)?.id ?? last;
    await breathe();
    if (rows.length < pageSize) break;
  }
  return sums;
}

/** Corrects the figures of customers from their present orders, each in a transaction that locks the customer first. */
export async function repairFigures(storage: Storage, wrong: readonly WrongFigures[]): Promise<void> {
  for (const { storeId, id, decimals } of wrong) {
    await runTransaction(storage, async (db) => {
      const row = await lockRows(
        db,
        db.selectFrom('customers').select('json').where('store_id', '=', storeId).where('id', '=', id),
      ).executeTakeFirst();
      if (!row) return;
      const actual = await figuresOfOrders(db, storeId, [id]);
      const customer = corrected(customerEntity.read(row.json), actual.get(id), decimals);
      await db
        .updateTable('customers')
        .set({ ...customers.columnsOf(customer, false), json: toJson(customer) })
        .where('store_id', '=', storeId)
        .where('id', '=', id)
        .execute();
    });
  }
}
