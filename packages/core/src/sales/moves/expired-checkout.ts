import { lockCheckoutOf, toCheckout } from '../../checkouts/checkouts.ts';
import type { ExpiredCheckout } from '../../checkouts/fields.ts';
import { anonymousEmail } from '../../customers/anonymous.ts';
import { customerEntity } from '../../customers/fields.ts';
import type { TxContext } from '../../engine/context.ts';
import { emit } from '../../events/emit.ts';
import { toJson } from '../../kernel/json.ts';
import type { Order } from '../../orders/fields.ts';
import type { CheckoutTable } from '../../storage/tables/checkouts.ts';

/** Milliseconds by which a provider's page can seem to end before its time, because clocks differ. */
const early = 120_000;

/**
 * Emits `checkout.expired` if a locked order that has just expired has a checkout whose time is over. A page that ends before was closed by
 * `cancelCheckout`, whose transaction comes next, or by a person at the provider.
 */
export async function announceExpiredCheckout(tx: TxContext, order: Order): Promise<void> {
  const row = await lockCheckoutOf(tx, order.id);
  if (!row || row.state === 'failed' || row.expires_at > tx.now + early) return;
  const customer = await readBuyer(tx, order.customerId);
  emit(tx, 'checkout.expired', row.id, toJson({ ...toCheckout(tx, row, order), customer } satisfies ExpiredCheckout));
}

/** Not locked: an anonymisation that runs at the same time waits for the order, and then rewrites the event. */
async function readBuyer(tx: TxContext, id: string | null): Promise<ExpiredCheckout['customer']> {
  if (id === null) return null;
  const row = await tx.db
    .selectFrom('customers')
    .select('json')
    .where('store_id', '=', tx.store.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  const { email, name, phone } = customerEntity.read(row.json);
  return email === anonymousEmail(id) ? null : { email, name, phone };
}

/** The events of these orders' checkouts without the buyer: JSON by the id of the checkout. */
export async function withoutBuyers(tx: TxContext, orders: readonly Order[]): Promise<Map<string, string>> {
  const byId = new Map(orders.map((order) => [order.id, order]));
  const rows: CheckoutTable[] = await tx.db
    .selectFrom('checkouts')
    .selectAll()
    .where('store_id', '=', tx.store.id)
    .where('order_id', 'in', [...byId.keys()])
    .execute();
  return new Map(
    rows.flatMap((row) => {
      const order = byId.get(row.order_id);
      if (!order) return [];
      const checkout: ExpiredCheckout = { ...toCheckout(tx, row, order), customer: null };
      return [[row.id, toJson(checkout)] as const];
    }),
  );
}
