import { findCheckout, type LockedCheckout, lockCheckout, writeCheckout } from '../../checkouts/checkouts.ts';
import { withCheckout } from '../../checkouts/page-request.ts';
import type { Actor, Context, Engine, TxContext } from '../../engine/context.ts';
import { refuseInUnit, transact } from '../../engine/transaction.ts';
import { emit } from '../../events/emit.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { CommerceError, notFound } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Order } from '../../orders/fields.ts';
import { writeOrder } from '../../orders/orders.ts';
import { pagesOf, readyProviders } from '../../payments/settings.ts';
import { reserveStock } from '../../products/stock.ts';
import type { Capture } from '../../providers/checkout-page.ts';
import { type LinkNotice, orderIdOf } from '../../providers/notice.ts';
import { prepared } from '../../storage/prepared.ts';
import { reading } from '../../storage/run.ts';
import type { CheckoutTable } from '../../storage/tables/checkouts.ts';
import type { ProviderName } from '../../storage/tables/payments.ts';
import { requireStore } from '../../stores/stores.ts';
import { reopenOrder } from '../moves/confirm.ts';
import { expireUnlessHeld } from '../moves/expire.ts';
import { settle } from '../settle/settle.ts';
import { lockNames } from '../settle/target.ts';

/**
 * Milliseconds for which no other process captures. If the provider is slower, the capture can be sent twice; the id of the request makes
 * it one.
 */
const lease = 120_000;

/** Minimum time in milliseconds for which stock is held while money is captured. */
const captureHold = 10 * 60_000;

/**
 * Result of an attempt to take the money that a buyer approved. `busy`: another process is capturing. `open`: the buyer has not approved
 * yet. `ended`: the order has ended or the stock is gone, and no money was taken.
 */
export type CaptureResult = 'paid' | 'pending' | 'busy' | 'open' | 'declined' | 'ended';

/**
 * Captures the money for a checkout at a wallet exactly once, however many processes try. Processes agree by a lease on the checkout, and
 * the provider by the id of the request. Money is captured only while the stock is held. A reservation is extended only after the buyer has
 * approved, because anyone can open the return address. An expired one is then made again if the stock is still available. Emits the events
 * of a paid order.
 * @throws CommerceError `unavailable` while the provider cannot be reached
 */
async function captureCheckout(
  ctx: Context,
  checkout: CheckoutTable,
  settings: unknown,
  { isApproved = false }: { isApproved?: boolean } = {},
): Promise<CaptureResult> {
  const { page_id, provider } = checkout;
  const pages = provider === null ? undefined : pagesOf(provider);
  if (provider === null || page_id === null || !pages?.capture) return 'open';
  const { engine } = ctx;
  const { capture } = pages;
  let begun = await transact(ctx, (tx) => beginCapture(tx, checkout, isApproved));
  if (begun === 'unasked') {
    if (pages.isApproved && !(await pages.isApproved({ id: page_id }, settings, engine.clock.now()))) {
      return transact(ctx, (tx) => unapproved(tx, checkout));
    }
    begun = await transact(ctx, (tx) => beginCapture(tx, checkout, true));
  }
  if (typeof begun === 'string') return begun === 'unasked' ? 'open' : begun;
  let result: Capture;
  try {
    result = await capture({ id: page_id }, begun.captures + 1, settings, engine.clock.now());
  } catch (error) {
    await transact(ctx, async (tx) => {
      const { row } = await lockCheckout(tx, checkout);
      await writeCheckout(tx, row, { capturing_until: 0 });
    });
    throw error;
  }
  return transact(ctx, (tx) => endCapture(tx, checkout, provider, result));
}

/** The result for a buyer who has not approved anything; the checkout is not changed. */
async function unapproved(tx: TxContext, checkout: CheckoutTable): Promise<CaptureResult> {
  const { row, order } = await lockCheckout(tx, checkout);
  if (order.status === 'cancelled') return 'ended';
  // A declined buyer has to choose another way to pay, even if the other of two attempts was told so.
  return row.captures > 0 ? 'declined' : 'open';
}

/**
 * Takes the lease while the stock is held, or returns why there is nothing to capture. `unasked`: the stock would have to be held longer,
 * which requires an approval.
 */
async function beginCapture(
  tx: TxContext,
  checkout: CheckoutTable,
  isApproved: boolean,
): Promise<CheckoutTable | CaptureResult | 'unasked'> {
  const locked = await lockCheckout(tx, checkout);
  const { row, order } = locked;
  if (order.paidAt !== null) return 'paid';
  if (locked.payments.some(({ status }) => status === 'succeeded' || status === 'processing')) return 'pending';
  if (row.capturing_until > tx.now) return 'busy';
  if (order.status === 'cancelled' && order.cancelReason !== 'expired') return 'ended';
  if (!isApproved && !isHeld(order, tx.now + captureHold)) return 'unasked';
  if (!(await holdStock(tx, locked))) return 'ended';
  return writeCheckout(tx, row, { capturing_until: tx.now + lease });
}

function isHeld({ reservedUntil }: Order, until: number): boolean {
  return reservedUntil !== null && Date.parse(reservedUntil) >= until;
}

