import type { Engine } from '../../engine/context.ts';
import { orderIdOf, orderRef, type PaymentNotice, refsOf } from '../../providers/notice.ts';
import { reading } from '../../storage/run.ts';

/**
 * Chooses the store of a notification among stores that share a secret. The store with the named order comes first, then the store that
 * knows the payment by any of its ids. Undefined when neither is known yet.
 */
export async function ownerOf(
  engine: Engine,
  provider: string,
  storeIds: readonly string[],
  notice: PaymentNotice,
): Promise<string | undefined> {
  const orderId = orderIdOf(notice);
  const { order } = notice.ids;
  const refs = [...refsOf(notice.ids), ...(order === undefined ? [] : [orderRef(order)])];
  return reading(engine.storage, async (db) => {
    for (const stores of chunksOf(storeIds)) {
      const byOrder =
        orderId === null
          ? undefined
          : await db
              .selectFrom('orders')
              .select('store_id')
              .where('store_id', 'in', stores)
              .where('id', '=', orderId)
              .executeTakeFirst();
      if (byOrder) return byOrder.store_id;
    }
    if (refs.length === 0) return undefined;
    for (const stores of chunksOf(storeIds)) {
      const known = await db
        .selectFrom('payment_refs')
        .innerJoin('payments', (join) =>
          join
            .onRef('payments.store_id', '=', 'payment_refs.store_id')
            .onRef('payments.id', '=', 'payment_refs.payment_id'),
        )
        .select(['payment_refs.store_id', 'payments.order_id'])
        .where('payment_refs.store_id', 'in', stores)
        .where('payment_refs.provider', '=', provider)
        .where('payment_refs.ref', 'in', refs)
        .execute();
      // Prefers a payment with an order: one without can be stored there provisionally.
      const owner = known.find(({ order_id }) => order_id !== null) ?? known[0];
      if (owner) return owner.store_id;
    }
    return undefined;
  });
}

const maxStores = 500;

function chunksOf(storeIds: readonly string[]): string[][] {
  const unique = [...new Set(storeIds)];
  return Array.from({ length: Math.ceil(unique.length / maxStores) }, (_, i) =>
    unique.slice(i * maxStores, (i + 1) * maxStores),
  );
}
