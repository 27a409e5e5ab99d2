import { hash } from 'node:crypto';
import type { TxContext } from '../../engine/context.ts';
import { keptFor } from '../../idempotency/once.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { prepared } from '../../storage/prepared.ts';
import type { PaymentRefundTable } from '../../storage/tables/payments.ts';

/** The `Idempotency-Key` of a request in the form in which its refund keeps it. */
export interface RefundRequestKey {
  name: string;
  print: string;
}

/** The key of the request; null when it has none. */
export function requestKeyOf({ once }: Pick<TxContext, 'once'>): RefundRequestKey | null {
  if (!once) return null;
  return { name: hash('sha256', once.name, 'base64url'), print: once.print ?? '' };
}

const byRequest = prepared<{ storeId: string; name: string; since: number }, PaymentRefundTable>((db, p) =>
  db
    .selectFrom('payment_refunds')
    .selectAll()
    .where('store_id', '=', p('storeId'))
    .where('request_name', '=', p('name'))
    .where('request_name', 'is not', null)
    .where('recorded_at', '>', p('since')),
);

/**
 * The refund that the same request has asked for before; undefined if there is none. Two copies of the request wait for each other here.
 * @throws CommerceError `conflict` if its key was used for another request
 */
export async function findRequested(tx: TxContext, request: RefundRequestKey): Promise<PaymentRefundTable | undefined> {
  await tx.engine.storage.lockName(tx.db, `refund request ${tx.store.id} ${request.name}`);
  const at = { storeId: tx.store.id, name: request.name, since: tx.now - keptFor };
  const [row] = await byRequest(tx.db, at);
  if (row && row.request_print !== request.print) throw otherUse();
  return row;
}

/**
 * Refuses a request that moves no money if a refund was asked for with its key.
 * @throws CommerceError `conflict`
 */
export async function refuseOtherUse(tx: TxContext): Promise<void> {
  const request = requestKeyOf(tx);
  if (request && (await findRequested(tx, request))) throw otherUse();
}

function otherUse(): CommerceError {
  return new CommerceError(
    'conflict',
    'this Idempotency-Key was used for another request within the last 24 hours; use a new key for a new request',
    { reason: 'idempotencyKeyUsed' },
  );
}
