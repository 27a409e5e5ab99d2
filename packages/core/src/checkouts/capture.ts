import { toTimestamp } from '../clock.ts';
import type { Actor, Context, Engine, TxContext } from '../context.ts';
import { CommerceError, notFound } from '../errors.ts';
import { emit } from '../events/emit.ts';
import { isId } from '../ids.ts';
import { reopenOrder } from '../orders/confirm.ts';
import { expireUnlessHeld } from '../orders/expire.ts';
import type { Order } from '../orders/fields.ts';
import { writeOrder } from '../orders/orders.ts';
import type { Capture } from '../payments/checkout-page.ts';
import { type LinkNotice, orderIdOf } from '../payments/notice.ts';
import type { ProviderName } from '../payments/provider.ts';
import { pagesOf, readyProviders } from '../payments/settings.ts';
import { settle } from '../payments/settle.ts';
import { lockNames } from '../payments/target.ts';
import { reserveStock } from '../products/stock.ts';
import { prepared } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import { requireStore } from '../stores/stores.ts';
import { refuseInUnit, transact } from '../transaction.ts';
import { findCheckout, type LockedCheckout, lockCheckout, writeCheckout } from './checkouts.ts';
import { withCheckout } from './page-request.ts';
import type { CheckoutTable } from './table.ts';

/**
 * Milliseconds for which nobody else captures. A capture whose provider is slower than that may be tried twice, which the id of the
 * request makes one.
 */
const lease = 120_000;

/** Milliseconds for which stock is held at least while money is captured. */
const captureHold = 10 * 60_000;

/**
 * What became of an attempt to take the money that a buyer approved. `busy`: another process does so at this moment. `open`: the buyer
 * has not approved yet. `ended`: order or stock are gone, and no money was taken.
 */
export type CaptureResult = 'paid' | 'pending' | 'busy' | 'open' | 'declined' | 'ended';

/**
 * Takes the money for a checkout at a wallet, once, however many processes try: they agree by a lease on the checkout, and the provider
 * by the id of the request. Nothing is taken unless the stock is held meanwhile. A reservation is prolonged, or made again if it was over and
 * the stock is still there, only after the buyer has approved: everybody can open the address of a return. Emits the events of a paid order.
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

/** What becomes of a buyer who has approved nothing; the checkout stays as it is. */
async function unapproved(tx: TxContext, checkout: CheckoutTable): Promise<CaptureResult> {
  const { row, order } = await lockCheckout(tx, checkout);
  if (order.status === 'cancelled') return 'ended';
  // A declined buyer has to choose another way to pay, whichever of two attempts was told so.
  return row.captures > 0 ? 'declined' : 'open';
}

/**
 * Takes the lease, with the stock held; or says why there is nothing to capture. `unasked`: the stock would have to be held for longer, which
 * takes an approval.
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
 * Has the stock of a locked order held while its money is taken; an expired order becomes pending again. Emits `order.updated`.
 * @returns false when it is not there any more
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
      // A provider answers the same to the same request: a buyer who pays otherwise needs another one.
      captures: result.outcome === 'declined' ? row.captures + 1 : row.captures,
      ...(isOver ? { state: 'closed' } : {}),
    });
    // A declined buyer has to choose another way to pay, whichever of two attempts was told so.
    if (result.outcome === 'notApproved') return row.captures > 0 ? 'declined' : 'open';
    if (!isOver) return 'declined';
    if (order.status === 'pending') await expireUnlessHeld(tx, order, payments);
    return result.outcome === 'final' ? 'declined' : 'ended';
  }
  // As the notification of this capture does, which changes nothing when it comes later.
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
 * Captures what a notification says was approved, if it is the page of a checkout here.
 * @throws CommerceError `unavailable`, so that the provider tells of it again
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
  // The other attempt may end with its process.
  throw new CommerceError('unavailable', 'the approved payment is being captured at this moment');
}

const returning: Actor = { type: 'system', id: 'checkout return' };

/**
 * Receives a buyer who comes back from a wallet: takes the approved money, and answers the address of the shop's page to go on to.
 * @param ids as they stand in the address
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
  // Not the page that the buyer comes from.
  if (page !== null && page !== row.page_id) throw notFound('checkout', checkoutId);
  const provider = (await readyProviders(engine, storeId)).find(({ name }) => name === row.provider);
  const result = provider ? await tryCapture(ctx, row, provider.settings) : 'pending';
  if (result !== 'declined' && result !== 'ended') return withCheckout(row.success_url, row.id);
  const url = new URL(withCheckout(row.cancel_url, row.id));
  url.searchParams.set('reason', result === 'declined' ? 'declined' : 'expired');
  return url.href;
}

/** The page waits for a payment that cannot be decided now: the notification of the approval comes, too. */
async function tryCapture(ctx: Context, row: CheckoutTable, settings: unknown): Promise<CaptureResult> {
  try {
    return await captureCheckout(ctx, row, settings);
  } catch (error) {
    if (error instanceof CommerceError && error.kind === 'unavailable') return 'pending';
    throw error;
  }
}
