import type { Context } from '../../engine/context.ts';
import type { List } from '../../kernel/json.ts';
import { parse } from '../../kernel/parse.ts';
import { getOrderJson } from '../../orders/orders.ts';
import { RefundQuery, type RefundQueryInput, type RefundRecord } from '../../orders/refund-fields.ts';
import { listedOf } from '../../payments/refund-ledger.ts';
import { toRefundRecord } from '../../payments/refund-record.ts';
import { readRefunds } from '../../payments/refunds.ts';
import { reading } from '../../storage/run.ts';

/**
 * The refunds of an order, oldest first; failed ones only if the query asks for them.
 * @throws CommerceError `notFound`; `validation` for a filter or a window out of range
 */
export async function listRefunds(ctx: Context, id: string, query: RefundQueryInput = {}): Promise<List<RefundRecord>> {
  const { limit, offset, status } = parse(RefundQuery, query);
  await getOrderJson(ctx, id);
  const refunds = await reading(ctx.engine.storage, async (db) => {
    // Refunds of the payment that paid it. If none has, refunds of payments that were given back before they could.
    const payments = await db
      .selectFrom('payments')
      .select(['id', 'matched'])
      .where('store_id', '=', ctx.store.id)
      .where('order_id', '=', id)
      .where('matched', 'in', ['paid', 'refunded'])
      .orderBy('id')
      .execute();
    const paid = payments.filter(({ matched }) => matched === 'paid');
    const ledgers = [];
    for (const payment of paid.length > 0 ? paid : payments) {
      ledgers.push(listedOf(await readRefunds(db, ctx.store.id, payment.id)));
    }
    return ledgers.flat();
  });
  const records = refunds
    .sort((a, b) => a.recordedAt - b.recordedAt)
    .map((refund) => toRefundRecord(refund, ctx.store.decimals))
    .filter((record) => (status === undefined ? record.status !== 'failed' : record.status === status));
  return { items: records.slice(offset, offset + limit), total: records.length };
}
