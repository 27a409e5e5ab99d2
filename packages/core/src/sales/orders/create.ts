import type { Context } from '../../engine/context.ts';
import { transact } from '../../engine/transaction.ts';
import { parseMoney } from '../../kernel/money.ts';
import { parse } from '../../kernel/parse.ts';
import type { Order } from '../../orders/fields.ts';
import { type OrderDraft, type OrderInput, orderFields } from '../../orders/inputs.ts';
import { lockPaymentsOfOrder } from '../../payments/payments.ts';
import { checkStock, reserveStock } from '../../products/stock.ts';
import { withCurrentStore } from '../../stores/current.ts';
import { confirmOrder, freeOfCharge } from '../moves/confirm.ts';
import { insertOrder } from '../moves/insert.ts';
import type { AskedTaxes } from '../pricing/cart.ts';
import { withOwnTaxes } from '../pricing/own-taxes.ts';
import { applyWaitingPayments } from '../settle/apply.ts';

/**
 * Creates a pending order, which a payment with its `id` confirms. Its stock is taken at the confirmation. Until then it is only checked
 * or, with `reserveMinutes`, reserved; such an order expires with its reservation. Emits nothing for a pending order, except
 * `customer.created` for a new customer. If it costs nothing, or a payment for its `id` was received before, it is paid at once, with the
 * events of a paid order.
 * @throws CommerceError `validation`; `insufficientStock`, naming the products; `conflict` if the id is in use
 */
export async function createOrder(given: Context, input: OrderInput): Promise<Order> {
  const ctx = await withCurrentStore(given);
  const draft = parse(orderFields(ctx.store.decimals), input);
  return withOwnTaxes(ctx, (asked) => create(ctx, draft, asked));
}

function create(ctx: Context, draft: OrderDraft, asked: AskedTaxes | undefined): Promise<Order> {
  const taken = 'is already the id of an order';
  return transact(
    ctx,
    async (tx) => {
      // A payment that names this id can be running at the same time; one of the two has to see the other.
      if (draft.id) await tx.engine.storage.lockName(tx.db, draft.id);
      const payments = draft.id ? await lockPaymentsOfOrder(tx, draft.id) : [];
      const order = await insertOrder(tx, draft, { asked });
      if (order.reservedUntil !== null) await reserveStock(tx, order.id, order.items, Date.parse(order.reservedUntil));
      else await checkStock(tx, order.id, order.items);
      if (parseMoney(order.total, tx.store.decimals) === 0n) return confirmOrder(tx, order, freeOfCharge);
      return applyWaitingPayments(tx, order, payments);
    },
    { 'orders.id': { field: 'id', value: draft.id, taken } },
  );
}
