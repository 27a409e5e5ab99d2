import { audit } from '../../audit/entry.ts';
import {
  findCheckout,
  insertCheckout,
  lockCheckout,
  orderUrlOf,
  toCheckout,
  writeCheckout,
} from '../../checkouts/checkouts.ts';
import {
  type CheckoutDraft,
  CheckoutFields,
  type CheckoutInput,
  type CreatedCheckout,
} from '../../checkouts/fields.ts';
import {
  asksTheSame,
  checkUrls,
  fingerprintOf,
  idsOfPage,
  pageMargin,
  pageRequestOf,
} from '../../checkouts/page-request.ts';
import { newSecret, requireSecret } from '../../checkouts/secret.ts';
import type { Context, Once, TxContext } from '../../engine/context.ts';
import { refuseInUnit, transact } from '../../engine/transaction.ts';
import { emit } from '../../events/emit.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { toJson } from '../../kernel/json.ts';
import { parseMoney } from '../../kernel/money.ts';
import { parse } from '../../kernel/parse.ts';
import type { Order } from '../../orders/fields.ts';
import { isOffline } from '../../orders/fulfilments.ts';
import { orderFields } from '../../orders/inputs.ts';
import { lockOrder } from '../../orders/orders.ts';
import { findRefs, recordRefs } from '../../payments/refs.ts';
import { pagesOf, type ReadySettings, readyProviders } from '../../payments/settings.ts';
import { reserveStock, withoutEnd } from '../../products/stock.ts';
import { type ProviderPage, ProviderSettingsError } from '../../providers/checkout-page.ts';
import { unindexedNumber } from '../../storage/planner.ts';
import { prepared } from '../../storage/prepared.ts';
import { reading } from '../../storage/run.ts';
import { type CheckoutTable, hasPage } from '../../storage/tables/checkouts.ts';
import { withCurrentStore } from '../../stores/current.ts';
import { confirmOrder, freeOfCharge } from '../moves/confirm.ts';
import { type Inserted, insertPriced } from '../moves/insert.ts';
import { moveOrder } from '../moves/move.ts';
import type { AskedTaxes } from '../pricing/cart.ts';
import { refuseGuessing } from '../pricing/code-limit.ts';
import { withOwnTaxes } from '../pricing/own-taxes.ts';
import { placeOf } from './address-cap.ts';
import { buyingFacts, refusePublicExemption, refusePublicMetadata } from './buying.ts';
import { cancelCheckout } from './cancel.ts';
import { takeOfflinePlace } from './offline-cap.ts';

/**
 * Creates a pending order at the store's own prices, tax and shipping, and reserves its stock. Opens a page at a payment provider where the
 * buyer pays. The provider is called between two transactions; if the call fails, the order and reservation are ended.
 *
 * A request can repeat one that is still open: with the same `Idempotency-Key`, or with its secret in `replaces`. It then gets the existing
 * checkout if prices, discount, tax and shipping are still the same. An order that costs nothing is paid at once, with the events of a paid
 * order. An order with a way to pay without a provider is placed at once, which emits `order.created` and `order.updated`. Emits
 * `customer.created` for a new customer.
 * @throws CommerceError `validation` for the buyer's input, also if the provider refuses it; `insufficientStock`; `discountUsedUp`;
 * `conflict` while no provider can open pages, or if `replaces` was paid; `unavailable` while the provider cannot be reached; `internal` if
 * it refuses our settings or would charge another amount; `rateLimited` and `tooManyOpenCheckouts` for a storefront key
 */
