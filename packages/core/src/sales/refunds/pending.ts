import type { Context, Engine } from '../../engine/context.ts';
import { refuseInUnit, transact } from '../../engine/transaction.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { lockPayment } from '../../payments/payments.ts';
import { findExecuted, type Refund, withAskAt } from '../../payments/refund-ledger.ts';
import { readRefunds, writeRefunds } from '../../payments/refunds.ts';
import { type ReadySettings, refundingProviders, refundsOf } from '../../payments/settings.ts';
import type { RefundAnswer } from '../../providers/refund-calls.ts';
import { unindexedText } from '../../storage/planner.ts';
import { reading } from '../../storage/run.ts';
import type { PaymentRefundTable } from '../../storage/tables/payments.ts';
import { requireStore } from '../../stores/stores.ts';
import { type ExpiryOptions, expiryActor } from '../moves/expire.ts';
import { type Asked, ask, requestFor, settleAnswer } from './execute.ts';

/** Stores, and refunds of each, in one round. */
const batchSize = 100;

/** Concurrent calls to the provider of a store. */
const atOnce = 8;

/** Age in milliseconds up to which a refund is asked for again: Stripe forgets idempotency keys after 24 hours, and would refund twice. */
export const askFor = 20 * 3_600_000;

/** Shortest and longest time in milliseconds until the provider is asked again; in between, half of the refund's age. */
const minWait = 30_000;
const maxWait = 12 * 3_600_000;

/**
 * Asks the providers about refunds of all stores that are not decided: those without an answer, and pending ones whose notification could
 * be lost. Each is looked for among the payment's refunds. If it is not there, it is asked for again with the same idempotency key for 20
 * hours, and then fails. While a provider cannot be reached, its refunds stay pending.
 * @returns the number of refunds that were decided
 */
export async function askPendingRefunds(engine: Engine, { onError = () => {} }: ExpiryOptions = {}): Promise<number> {
  refuseInUnit(engine, 'askPendingRefunds asks payment providers');
  const now = engine.clock.now();
  // For all stores: the only query here that is not limited to one store.
  const stores = await reading(engine.storage, (db) =>
    db
      .selectFrom('payment_refunds')
      .select((eb) => unindexedText(eb.ref('store_id')).as('store_id'))
      .distinct()
      .where('ask_at', 'is not', null)
      .where('ask_at', '<=', now)
      .limit(batchSize)
      .execute(),
  );
  const decided = await Promise.all(
    stores.map(async ({ store_id: id }) => {
      try {
        const store = await requireStore(engine, id);
        return await askInStore({ engine, store, actor: expiryActor, requestId: null }, now, onError);
      } catch (error) {
        onError(error);
        return 0;
      }
    }),
  );
  return decided.reduce((sum, n) => sum + n, 0);
}

async function askInStore(ctx: Context, now: number, onError: (error: unknown) => void): Promise<number> {
  const { engine, store } = ctx;
  const due = await reading(engine.storage, (db) =>
    db
      .selectFrom('payment_refunds')
      .selectAll()
      .where('store_id', '=', store.id)
      .where('ask_at', 'is not', null)
      .where('ask_at', '<=', now)
      .orderBy('ask_at')
      .limit(batchSize)
      .execute(),
  );
  const ready = await refundingProviders(engine, store.id);
  let decided = 0;
  const left = [...due];
  const worker = async () => {
    for (let row = left.shift(); row; row = left.shift()) {
      try {
        if (await askAbout(ctx, row, ready)) decided++;
      } catch (error) {
        onError(error);
        // Each further call would wait as long. What is left is asked in the next round.
        if (error instanceof CommerceError && error.kind === 'unavailable') left.length = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return decided;
}

/** @returns true if the refund is decided now */
async function askAbout(ctx: Context, row: PaymentRefundTable, ready: readonly ReadySettings[]): Promise<boolean> {
  const claimed = await claim(ctx, row, ready);
  if (!claimed) return false;
  const { refund, asked } = claimed;
  const answer = await find(ctx, refund, asked);
  const record = answer && (await settleAnswer(ctx, asked, answer));
  return record !== undefined && record.status !== 'pending';
}

/** What is to be done about a refund that is not decided; undefined without an answer, or if it is only to be waited for. */
async function find({ engine }: Context, refund: Refund, asked: Asked): Promise<RefundAnswer | undefined> {
  const { provider, request } = asked;
  const found = await refundsOf(provider.name).find(request, provider.settings);
  if (found) return { refund: found };
  if (refund.providerId !== null) return undefined;
  if (engine.clock.now() - refund.recordedAt < askFor) return ask(asked);
  return { refused: `${provider.name} gave no answer, and does not list the refund` };
}

/** Takes a due refund, so that other processes leave it alone until its next time; undefined if it is not due any more. */
async function claim(
  ctx: Context,
  row: PaymentRefundTable,
  ready: readonly ReadySettings[],
): Promise<{ refund: Refund; asked: Asked } | undefined> {
  return transact(ctx, async (tx) => {
    const payment = await lockPayment(tx, row.payment_id);
    if (!payment) return undefined;
    const refunds = await readRefunds(tx.db, tx.store.id, payment.id);
    const refund = findExecuted(refunds, row.refund_id);
    if (!refund || refund.askAt === null || refund.askAt > tx.now) return undefined;
    const wait = Math.min(maxWait, Math.max(minWait, Math.floor((tx.now - refund.recordedAt) / 2)));
    await writeRefunds(tx, payment.id, refunds, withAskAt(refunds, refund.refundId, tx.now + wait));
    const provider = ready.find(({ name }) => name === payment.provider);
    if (!provider) return undefined;
    return { refund, asked: { paymentId: payment.id, provider, request: requestFor(tx, payment, refund) } };
  });
}
