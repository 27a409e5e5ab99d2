import { sql } from 'kysely';
import { type LedgerRow, refundsOfLedger } from './0016_statistics-refunds.ts';
import type { Migration } from './index.ts';

type Db = Parameters<Migration['up']>[0];

/** An order, as far as its sums need it. Amounts have all decimals of the currency. */
interface Sold {
  paidAt: string | null;
  total: string;
  items: { productId: string; quantity: number; unitPrice: string; lineDiscount: string }[];
}

const pageSize = 500;

/** Sums kept in memory before they are written. */
const maxSums = 20_000;

/** Sums of what was sold, from the orders that were paid and their refunds. */
export async function fillSales(db: Db): Promise<void> {
  for (const { id: storeId } of await db.selectFrom('stores').select('id').execute()) {
    const sums = new Sums(db, storeId);
    for (let last = ''; ; ) {
      const rows = await db
        .selectFrom('orders')
        .select(['id', 'json'])
        .where('store_id', '=', storeId)
        .where('id', '>', last)
        .orderBy('id')
        .limit(pageSize)
        .execute();
      const final = rows.at(-1);
      if (!final) break;
      last = final.id;
      const paid = rows.flatMap(({ id, json }) => {
        const order = JSON.parse(json) as Sold;
        return order.paidAt === null ? [] : [{ id, order, paidAt: Date.parse(order.paidAt) }];
      });
      const ids = paid.map(({ id }) => id);
      const ledgers = await readLedgers(db, storeId, ids);
      for (const { id, order, paidAt } of paid) {
        addSale(sums, order, paidAt);
        addRefunds(sums, minorOf(order.total), ledgers.get(id) ?? []);
      }
      if (sums.size > maxSums) await sums.write();
    }
    await sums.write();
  }
}

function addSale(sums: Sums, { total, items }: Sold, paidAt: number): void {
  sums.add('sales.orders', quarterOf(paidAt), 1);
  sums.add('sales.gross', quarterOf(paidAt), minorOf(total));
  for (const { productId, quantity, unitPrice, lineDiscount } of items) {
    const value = `${new Date(paidAt).toISOString().slice(0, 10)} ${productId}`;
    sums.add('sales.productQuantity', value, quantity);
    sums.add('sales.productGross', value, minorOf(unitPrice) * quantity - minorOf(lineDiscount));
  }
}

function addRefunds(sums: Sums, total: number, ledger: readonly LedgerRow[]): void {
  let left = total;
  for (const { amount, recorded_at } of refundsOfLedger(ledger)) {
    const counted = Math.min(amount, left);
    left -= counted;
    sums.add('sales.refunded', quarterOf(recorded_at), counted);
  }
}

/** Minor units of an amount with all decimals of its currency. */
function minorOf(amount: string): number {
  return Number(amount.replace('.', ''));
}

const quarter = 15 * 60_000;

function quarterOf(ms: number): string {
  return new Date(Math.floor(ms / quarter) * quarter).toISOString().slice(0, 16);
}

async function readLedgers(db: Db, storeId: string, orderIds: readonly string[]): Promise<Map<string, LedgerRow[]>> {
  const ledgers = new Map<string, LedgerRow[]>();
  if (orderIds.length === 0) return ledgers;
  const { rows } = await sql<LedgerRow & { order_id: string }>`
    select payments.order_id, refunds.* from payments inner join payment_refunds as refunds
      on refunds.store_id = payments.store_id and refunds.payment_id = payments.id
    where payments.store_id = ${storeId} and payments.matched = 'paid' and payments.order_id in (${sql.join(orderIds)})
    order by refunds.payment_id, refunds.position`.execute(db);
  for (const row of rows) ledgers.set(row.order_id, [...(ledgers.get(row.order_id) ?? []), row]);
  return ledgers;
}

/** Rows written with one statement. */
const maxRows = 500;

class Sums {
  readonly #db: Db;
  readonly #storeId: string;
  readonly #sums = new Map<string, { list: string; value: string; n: number }>();

  constructor(db: Db, storeId: string) {
    this.#db = db;
    this.#storeId = storeId;
  }

  get size(): number {
    return this.#sums.size;
  }

  add(list: string, value: string, n: number): void {
    if (n === 0) return;
    const sum = this.#sums.get(`${list} ${value}`);
    if (sum) sum.n += n;
    else this.#sums.set(`${list} ${value}`, { list, value, n });
  }

  async write(): Promise<void> {
    const sums = [...this.#sums.values()];
    this.#sums.clear();
    for (let i = 0; i < sums.length; i += maxRows) {
      const rows = sums
        .slice(i, i + maxRows)
        .map(({ list, value, n }) => sql`(${this.#storeId}, ${list}, ${value}, cast(${n} as bigint))`);
      await sql`insert into list_counts (store_id, list, value, n) values ${sql.join(rows)}
        on conflict (store_id, list, value) do update set n = list_counts.n + excluded.n`.execute(this.#db);
    }
  }
}