export async function createCheckout(given: Context, input: CheckoutInput): Promise<CreatedCheckout> {
  refuseInUnit(given.engine, 'createCheckout asks a payment provider');
  const ctx = await withCurrentStore(given);
  const draft = parse(CheckoutFields, input);
  checkUrls(ctx, draft);
  refusePublicExemption(ctx, draft);
  refusePublicMetadata(ctx, draft);
  refuseGuessing(ctx, draft.discountCode);
  let fingerprint = fingerprintOf(draft, ctx.once?.name);
  // Only the last transaction stores the answer: until then, nothing has been promised to the buyer.
  const { once: _, ...first } = ctx;
  const { replaces } = draft;
  const ready = await readyProviders(ctx.engine, ctx.store.id);
  if (replaces) {
    const { id, secret } = replaces;
    const found = await findCheckout(first, id);
    requireSecret(first, found, secret);
    const isSame = asksTheSame(found.fingerprint, fingerprint) && (await isUpToDate(first, found, draft, ready));
    if (isSame) fingerprint = found.fingerprint;
    await cancelCheckout(first, id, { secret }, isSame ? { unless: fingerprint } : {});
  } else if (ctx.once) {
    const at = { storeId: ctx.store.id, fingerprint, now: ctx.engine.clock.now() };
    const [same] = await reading(ctx.engine.storage, (db) => sameContents(db, at));
    const isStale = same?.state === 'open' && !(await isUpToDate(first, same, draft, ready));
    // Only the buyer knows the idempotency key, so no secret is required.
    if (isStale) await cancelCheckout({ ...first, actor: { type: 'system', id: null } }, same.id);
  }
  const { row, order, secret } = await withOwnTaxes(first, (asked) =>
    transact(first, async (tx) => {
      const begun = await begin(tx, draft, fingerprint, { ready, asked });
      // Without a page there is no further transaction.
      if (begun.row.provider === null) await keepAnswer(tx, ctx.once, begun);
      return begun;
    }),
  );
  if (row.provider === null) ctx.once?.committed();
  if (row.provider === null || row.state === 'open') {
    const checkout = toCheckout(ctx, row, order);
    // Whoever only repeats the contents of a request did not make its order.
    return { ...checkout, orderUrl: secret === null ? null : await orderUrlOf(ctx, checkout), secret };
  }
  const provider = ready.find(({ name }) => name === row.provider);
  // Only a repeated request can find that its provider was removed meanwhile.
  if (!provider) {
    const refusal = `${row.provider} can no longer open payment pages`;
    return fail(ctx, row, new CommerceError('conflict', refusal, { reason: 'noPaymentPages' }));
  }
  let page: ProviderPage;
  try {
    page = await pagesOf(provider.name).open(pageRequestOf(ctx, row, order, draft.customer), provider.settings);
  } catch (error) {
    return fail(ctx, row, error);
  }
  const expected = parseMoney(order.total, ctx.store.decimals);
  if (page.amount !== expected || page.currency !== order.currency) {
    // No buyer gets its address, even if the page cannot be closed now.
    await pagesOf(provider.name)
      .close(page, provider.settings, ctx.engine.clock.now())
      .catch(() => {});
    const would = `${provider.name} would charge ${page.amount} minor units of ${page.currency}, not ${expected} of ${order.currency}`;
    return fail(ctx, row, new ProviderSettingsError(would));
  }
  return open(ctx, row, provider, page, secret);
}

/** Keeps the answer of a request whose order is made by this transaction, so that a copy of the request makes no second one. */
async function keepAnswer(tx: TxContext, once: Once | undefined, { row, order, secret }: Begun): Promise<void> {
  await once?.begin(tx);
  await once?.end(tx, { ...toCheckout(tx, row, order), orderUrl: null, secret });
}

/** An open checkout with its order, and the secret if it is new. */
interface Begun {
  row: CheckoutTable;
  order: Order;
  secret: string | null;
}

const sameContents = prepared<{ storeId: string; fingerprint: string; now: number }, CheckoutTable>((db, p) =>
  db
    .selectFrom('checkouts')
    .selectAll()
    .where('store_id', '=', p('storeId'))
    .where('fingerprint', '=', p('fingerprint'))
    .where(hasPage)
    // Avoids the index of due pages, which contains every open page of the store.
    .where((eb) => eb(unindexedNumber(eb.ref('expires_at')), '>', p('now')))
    // Not by id: SQLite would walk all checkouts of the store in the order of their primary key.
    .orderBy('created_at', 'desc')
    .limit(1),
);

