import { breathe } from '../kernel/breathe.ts';
import { orderEntity } from '../orders/fields.ts';
import { type TaxSum, taxSumsOf } from '../orders/tax-sums.ts';
import { countedOf, type Refund } from '../payments/refund-ledger.ts';
import { toRefund } from '../payments/refunds.ts';
import { taxSumsOfRefunds } from '../sales/shares/counting.ts';
import { type SalesSum, sumsOfRefunds, sumsOfSale } from '../statistics/counting.ts';
import type { Db } from '../storage/storage.ts';
import type { SalesList } from '../storage/tables/resources.ts';

/** Orders per read. */
const pageSize = 500;

/** Sums of a store's sales by list and value, computed from its paid orders and their refunds. */
export async function recountSales(
  db: Db,
  storeId: string,
  decimals: number,
): Promise<Record<SalesList, Map<string, number>>> {
  const sums: Record<SalesList, Map<string, number>> = {
    'sales.orders': new Map(),
    'sales.gross': new Map(),
    'sales.refunded': new Map(),
    'sales.productQuantity': new Map(),
    'sales.productGross': new Map(),
    'sales.countryOrders': new Map(),
    'sales.countryGross': new Map(),
    'sales.countryRefunded': new Map(),
    'taxes.orders': new Map(),
    'taxes.base': new Map(),
    'taxes.tax': new Map(),
    'taxes.refundedBase': new Map(),
    'taxes.refundedTax': new Map(),
  };
  const add = (some: readonly (SalesSum | TaxSum)[]) => {
    for (const { list, value, n } of some) sums[list].set(value, (sums[list].get(value) ?? 0) + n);
  };
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
    if (!final) return sums;
    last = final.id;
    const orders = rows.map(({ json }) => orderEntity.read(json));
    for (const order of orders) add(taxSumsOf(order));
    const paid = orders.filter(({ paidAt }) => paidAt !== null);
    const refunds = await refundsOf(
      db,
      storeId,
      paid.map(({ id }) => id),
    );
    for (const order of paid) {
      add(sumsOfSale(order, decimals));
      const counted = countedOf(refunds.get(order.id) ?? []);
      add(sumsOfRefunds(order, counted, decimals));
      add(taxSumsOfRefunds(order, counted));
    }
    await breathe();
  }
}

/** The refunds of the payments that paid these orders, by order. */
async function refundsOf(db: Db, storeId: string, orderIds: readonly string[]): Promise<Map<string, Refund[]>> {
  const refunds = new Map<string, Refund[]>();
  if (orderIds.length === 0) return refunds;
  const rows = await db
    .selectFrom('payment_refunds')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.store_id', '=', 'payment_refunds.store_id')
        .onRef('payments.id', '=', 'payment_refunds.payment_id'),
    )
    .selectAll('payment_refunds')
    .select('payments.order_id')
    .where('payments.store_id', '=', storeId)
    .where('payments.order_id', 'in', orderIds)
    .where('payments.matched', '=', 'paid')
    .orderBy('payment_refunds.payment_id')
    .orderBy('payment_refunds.position')
    .execute();
  for (const { order_id, ...row } of rows) {
    if (order_id === null) continue;
    refunds.set(order_id, [...(refunds.get(order_id) ?? []), toRefund(row)]);
  }
  return refunds;
}
