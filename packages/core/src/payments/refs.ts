import { sql } from 'kysely';
import type { TxContext } from '../engine/context.ts';
import { orderRef, type PaymentIds, refsOf } from '../providers/notice.ts';
import { preparedInsert, preparedPerLength } from '../storage/prepared.ts';
import type { PaymentRefTable } from '../storage/tables/payments.ts';

type Ref = Pick<PaymentRefTable, 'ref' | 'payment_id' | 'order_id'>;

const knownRefs = preparedPerLength<{ storeId: string; provider: string }, Ref>((db, p, refs) =>
  db
    .selectFrom('payment_refs')
    .select(['ref', 'payment_id', 'order_id'])
    .where('store_id', '=', p('storeId'))
    .where('provider', '=', p('provider'))
    .where('ref', 'in', refs),
);

/** Stored facts about the ids of a notice. */
export interface KnownRefs {
  /** Payments with one of the ids; at most one, unless a provider contradicts itself. */
  payments: string[];
  /** Our order to which the ids were linked. */
  orderId: string | null;
  /** The ids that are already linked to a payment. */
  linked: ReadonlySet<string>;
}

/** Looks up the ids of a notice, the provider's own order included. */
export async function findRefs(tx: TxContext, provider: string, ids: PaymentIds): Promise<KnownRefs> {
  const refs = keysOf(ids);
  const rows = refs.length === 0 ? [] : await knownRefs(tx.db, { storeId: tx.store.id, provider }, refs);
  // In the order of `keysOf`, the payment's main id first.
  const sorted = rows.sort((a, b) => refs.indexOf(a.ref) - refs.indexOf(b.ref));
  return {
    payments: [...new Set(sorted.flatMap(({ payment_id }) => payment_id ?? []))],
    orderId: sorted.find(({ order_id }) => order_id !== null)?.order_id ?? null,
    linked: new Set(sorted.flatMap(({ ref, payment_id }) => (payment_id === null ? [] : ref))),
  };
}

const putRefs = preparedInsert<PaymentRefTable>('payment_refs', (insert) =>
  insert.onConflict((conflict) =>
    conflict.columns(['store_id', 'provider', 'ref']).doUpdateSet({
      payment_id: sql`coalesce(payment_refs.payment_id, excluded.payment_id)`,
      order_id: sql`coalesce(payment_refs.order_id, excluded.order_id)`,
    } as never),
  ),
);

/** Links ids to a payment, an order of ours, or both. The first link of an id stays. */
export async function recordRefs(
  tx: TxContext,
  provider: string,
  ids: { refs: readonly string[]; order?: string | undefined },
  known: KnownRefs,
  { paymentId, orderId }: { paymentId: string | null; orderId: string | null },
): Promise<void> {
  const at = { store_id: tx.store.id, provider };
  const rows: PaymentRefTable[] = [...new Set(ids.refs)]
    .filter((ref) => !known.linked.has(ref))
    .map((ref) => ({ ...at, ref, payment_id: paymentId, order_id: paymentId === null ? orderId : null }));
  // The provider's own order can have several payments, so it is linked only to our order.
  if (ids.order !== undefined && orderId !== null && known.orderId === null) {
    rows.push({ ...at, ref: orderRef(ids.order), payment_id: null, order_id: orderId });
  }
  // In a fixed order, because two transactions can write the same ids.
  await putRefs(
    tx.db,
    rows.sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  );
}

function keysOf(ids: PaymentIds): string[] {
  return ids.order === undefined ? refsOf(ids) : [...refsOf(ids), orderRef(ids.order)];
}