/** Thrown to roll back a trial. */
class Tried extends Error {
  override readonly name = 'Tried';
  constructor(readonly isSame: boolean) {
    super('undone');
  }
}

/** True if a new checkout would now ask for the same as this one, after its stock and discount are given back. */
async function isUpToDate(
  ctx: Context,
  found: CheckoutTable,
  draft: CheckoutDraft,
  ready: readonly ReadySettings[],
): Promise<boolean> {
  try {
    await withOwnTaxes(ctx, (asked) =>
      transact(ctx, async (tx) => {
        const { order } = await lockCheckout(tx, found);
        // A checkout that has ended is not reused.
        if (order.status !== 'pending') throw new Tried(true);
        await moveOrder(tx, order, { status: 'cancelled', cancelReason: 'expired' });
        const fresh = await orderOf(tx, draft, { ready, asked });
        throw new Tried(saleOf(order) === saleOf(fresh.order));
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof Tried) return error.isSame;
    if (
      error instanceof CommerceError &&
      ['validation', 'conflict', 'insufficientStock', 'discountUsedUp'].includes(error.kind)
    )
      return false;
    throw error;
  }
}

function saleOf({ items, subtotal, discount, shipping, taxes, taxRate, taxIncluded, total }: Order): string {
  const lines = items.map(({ productId, quantity, unitPrice }) => [productId, quantity, unitPrice]);
  return JSON.stringify([lines, subtotal, discount, shipping, taxes, taxRate, taxIncluded, total]);
}

/** What prices depend on beside the store: the providers that can open pages, and the application's own taxes. */
interface Sources {
  ready: readonly ReadySettings[];
  asked: AskedTaxes | undefined;
}

/** Writes the order of a checkout and reserves its stock. */
async function orderOf(tx: TxContext, draft: CheckoutDraft, { ready, asked }: Sources): Promise<Inserted> {
  const {
    provider: _,
    paymentMethodId: _paid,
    successUrl: _success,
    cancelUrl: _cancel,
    replaces: _replaced,
    ...rest
  } = draft;
  const { reservationMinutes } = tx.store.settings;
  const input = parse(orderFields(tx.store.decimals), { ...rest, reserveMinutes: reservationMinutes });
  const buying = buyingFacts(tx, draft, ready);
  const inserted = await insertPriced(tx, input, { publishedOnly: true, countsDiscount: true, asked, buying });
  const { id, items, reservedUntil } = inserted.order;
  await reserveStock(tx, id, items, reservedUntil === null ? withoutEnd : Date.parse(reservedUntil));
  return inserted;
}

/**
 * Milliseconds in which a provider has to open a page. A Stripe page must end at least half an hour after it is opened, and it ends 31
 * minutes after its checkout was created.
 */
const maxOpening = 45_000;

/** Writes the order, reservation and checkout, or finds the checkout of an identical request. */
async function begin(tx: TxContext, draft: CheckoutDraft, fingerprint: string, sources: Sources): Promise<Begun> {
  await tx.engine.storage.lockName(tx.db, `checkout ${tx.store.id} ${fingerprint}`);
  const [same] = await sameContents(tx.db, { storeId: tx.store.id, fingerprint, now: tx.now });
  if (same) {
    const order = await lockOrder(tx, same.order_id);
    if (order?.status === 'pending') {
      if (same.state === 'open' || tx.now - same.created_at < maxOpening) return { row: same, order, secret: null };
      // Its process has stopped: no buyer has the address of a page, and this request needs the stock.
      await writeCheckout(tx, same, { state: 'failed' });
      await moveOrder(tx, order, { status: 'cancelled', cancelReason: 'expired' });
    }
  }
  const { successUrl, cancelUrl } = draft;
  const { order: inserted, priced } = await orderOf(tx, draft, sources);
  let order = inserted;
  const pageEnd = tx.now + tx.store.settings.reservationMinutes * 60_000 - pageMargin;
  const isFree = priced.total === 0n;
  const offline = isOffline(order);
  const addressHash = isFree ? null : offline ? await takeOfflinePlace(tx, order) : await placeOf(tx);
  const { secret, secretHash } = newSecret();
  const row: CheckoutTable = {
    store_id: tx.store.id,
    id: tx.engine.ids.next(tx.now),
    order_id: order.id,
    state: isFree || offline ? 'closed' : 'opening',
    provider: priced.paymentMethod?.provider ?? null,
    page_id: null,
    provider_order: null,
    url: null,
    fingerprint,
    secret_hash: secretHash,
    by_storefront: tx.actor.isPublic ? 1 : 0,
    address_hash: addressHash,
    success_url: successUrl,
    cancel_url: cancelUrl,
    expires_at: offline && order.reservedUntil !== null ? Date.parse(order.reservedUntil) : pageEnd,
    captures: 0,
    capturing_until: 0,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await insertCheckout(tx, row);
  if (isFree) order = await confirmOrder(tx, order, freeOfCharge);
  if (offline) {
    const json = toJson(order);
    emit(tx, 'order.created', order.id, json);
    emit(tx, 'order.updated', order.id, json);
  }
  return { row, order, secret };
}

/** Records the page, so that the buyer can be redirected and notifications find the order. */
async function open(
  ctx: Context,
  before: CheckoutTable,
  { name, settings }: ReadySettings,
  page: ProviderPage,
  secret: string | null,
): Promise<CreatedCheckout> {
  const opened = await transact(ctx, async (tx) => {
    const { row, order } = await lockCheckout(tx, before);
    if (row.state !== 'opening' && row.page_id === page.id)
      return { ...toCheckout(ctx, row, order), orderUrl: null, secret };
    // Opening took so long that the order and reservation have expired.
    if (order.status !== 'pending') return undefined;
    const ids = idsOfPage(name, page);
    const known = await findRefs(tx, name, ids);
    const refs = { refs: ids.session === undefined ? [] : [ids.session], order: ids.order };
    await recordRefs(tx, name, refs, known, { paymentId: null, orderId: order.id });
    const now = await writeCheckout(tx, row, {
      state: 'open',
      page_id: page.id,
      provider_order: page.providerOrder,
      url: page.url,
    });
    return { ...toCheckout(ctx, now, order), orderUrl: null, secret };
  });
  if (opened) return opened;
  await pagesOf(name)
    .close(page, settings, ctx.engine.clock.now())
    .catch(() => {});
  throw new CommerceError('unavailable', `${name} took too long to open a page; nothing was ordered`);
}

/** Ends the order and reservation after a failure at the provider. The order counts as expired, so money that still arrives pays it. */
async function fail(ctx: Context, before: CheckoutTable, error: unknown): Promise<never> {
  const { once: _, ...first } = ctx;
  await transact(first, async (tx) => {
    const { row, order } = await lockCheckout(tx, before);
    // Another copy of the request might have opened it.
    if (row.state !== 'opening') return;
    await writeCheckout(tx, row, { state: 'failed' });
    if (order.status === 'pending') await moveOrder(tx, order, { status: 'cancelled', cancelReason: 'expired' });
    if (error instanceof ProviderSettingsError) {
      const changes = { provider: row.provider, orderNumber: order.orderNumber, reason: error.message };
      audit(tx, { action: 'checkout.refused', resourceType: 'order', resourceId: order.id, changes });
    }
  });
  if (!(error instanceof ProviderSettingsError)) throw error;
  throw new CommerceError('internal', `the payment page could not be opened: the shop must check its settings`, {
    cause: error,
  });
}