/**
 * Holds the stock of a locked order while its money is captured; an expired order becomes pending again. Emits `order.updated`.
 * @returns false if the stock is gone
 */
async function holdStock(tx: TxContext, { order }: LockedCheckout): Promise<boolean> {
  const until = tx.now + captureHold;
  if (isHeld(order, until)) return true;
  try {
    await reserveStock(tx, order.id, order.items, until);
  } catch (error) {
    if (error instanceof CommerceError && error.kind === 'insufficientStock') return false;
    throw error;
  }
  const pending = order.status === 'cancelled' ? await reopenOrder(tx, order) : order;
  const now: Order = { ...pending, reservedUntil: toTimestamp(until), updatedAt: toTimestamp(tx.now) };
  emit(tx, 'order.updated', order.id, await writeOrder(tx, pending, now));
  return true;
}

async function endCapture(
  tx: TxContext,
  checkout: CheckoutTable,
  provider: ProviderName,
  result: Capture,
): Promise<CaptureResult> {
  if (!('notice' in result)) {
    const { row, order, payments } = await lockCheckout(tx, checkout);
    const isOver = result.outcome === 'expired' || result.outcome === 'final';
    await writeCheckout(tx, row, {
      capturing_until: 0,
      // A provider gives the same answer to the same request, so a buyer who pays another way needs a new request.
      captures: result.outcome === 'declined' ? row.captures + 1 : row.captures,
      ...(isOver ? { state: 'closed' } : {}),
    });
    // A declined buyer has to choose another way to pay, even if the other of two attempts was told so.
    if (result.outcome === 'notApproved') return row.captures > 0 ? 'declined' : 'open';
    if (!isOver) return 'declined';
    if (order.status === 'pending') await expireUnlessHeld(tx, order, payments);
    return result.outcome === 'final' ? 'declined' : 'ended';
  }
  // The same notice as the notification of this capture, which then changes nothing when it comes.
  const notice = { ...result.notice, orderId: result.notice.orderId ?? checkout.order_id };
  await lockNames(tx, provider, notice);
  await settle(tx, provider, notice, { makeOrders: false });
  const { row, order } = await lockCheckout(tx, checkout);
  await writeCheckout(tx, row, { capturing_until: 0 });
  return order.paidAt === null ? 'pending' : 'paid';
}

const ofOrder = prepared<{ storeId: string; orderId: string }, CheckoutTable>((db, p) =>
  db.selectFrom('checkouts').selectAll().where('store_id', '=', p('storeId')).where('order_id', '=', p('orderId')),
);

/**
 * Captures a payment that was approved according to a notification, if its page belongs to a checkout here.
 * @throws CommerceError `unavailable`, so the provider sends the notification again
 */
export async function captureApproved(
  ctx: Context,
  provider: ProviderName,
  notice: LinkNotice,
  settings: unknown,
): Promise<void> {
  const orderId = orderIdOf(notice);
  if (orderId === null) return;
  const [row] = await reading(ctx.engine.storage, (db) => ofOrder(db, { storeId: ctx.store.id, orderId }));
  if (row?.provider !== provider || row.page_id !== notice.ids.order) return;
  if ((await captureCheckout(ctx, row, settings, { isApproved: true })) !== 'busy') return;
  // The process of the other attempt could stop.
  throw new CommerceError('unavailable', 'the approved payment is being captured now');
}

const returning: Actor = { type: 'system', id: 'checkout return' };

/**
 * Receives a buyer who returns from a wallet: captures the approved money, and answers the address of the shop's page to redirect to.
 * @param ids as in the query of the return address
 * @throws CommerceError `notFound`
 */
export async function returnFromProvider(
  engine: Engine,
  ids: { storeId: string | null; checkoutId: string; page: string | null },
  requestId: string | null = null,
): Promise<string> {
  refuseInUnit(engine, 'returnFromProvider asks a payment provider');
  const { storeId, checkoutId, page } = ids;
  if (storeId === null || !isId(storeId)) throw notFound('checkout', checkoutId);
  const ctx: Context = { engine, store: await requireStore(engine, storeId), actor: returning, requestId };
  const row = await findCheckout(ctx, checkoutId);
  // This is not the page that the buyer comes from.
  if (page !== null && page !== row.page_id) throw notFound('checkout', checkoutId);
  const provider = (await readyProviders(engine, storeId)).find(({ name }) => name === row.provider);
  const result = provider ? await tryCapture(ctx, row, provider.settings) : 'pending';
  if (result !== 'declined' && result !== 'ended') return withCheckout(row.success_url, row.id);
  const url = new URL(withCheckout(row.cancel_url, row.id));
  url.searchParams.set('reason', result === 'declined' ? 'declined' : 'expired');
  return url.href;
}

/** The buyer's page waits for a payment that cannot be decided now: the notification of the approval comes, too. */
async function tryCapture(ctx: Context, row: CheckoutTable, settings: unknown): Promise<CaptureResult> {
  try {
    return await captureCheckout(ctx, row, settings);
  } catch (error) {
    if (error instanceof CommerceError && error.kind === 'unavailable') return 'pending';
    throw error;
  }
}
